//! Links within texts.

use posenc_lab::figure::page_of;
use posenc_lab::state::{Page, values};

use super::sources::Titles;

/// The start of a link, and the words of one that has none of its own. `https://…` and
/// `arXiv:…` open in a tab of their own; `page:rope` and `figure:rope-score` stay in the lab, and
/// the page completes their address with what the visitor has set; `set:pos=20&base=500` sets those
/// parameters where the visitor is.
pub fn link(to: &str, titles: &Titles) -> Result<(String, Option<String>), String> {
    let outside = |href: &str| format!(r#"<a href="{href}" rel="noreferrer" target="_blank">"#);
    if to.starts_with("https://") {
        let title = titles.work(to).ok().map(|(title, _)| title);
        return Ok((outside(to), title));
    }
    if to.starts_with("arXiv:") {
        let (title, href) = titles.work(to)?;
        return Ok((outside(&href), Some(title)));
    }
    if let Some(id) = to.strip_prefix("page:") {
        let page = Page::by_id(id).filter(|p| p.is_live());
        let page = page.ok_or_else(|| format!("no page {id}"))?.id();
        let tag = format!(r#"<a href="?page={page}" data-page="{page}">"#);
        return Ok((tag, None));
    }
    if let Some(id) = to.strip_prefix("figure:") {
        let page = page_of(id).ok_or_else(|| format!("no figure {id}"))?.id();
        let tag = format!(r#"<a href="?page={page}#{id}" data-page="{page}" data-to="{id}">"#);
        return Ok((tag, None));
    }
    if let Some(query) = to.strip_prefix("set:") {
        values(query)?;
        let query = query.replace('&', "&amp;");
        let tag = format!(r#"<a class="set" href="?{query}" data-set="{query}">"#);
        return Ok((tag, None));
    }
    Err(format!(
        "a link goes to https://…, arXiv:…, page:…, figure:… or set:…, not to {to}"
    ))
}
