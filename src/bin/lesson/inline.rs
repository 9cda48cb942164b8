//! Markdown to HTML, with terms of the glossary, live numbers and mathematics.

use posenc_lab::lesson::live;
use posenc_lab::state::Page;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, TextMergeStream, html};

use super::glossary::Glossary;
use super::links::link;
use super::math::mathml;
use super::sources::Titles;

/// Signs from the private use area, around the number of a term.
const OPEN: char = '\u{E000}';
const CLOSE: char = '\u{E001}';

/// Turns texts of one page into HTML and keeps what the whole page needs to know.
pub struct Inline<'a> {
    page: Page,
    chinese: bool,
    glossary: &'a Glossary,
    /// Titles of sources.
    pub titles: &'a Titles,
    /// HTML of the terms met so far.
    terms: Vec<String>,
    /// Headings: id and text.
    pub contents: Vec<(String, String)>,
}

impl<'a> Inline<'a> {
    /// For a page in a language.
    pub fn new(page: Page, chinese: bool, glossary: &'a Glossary, titles: &'a Titles) -> Self {
        Self {
            page,
            chinese,
            glossary,
            titles,
            terms: Vec::new(),
            contents: Vec::new(),
        }
    }

    /// Whole paragraphs.
    pub fn html(&mut self, markdown: &str) -> Result<String, String> {
        let marked = self.marked(markdown)?;
        let options = Options::ENABLE_MATH | Options::ENABLE_TABLES;
        let parser = TextMergeStream::new(Parser::new_ext(&marked, options));
        let mut events: Vec<Event> = Vec::new();
        let mut heading: Option<String> = None;
        // How many events there were when a link without words began, and its title.
        let mut untitled: Option<(usize, String)> = None;
        for event in parser {
            match event {
                Event::InlineMath(latex) => events.push(raw(self.formula(&latex, false)?)),
                Event::DisplayMath(latex) => events.push(raw(self.formula(&latex, true)?)),
                Event::Html(text) | Event::InlineHtml(text) => {
                    return Err(format!("HTML is not for texts: {text}"));
                }
                Event::Text(text) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&self.shown(&text));
                    }
                    let rest = self.conditional(&text, &mut events)?;
                    self.live(rest, &mut events)?;
                }
                Event::Start(Tag::Link { dest_url, .. }) => {
                    let (tag, title) = link(&dest_url, self.titles)?;
                    events.push(raw(tag));
                    untitled = title.map(|t| (events.len(), t));
                }
                Event::End(TagEnd::Link) => {
                    match untitled.take() {
                        Some((at, title)) if at == events.len() => {
                            events.push(Event::Text(title.into()));
                        }
                        None if matches!(events.last(), Some(Event::InlineHtml(h)) if h.starts_with("<a ")) =>
                        {
                            return Err("a link without words".to_owned());
                        }
                        _ => {}
                    }
                    events.push(raw("</a>".to_owned()));
                }
                Event::Start(Tag::Image { .. }) => {
                    return Err("an image is not for texts".to_owned());
                }
                Event::Start(Tag::Heading { level, .. }) => {
                    heading = Some(String::new());
                    let id = format!("part-{}", self.contents.len() + 1);
                    events.push(raw(format!(r#"<{level} id="{id}" tabindex="-1">"#)));
                }
                Event::End(TagEnd::Heading(level)) => {
                    let id = format!("part-{}", self.contents.len() + 1);
                    self.contents.push((id, heading.take().unwrap_or_default()));
                    events.push(raw(format!("</{level}>")));
                }
                Event::Start(Tag::Table(_)) => {
                    events.push(raw(r#"<div class="scroll" tabindex="0">"#.to_owned()));
                    events.push(event);
                }
                Event::End(TagEnd::Table) => {
                    events.push(event);
                    events.push(raw("</div>".to_owned()));
                }
                other => events.push(other),
            }
        }
        let mut out = String::new();
        html::push_html(&mut out, events.into_iter());
        Ok(self.with_terms(&out).trim().to_owned())
    }

    /// A piece of a line, without the paragraph around it.
    pub fn line(&mut self, markdown: &str) -> Result<String, String> {
        let html = self.html(markdown)?;
        if html.contains(" data-if=") {
            return Err(format!("a condition is for whole paragraphs: {markdown}"));
        }
        let inner = html
            .strip_prefix("<p>")
            .and_then(|h| h.strip_suffix("</p>"));
        Ok(inner.unwrap_or(&html).to_owned())
    }

    /// A formula as MathML.
    pub fn formula(&self, latex: &str, block: bool) -> Result<String, String> {
        let mut holes = Vec::new();
        let out = mathml(latex, block, &mut holes)?;
        for name in holes {
            self.known(&name)?;
        }
        Ok(out)
    }

    fn known(&self, name: &str) -> Result<(), String> {
        if live::names(self.page).any(|n| n == name) {
            return Ok(());
        }
        Err(format!("no live number {name} on this page"))
    }

    /// Terms taken out, so that Markdown does not see their brackets and bars.
    fn marked(&mut self, markdown: &str) -> Result<String, String> {
        let mut out = String::new();
        let mut rest = markdown;
        while let Some((before, after)) = rest.split_once("[[") {
            let (inside, after) = after
                .split_once("]]")
                .ok_or_else(|| "[[ without ]]".to_owned())?;
            out.push_str(before);
            let (id, shown) = inside.split_once('|').unwrap_or((inside, ""));
            let html = self.term(id.trim_end_matches('\\'), shown)?;
            out.push_str(&format!("{OPEN}{}{CLOSE}", self.terms.len()));
            self.terms.push(html);
            rest = after;
        }
        out.push_str(rest);
        Ok(out)
    }

    fn term(&self, id: &str, shown: &str) -> Result<String, String> {
        let entry = self
            .glossary
            .get(id)
            .ok_or_else(|| format!("no term {id} in the glossary"))?;
        let (own, other) = if self.chinese { (0, 1) } else { (1, 0) };
        let shown = if shown.is_empty() {
            &entry.term[own]
        } else {
            shown
        };
        let tag = if self.chinese { "en" } else { "zh-CN" };
        let at = self.terms.len() + 1;
        let [name, translated, text] =
            [&entry.term[own], &entry.term[other], &entry.text[own]].map(|t| escaped(t));
        Ok(format!(
            r#"<span class="term"><button type="button" aria-describedby="term-{at}">{shown}</button><span class="meaning" role="tooltip" id="term-{at}"><b>{name}</b> <span lang="{tag}">{translated}</span><br>{text}</span></span>"#,
            shown = escaped(shown),
        ))
    }

    fn with_terms(&self, html: &str) -> String {
        self.replaced(html, |html| html.to_owned())
    }

    /// A text with its terms as they are shown, without their definitions.
    fn shown(&self, text: &str) -> String {
        let plain = |html: &str| {
            let after = html
                .split_once("\">")
                .and_then(|(_, t)| t.split_once("\">"));
            let shown = after.and_then(|(_, t)| t.split_once("</button>"));
            shown.map_or_else(String::new, |(t, _)| t.to_owned())
        };
        self.replaced(text, plain)
    }

    fn replaced(&self, text: &str, with: impl Fn(&str) -> String) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(OPEN) {
            out.push_str(before);
            let (number, after) = after.split_once(CLOSE).unwrap_or((after, ""));
            let html = number.parse().ok().and_then(|k: usize| self.terms.get(k));
            out.push_str(&html.map_or_else(String::new, |h| with(h)));
            rest = after;
        }
        out.push_str(rest);
        out
    }

    /// The names of `{?name}` at the start of a text, if there are any, and what follows them.
    pub fn conditions<'t>(&self, text: &'t str) -> Result<(Option<String>, &'t str), String> {
        let (mut names, mut rest) = (Vec::new(), text);
        while let Some((name, after)) = rest.strip_prefix("{?").and_then(|t| t.split_once('}')) {
            self.known(name)?;
            names.push(name);
            rest = after;
        }
        let names = (!names.is_empty()).then(|| names.join(" "));
        let rest = if names.is_some() {
            rest.trim_start()
        } else {
            rest
        };
        Ok((names, rest))
    }

    /// A paragraph or an item of a list that begins with `{?name}` stands only while there is
    /// such a number.
    fn conditional<'t>(&self, text: &'t str, events: &mut Vec<Event>) -> Result<&'t str, String> {
        let (names, rest) = self.conditions(text)?;
        let Some(names) = names else {
            return Ok(rest);
        };
        let only = only_if(&names);
        let paragraph = matches!(events.last(), Some(Event::Start(Tag::Paragraph)));
        if paragraph {
            events.pop();
        }
        let item = matches!(events.last(), Some(Event::Start(Tag::Item)));
        if item {
            events.pop();
            events.push(raw(format!("\n<li{only}>")));
        }
        match (paragraph, item) {
            (true, true) => events.push(raw("<p>".to_owned())),
            (true, false) => events.push(raw(format!("<p{only}>"))),
            (false, true) => {}
            (false, false) => {
                return Err(format!("{{?…}} begins a paragraph or an item: {text}"));
            }
        }
        Ok(rest)
    }

    /// `{name}` as an element that the page fills.
    fn live<'e>(&self, text: &str, events: &mut Vec<Event<'e>>) -> Result<(), String> {
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, after) = after
                .split_once('}')
                .ok_or_else(|| format!("{{ without }}: {text}"))?;
            self.known(name)?;
            events.push(Event::Text(CowStr::from(before.to_owned())));
            events.push(raw(format!(
                r#"<span class="live" data-live="{name}">…</span>"#
            )));
            rest = after;
        }
        events.push(Event::Text(CowStr::from(rest.to_owned())));
        Ok(())
    }
}

/// Attributes of what is hidden until there is a number of each name.
pub fn only_if(names: &str) -> String {
    format!(r#" data-if="{names}" hidden"#)
}

fn raw(html: String) -> Event<'static> {
    Event::InlineHtml(html.into())
}

/// Text as HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
