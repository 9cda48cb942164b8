//! The tables of both READMEs: what the program knows, with the words of `docs/tables.yml`.

use std::fs;

use posenc_lab::core::encoding::{SCHEMES, Scheme};
use posenc_lab::figure::{FIGURES, Figure, page_of};
use posenc_lab::say;
use posenc_lab::state::{Key, Kind, Lang, Page, SPECS, Spec, Start, decode, number, resolve};
use serde_json::Value as Json;

/// Both READMEs.
pub const READMES: [(&str, Lang); 2] = [("README.md", Lang::En), ("README.zh.md", Lang::Zh)];

/// A README with its tables filled: what stands between `<!-- table:NAME -->` and `<!-- end -->`.
///
/// # Errors
/// In words, if a mark or a word is missing.
pub fn filled(readme: &str, lang: Lang) -> Result<String, String> {
    let yaml =
        fs::read_to_string("docs/tables.yml").map_err(|e| format!("docs/tables.yml: {e}"))?;
    let words: Json = serde_saphyr::from_str(&yaml).map_err(|e| format!("docs/tables.yml: {e}"))?;
    let words = Words { words, lang };
    let mut out = readme.to_owned();
    for (name, table) in [
        ("figures", words.figures()?),
        ("parameters", words.parameters()?),
        ("notices", words.notices()?),
        ("arrays", words.arrays()?),
    ] {
        let mark = format!("<!-- table:{name} -->\n");
        let missing = || format!("no {} … <!-- end -->", mark.trim());
        let (before, rest) = out.split_once(&mark).ok_or_else(missing)?;
        let (_, after) = rest.split_once("<!-- end -->").ok_or_else(missing)?;
        out = format!("{before}{mark}\n{table}\n<!-- end -->{after}");
    }
    Ok(out)
}

fn row(cells: &[String]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

fn table(
    heads: &[&str],
    rows: impl Iterator<Item = Result<Vec<String>, String>>,
) -> Result<String, String> {
    let heads: Vec<String> = heads.iter().map(|h| (*h).to_owned()).collect();
    let mut out = row(&heads);
    out.push_str(&format!("{}|\n", "|---".repeat(heads.len())));
    for cells in rows {
        out.push_str(&row(&cells?));
    }
    Ok(out)
}

fn code(word: impl std::fmt::Display) -> String {
    format!("`{word}`")
}

fn codes<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(code).collect::<Vec<_>>().join(" ")
}

/// A limit, short and with a true minus sign: 1e9, not 1000000000.
fn limit(x: f64) -> String {
    let power = x.log10();
    let text = if x >= 1e6 && power.fract() == 0.0 {
        format!("1e{power}")
    } else {
        number(x)
    };
    text.replace('-', "−")
}

struct Words {
    words: Json,
    lang: Lang,
}

impl Words {
    /// The text at a path, in the language of the README; nothing if there is none.
    fn at(&self, path: &[&str]) -> Option<String> {
        let found = path.iter().try_fold(&self.words, |w, part| w.get(*part))?;
        Some(found.get(self.lang.id())?.as_str()?.to_owned())
    }

    fn needed(&self, path: &[&str]) -> Result<String, String> {
        let missing = || {
            format!(
                "docs/tables.yml: no {} ({})",
                path.join("."),
                self.lang.id()
            )
        };
        self.at(path).ok_or_else(missing)
    }

    fn heads<'a>(&self, en: &'a [&'a str], zh: &'a [&'a str]) -> &'a [&'a str] {
        match self.lang {
            Lang::En => en,
            Lang::Zh => zh,
        }
    }

    fn by<'a>(&self, en: &'a str, zh: &'a str) -> &'a str {
        match self.lang {
            Lang::En => en,
            Lang::Zh => zh,
        }
    }

    fn figures(&self) -> Result<String, String> {
        let heads = self.heads(
            &["figure", "page", "title", "numbers"],
            &["图", "页面", "标题", "数"],
        );
        let row = |f: &Figure| {
            let (p, _) = resolve(&decode(&format!("embed={}", f.id)).0, page_of);
            let picture = f.compute(&p).map_err(|e| format!("{}: {e}", f.id))?;
            let names: Vec<String> = picture
                .readouts(&p, self.lang)
                .iter()
                .map(|r| code(&r.name))
                .collect();
            let title = say!(self.lang, format!("figure.{}.title", f.id));
            Ok(vec![code(f.id), code(f.page.id()), title, names.join(", ")])
        };
        table(heads, FIGURES.iter().map(row))
    }

    fn parameters(&self) -> Result<String, String> {
        let heads = self.heads(
            &["parameter", "values", "default", "what it is"],
            &["参数", "取值", "默认", "含义"],
        );
        let row = |spec: &Spec| {
            let values = self.values(spec)?;
            Ok(vec![
                code(spec.name),
                values,
                self.default(spec)?,
                self.what(spec)?,
            ])
        };
        table(heads, SPECS.iter().map(row))
    }

    fn values(&self, spec: &Spec) -> Result<String, String> {
        let path = ["parameters", spec.name, "values"];
        let known = match spec.kind {
            Kind::Int { min, max, .. } => format!("{}–{}", limit(min as f64), limit(max as f64)),
            Kind::Real { min, max } => format!("{}–{}", limit(min), limit(max)),
            Kind::Flag => self.by("0, 1", "0、1").to_owned(),
            Kind::Words(_) if spec.key == Key::Page => codes(Page::LIVE.iter().map(|p| p.id())),
            Kind::Words(words) => codes(words.iter().copied()),
            _ => return self.needed(&path),
        };
        let more = self.at(&["parameters", spec.name, "more"]);
        // Words are set off more than limits are.
        let comma = match spec.kind {
            Kind::Words(_) => self.by("; ", "；"),
            _ => self.by(", ", "，"),
        };
        Ok(more.map_or(known.clone(), |more| format!("{known}{comma}{more}")))
    }

    fn default(&self, spec: &Spec) -> Result<String, String> {
        if spec.key == Key::Scheme {
            let of = |p: &Page| {
                let first = p.schemes().next()?;
                Some(match self.lang {
                    Lang::En => format!("{} on {}", code(first.id()), code(p.id())),
                    Lang::Zh => format!("{} 上是 {}", code(p.id()), code(first.id())),
                })
            };
            let all: Vec<String> = taught().iter().filter_map(of).collect();
            return Ok(all.join(self.by(", ", "，")));
        }
        let path = ["parameters", spec.name, "default"];
        Ok(match (self.at(&path), spec.default) {
            (Some(said), _) => said,
            (None, Start::Number(x)) => code(number(x)),
            (None, Start::Word(w)) => code(w),
            (None, Start::Depends) => self.needed(&path)?,
        })
    }

    fn what(&self, spec: &Spec) -> Result<String, String> {
        let what = self.needed(&["parameters", spec.name, "what"])?;
        if spec.key != Key::Scheme {
            return Ok(what);
        }
        let of = |p: &Page| {
            let ids: Vec<&str> = p.schemes().map(|s| s.id()).collect();
            let all = ids.len() == SCHEMES.len();
            let list = if all {
                self.by("all", "全部").to_owned()
            } else {
                codes(ids)
            };
            match self.lang {
                Lang::En => format!("{} has {list}", code(p.id())),
                Lang::Zh => format!("{} 有{}{list}", code(p.id()), if all { "" } else { " " }),
            }
        };
        let pages: Vec<String> = taught().iter().map(of).collect();
        Ok(format!(
            "{what}{}{}",
            self.by("; ", "；"),
            pages.join(self.by("; ", "；"))
        ))
    }

    fn notices(&self) -> Result<String, String> {
        let heads = self.heads(&["code", "meaning"], &["代码", "意思"]);
        let all = self.words["notices"].as_object();
        let codes = all.into_iter().flatten().map(|(name, _)| name.as_str());
        let row = |name: &str| Ok(vec![code(name), self.needed(&["notices", name])?]);
        table(heads, codes.map(row))
    }

    fn arrays(&self) -> Result<String, String> {
        let heads = self.heads(
            &["arrays of", "names and shapes"],
            &["谁的数组", "名字和形状"],
        );
        let schemes = SCHEMES
            .iter()
            .map(|s| self.scheme_arrays(*s))
            .filter(|row| {
                // Without a position there are no arrays.
                row.as_ref().map_or(true, |cells| !cells[1].is_empty())
            });
        let others = self.words["other_arrays"].as_array();
        let cell = |of: &Json, part: &str| {
            let text = of[part][self.lang.id()].as_str();
            text.map(str::to_owned)
                .ok_or(format!("docs/tables.yml: other_arrays: no {part}"))
        };
        let others = others.into_iter().flatten();
        let others = others.map(|of| Ok(vec![cell(of, "of")?, cell(of, "are")?]));
        table(heads, schemes.chain(others))
    }

    /// The arrays of a scheme, their sizes as the letters that the README explains. They are found at
    /// a setting where no two of them are the same number.
    fn scheme_arrays(&self, scheme: Scheme) -> Result<Vec<String>, String> {
        let query = "d_model=48&heads=3&max_rel_dist=5";
        let setting = resolve(&decode(query).0, page_of).0.setting;
        let arrays = scheme.arrays(&setting, 7, 0..7);
        let arrays = arrays.map_err(|e| format!("{scheme:?}: {e}"))?;
        let cells = arrays.into_iter().map(|array| {
            let sizes = array.shape.iter().map(|size| match size {
                7 => "n".to_owned(),
                48 => "d".to_owned(),
                24 => "d/2".to_owned(),
                16 => "h".to_owned(),
                8 => "h/2".to_owned(),
                3 => "heads".to_owned(),
                11 => "2R + 1".to_owned(),
                other => other.to_string(),
            });
            let name = array.name;
            let sizes: Vec<String> = sizes.collect();
            let note = self.at(&["array_notes", name]);
            let note = note.map(|n| format!("{}{n}{}", self.by(" (", "（"), self.by(")", "）")));
            format!(
                "{} [{}]{}",
                code(name),
                sizes.join(", "),
                note.unwrap_or_default()
            )
        });
        let cells: Vec<String> = cells.collect();
        let name = say!(self.lang, format!("word.scheme.{}", scheme.id()));
        Ok(vec![name, cells.join(self.by(", ", "、"))])
    }
}

/// The pages on which `scheme` chooses.
fn taught() -> Vec<Page> {
    let pages = Page::LIVE.iter().copied();
    pages
        .filter(|p| ![Page::Context, Page::Multimodal, Page::Compare].contains(p))
        .collect()
}
