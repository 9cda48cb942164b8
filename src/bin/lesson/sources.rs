//! `src/lesson/sources.yml`: titles of what the lesson names; and the sources of claims.

use std::collections::BTreeMap;

use posenc_lab::figure::page_of;
use posenc_lab::lesson::piece::Mark;
use posenc_lab::lesson::source::Source;

/// Titles by `arXiv:…` or by address.
#[derive(Default)]
pub struct Titles(BTreeMap<String, String>);

impl Titles {
    /// Reads the file.
    pub fn parse(yaml: &str) -> Result<Self, String> {
        let all: BTreeMap<String, String> =
            serde_saphyr::from_str(yaml).map_err(|e| format!("sources.yml: {e}"))?;
        for (id, title) in &all {
            if address(id).is_none() {
                return Err(format!("sources.yml: neither arXiv:… nor https://…: {id}"));
            }
            if title.trim() != title || title.is_empty() {
                return Err(format!("sources.yml: {id} has no title"));
            }
        }
        Ok(Self(all))
    }

    /// The first that none of the texts names.
    pub fn unused(&self, texts: &[String]) -> Option<&str> {
        let named = |id: &&str| texts.iter().any(|text| text.contains(*id));
        self.0.keys().map(String::as_str).find(|id| !named(id))
    }

    /// Title and address of `arXiv:1706.03762` or of a known address.
    pub fn work(&self, id: &str) -> Result<(String, String), String> {
        let title = self.0.get(id);
        match (title, address(id)) {
            (Some(title), Some(href)) => Ok((title.clone(), href)),
            _ => Err(format!("sources.yml has no title for {id}")),
        }
    }

    /// Sources of a claim, parted by semicolons, and whether its mark may rest on them.
    pub fn of_claim(&self, mark: Mark, text: &str) -> Result<Vec<Source>, String> {
        let all = text.split(';').map(|s| self.source(s.trim()));
        let all = all.collect::<Result<Vec<Source>, String>>()?;
        let letter = mark.letter();
        let itself = all.contains(&Source::Identity);
        let figure = all.iter().any(|s| matches!(s, Source::Figure(_)));
        let work = all.iter().any(|s| matches!(s, Source::Work { .. }));
        match mark {
            Mark::Empirical | Mark::Stated | Mark::Contested if itself => Err(format!(
                "identity shows what is exact or false, not a claim marked {letter}"
            )),
            Mark::Empirical | Mark::Stated if !work => {
                Err(format!("a claim marked {letter} needs a paper or a file"))
            }
            Mark::False if !figure => {
                Err("a claim marked F needs the figure that refutes it: figure: ID".to_owned())
            }
            _ => Ok(all),
        }
    }

    fn source(&self, text: &str) -> Result<Source, String> {
        if text == "identity" {
            return Ok(Source::Identity);
        }
        if let Some(id) = text.strip_prefix("figure:").map(str::trim) {
            let known = page_of(id).is_some();
            let figure = known.then(|| Source::Figure(id.to_owned()));
            return figure.ok_or_else(|| format!("no figure {id}"));
        }
        if let Some(file) = text.strip_prefix("file:").map(str::trim) {
            let (title, href) = file_of(file)?;
            let part = String::new();
            return Ok(Source::Work { title, part, href });
        }
        let (id, part) = text.split_once(' ').unwrap_or((text, ""));
        if address(id).is_none() {
            return Err(format!("not a source: “{text}”"));
        }
        let (title, href) = self.work(id)?;
        let part = part.trim().to_owned();
        Ok(Source::Work { title, part, href })
    }
}

/// Where a work is; `None` if it is neither `arXiv:…` nor an address.
fn address(id: &str) -> Option<String> {
    match id.strip_prefix("arXiv:") {
        Some(number) => {
            let (year, rest) = number.split_once('.')?;
            let digits = |s: &str| s.chars().all(|c| c.is_ascii_digit());
            let whole = year.len() == 4 && (4..=5).contains(&rest.len());
            (whole && digits(year) && digits(rest))
                .then(|| format!("https://arxiv.org/abs/{number}"))
        }
        None => id.starts_with("https://").then(|| id.to_owned()),
    }
}

/// Title and address of `owner/repo path`, a file or `issues/78`.
fn file_of(text: &str) -> Result<(String, String), String> {
    let parts = text.split_once(' ').filter(|(repo, path)| {
        repo.split('/').count() == 2 && !path.is_empty() && !path.contains(' ')
    });
    let (repo, path) = parts.ok_or_else(|| format!("not owner/repo path: {text}"))?;
    let talk = ["issues/", "pull/", "discussions/"];
    let place = if talk.iter().any(|t| path.starts_with(t)) {
        path.to_owned()
    } else {
        format!("blob/HEAD/{path}")
    };
    let href = format!("https://github.com/{repo}/{place}");
    Ok((format!("{repo}: {path}"), href))
}
