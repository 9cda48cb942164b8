//! What the classes of models take where a config.json says nothing.
//!
//! `rope_classes.csv` is made by `tests/config/families.py` from the configuration classes of
//! transformers 5.24.0. `other_classes.csv` and `schemes.txt` are written by hand. Of the former, GPT-J,
//! CodeGen and RoFormer, whose base is in their code, were compared with the classes of the same version,
//! `hf_olmo` with ai2-olmo 0.6.0, `bailing_moe` with its authors' repository, and the others, whose code
//! stands beside their weights, with published copies of their configuration classes; `kimi_k2` is
//! DeepSeek-V3's class. The base of Baichuan, XVERSE, Aquila and Falcon stands in their modelling code.
//! `schemes.txt` was compared with the modelling code of transformers 5.24.0, which lacks `transfo-xl`,
//! `nezha` and `jais`.

/// Defaults of one class; what it leaves to the text is `None`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Class {
    /// `model_type`, as the table has it.
    pub name: &'static str,
    pub hidden: Option<f64>,
    pub heads: Option<f64>,
    /// `head_dim`, where it does not follow from the two.
    pub head_dim: Option<f64>,
    pub base: Option<f64>,
    /// Share of the head that rotates; above 1 the number of dimensions.
    pub share: Option<f64>,
    /// Base of the layers that see a window.
    pub local_base: Option<f64>,
    /// Whether it scales frequencies where the text does not say so.
    pub scales: bool,
}

const TABLES: [&str; 2] = [
    include_str!("rope_classes.csv"),
    include_str!("other_classes.csv"),
];
const SCHEMES: &str = include_str!("schemes.txt");

/// Classes whose scaling is for the layers that see everything alone (`rotary_embs` of Olmo3, and the local rotary
/// embedding of Gemma 3, which is always plain).
const SCALED_GLOBALLY: &[&str] = &["olmo3", "gemma3_text", "gemma3n_text"];

impl Class {
    /// The class of a `model_type`; that of a model of several modalities is its language model's.
    pub(super) fn of(model_type: &str) -> Option<Self> {
        let exact = |name: &str| rows().find(|c| c.name == name);
        exact(model_type).or_else(|| exact(&format!("{model_type}_text")))
    }

    /// Whether only the layers that see everything are scaled.
    pub(super) fn scales_globally(&self) -> bool {
        SCALED_GLOBALLY.contains(&self.name)
    }
}

fn rows() -> impl Iterator<Item = Class> {
    TABLES.iter().flat_map(|t| t.lines()).filter_map(|line| {
        let mut cells = line.split(',');
        let name = cells.next()?;
        let mut number = || crate::state::real(cells.next()?);
        Some(Class {
            name,
            hidden: number(),
            heads: number(),
            head_dim: number(),
            base: number(),
            share: number(),
            local_base: number(),
            scales: cells.next() == Some("scaled"),
        })
    })
}

/// What a `model_type` does, if it is known: `rope` or another scheme.
pub(super) fn scheme(model_type: &str) -> Option<&'static str> {
    let other = SCHEMES.lines().find_map(|line| {
        let (scheme, names) = line.split_once(": ")?;
        names.split(' ').any(|n| n == model_type).then_some(scheme)
    });
    other.or_else(|| Class::of(model_type).map(|_| "rope"))
}

/// The `model_type` that belongs to a name such as `LlamaForCausalLM`.
pub(super) fn of_architecture(name: &str) -> Option<&'static str> {
    let stem = name
        .split("For")
        .next()?
        .trim_end_matches("LMHeadModel")
        .trim_end_matches("Model");
    let flat = |s: &str| s.replace(['_', '-'], "").to_lowercase();
    let wanted = flat(stem);
    let known = SCHEMES
        .lines()
        .filter_map(|l| l.split_once(": "))
        .flat_map(|(_, n)| n.split(' '));
    let mut all = rows().map(|c| c.name).chain(known);
    all.find(|n| flat(n) == wanted || flat(n) == format!("{wanted}text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_base_and_every_name_stands_once() {
        let mut names: Vec<&str> = rows().map(|c| c.name).collect();
        assert!(rows().all(|c| c.base.is_some_and(|b| b > 1.0)));
        assert!(rows().all(|c| c.head_dim.is_some() || c.hidden.zip(c.heads).is_some()));
        for line in SCHEMES.lines() {
            names.extend(line.split_once(": ").expect("a scheme").1.split(' '));
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
