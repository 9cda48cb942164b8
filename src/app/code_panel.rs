//! The PyTorch code of a scheme with the present parameters filled in.

use leptos::prelude::*;

use super::copied::{Copied, copy};
use super::reactive::{Reactive, reactive};
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
    let (name, code) = filled(store, templates);
    let name = reactive(move || name.get());
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
                <code>{lines(code, |line| Some(line))}</code>
            </pre>
        </div>
    }
}

/// Of the panel only what computes the traced cell.
#[component]
pub fn TracedLine(
    /// As of the panel.
    templates: Vec<(String, String)>,
) -> impl IntoView {
    let (_, code) = filled(Store::get(), templates);
    let lines = lines(code, |line| {
        line.ends_with(TRACED).then(|| line.trim_start())
    });
    view! { <pre class="one-line" tabindex="0"><code>{lines}</code></pre> }
}

/// The lines of a code that are to be seen, each coloured anew only when it has changed.
fn lines(code: Memo<String>, seen: fn(&str) -> Option<&str>) -> Reactive<AnyView> {
    let count = Memo::new(move |_| code.with(|c| c.lines().filter_map(seen).count()));
    let one = move |k: usize| {
        let text =
            Memo::new(move |_| code.with(|c| c.lines().filter_map(seen).nth(k).map(str::to_owned)));
        reactive(move || text.read().as_deref().map(line)).into_any()
    };
    reactive(move || (0..count.get()).map(one).collect_view().into_any())
}

/// The id of the panel shown, and its code with the present parameters.
fn filled(store: Store, templates: Vec<(String, String)>) -> (Memo<Option<String>>, Memo<String>) {
    let templates = StoredValue::new(templates);
    let shown = Memo::new(move |_| {
        let scheme = store.params.read().scheme.id();
        templates.with_value(|all| all.iter().position(|(id, _)| id == scheme).unwrap_or(0))
    });
    let of_shown = move |take: fn(&(String, String)) -> String| {
        templates.with_value(|all| all.get(shown.get()).map(take))
    };
    let name = Memo::new(move |_| of_shown(|(id, _)| id.clone()));
    let code = Memo::new(move |_| {
        let template = of_shown(|(_, template)| template.clone()).unwrap_or_default();
        fill_text(&template, &store.params.read())
    });
    (name, code)
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
