//! The PyTorch code of a scheme with the present parameters filled in.

use leptos::prelude::*;

use super::copied::{Copied, copy};
use super::reactive::reactive;
use super::store::Store;
use crate::lesson::code::{TRACED, fill_text};
use crate::lesson::highlight::{self, Kind};

/// A panel, or of several that of the scheme shown.
#[component]
pub fn CodePanel(
    /// Ids, and Python with holes.
    templates: Vec<(String, String)>,
) -> impl IntoView {
    let store = Store::get();
    let copied = RwSignal::new(Copied::None);
    let ids: Vec<String> = templates.iter().map(|(id, _)| id.clone()).collect();
    let names = ids.clone();
    let shown = Memo::new(move |_| {
        let scheme = store.params.read().scheme.id();
        ids.iter().position(|id| id == scheme).unwrap_or(0)
    });
    let name = reactive(move || names.get(shown.get()).cloned());
    let code = Memo::new(move |_| {
        let template = templates.get(shown.get()).map_or("", |(_, t)| t);
        fill_text(template, &store.params.read())
    });
    let status = reactive(move || match copied.get() {
        None => String::new(),
        Some(Ok(())) => store.say("app.copied"),
        Some(Err(_)) => store.say("lesson.copy_refused"),
    });
    view! {
        <div class="code" data-code=name>
            <p class="bar">
                <span>"PyTorch"</span>
                <span role="status">{status}</span>
                <button type="button" on:click=move |_| copy(code.get_untracked().replace(TRACED, ""), copied)>
                    {store.word("lesson.copy_code")}
                </button>
            </p>
            <pre tabindex="0" aria-label=store.word("lesson.code")>
                <code>{move || code.with(|c| c.lines().map(line).collect_view())}</code>
            </pre>
        </div>
    }
}

/// One line, coloured; the one that computes the traced cell is marked.
fn line(text: &str) -> AnyView {
    let traced = text.ends_with(TRACED);
    let pieces = highlight::line(text.strip_suffix(TRACED).unwrap_or(text));
    let one = |(kind, piece): (Kind, &str)| match kind {
        Kind::Plain => piece.to_owned().into_any(),
        _ => view! { <span class=kind.class()>{piece.to_owned()}</span> }.into_any(),
    };
    let pieces = pieces.into_iter().map(one).collect_view();
    view! { <span class="line" class:traced=traced>{pieces} "\n"</span> }.into_any()
}
