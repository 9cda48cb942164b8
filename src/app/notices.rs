//! What was wrong with the address, and what was done.

use leptos::prelude::*;

use super::store::Store;
use crate::say;
use crate::state::{Lang, Notice};

/// Longest part of a given value that is shown.
const SHOWN: usize = 40;

/// The list of notices, each with a button to dismiss it.
#[component]
pub fn Notices() -> impl IntoView {
    let store = Store::get();
    view! {
        <div class="notices" role="status">
            {move || {
                let lang = store.lang.get();
                store
                    .notices()
                    .into_iter()
                    .map(|notice| {
                        let text = sentence(&notice, lang);
                        let code = notice.code;
                        let close = say!(lang, "app.dismiss");
                        view! {
                            <p class="notice" data-notice=code>
                                <span>{text}</span>
                                <button
                                    type="button"
                                    aria-label=close.clone()
                                    title=close
                                    on:click=move |_| store.dismiss(notice.clone())
                                >
                                    "×"
                                </button>
                            </p>
                        }
                            .into_any()
                    })
                    .collect_view()
            }}
        </div>
    }
}

/// A notice in words.
pub fn sentence(notice: &Notice, lang: Lang) -> String {
    let given = cut(&notice.given);
    let key = match notice.code {
        "unknown-word" if notice.used.is_empty() => "app.unknown_none".to_owned(),
        code => format!("notice.{code}"),
    };
    say!(
        lang,
        key,
        name = notice.name,
        given = given,
        used = cut(&notice.used)
    )
}

fn cut(text: &str) -> String {
    if text.chars().count() <= SHOWN {
        return text.to_owned();
    }
    text.chars().take(SHOWN).chain(['…']).collect()
}
