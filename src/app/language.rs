//! The words of a language, loaded when it is first shown.

use crate::state::Lang;
use crate::web::load;
use crate::words;

/// Loads the words of a language if they are not here; `false` if they could not be had.
pub async fn load(lang: Lang) -> bool {
    if words::has(lang) {
        return true;
    }
    let text = load::text(&format!("lesson/words.{}.json", lang.id())).await;
    text.is_some_and(|text| words::take(lang, &text))
}
