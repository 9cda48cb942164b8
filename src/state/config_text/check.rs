//! What a configuration lacks, and where it contradicts itself.

use super::Reader;
use crate::core::encoding::rope_scaling::RopeParameters;

impl Reader {
    /// What the kind needs, and what contradicts itself.
    pub(super) fn check(&mut self, kind: &str, p: &RopeParameters, rotary: Option<usize>) {
        let wrong = |r: &Self, name: &str| r.out.problems.iter().any(|q| q.name == name && q.fatal);
        let missing = |r: &mut Self, name: &str| {
            if !wrong(r, name) {
                r.problem(true, "missing", (name, kind, ""));
            }
        };
        let original = "original_max_position_embeddings";
        if ["linear", "ntk", "dynamic"].contains(&kind) && p.factor.is_none() {
            missing(self, "factor");
        }
        if kind == "dynamic" && p.max_len.is_none() {
            missing(self, "max_position_embeddings");
        }
        if ["yarn", "llama3", "longrope"].contains(&kind) {
            if p.orig_len.is_none() && !wrong(self, original) {
                self.problem(true, "missing-original", (original, kind, ""));
            }
            let derived = kind != "llama3" && p.max_len.is_some() && p.orig_len.is_some();
            if p.factor.is_none() && !derived {
                missing(self, "factor");
            }
        }
        if kind == "llama3" {
            for (name, x) in [
                ("low_freq_factor", p.low_freq_factor),
                ("high_freq_factor", p.high_freq_factor),
            ] {
                if x.is_none() {
                    missing(self, name);
                }
            }
        }
        if kind != "default"
            && let Some(f) = p.factor
            && f < 1.0
        {
            self.problem(true, "factor-below-one", ("factor", &f.to_string(), ""));
        }
        if let (Some(low), Some(high)) = (p.low_freq_factor, p.high_freq_factor)
            && low > high
        {
            let (a, b) = (low.to_string(), high.to_string());
            self.problem(true, "low-above-high", ("low_freq_factor", &a, &b));
        }
        let (fast, slow) = (p.beta_fast.unwrap_or(32.0), p.beta_slow.unwrap_or(1.0));
        if kind == "yarn" && slow > fast {
            let (a, b) = (slow.to_string(), fast.to_string());
            self.problem(true, "slow-above-fast", ("beta_slow", &a, &b));
        }
        // Llama 3.1 itself has factor 8 with a sixteenfold length: there it is no contradiction.
        if ["yarn", "longrope"].contains(&kind)
            && let (Some(f), Some(max), Some(orig)) = (p.factor, p.max_len, p.orig_len)
        {
            let ratio = max as f64 / orig as f64;
            if (ratio - f).abs() > 1e-6 * f {
                let lengths = format!("{max} ÷ {orig} = {}", crate::words::short(ratio));
                self.problem(
                    false,
                    "factor-disagrees",
                    ("factor", &f.to_string(), &lengths),
                );
            }
        }
        if kind == "longrope" {
            let lists = [
                ("short_factor", &p.short_factor),
                ("long_factor", &p.long_factor),
            ];
            for (name, list) in lists {
                match list {
                    None => missing(self, name),
                    Some(all) => {
                        if let Some(width) = rotary
                            && all.len() != width / 2
                        {
                            let (n, want) = (all.len().to_string(), (width / 2).to_string());
                            self.problem(true, "list-length", (name, &n, &want));
                        }
                    }
                }
            }
            if rotary.is_none()
                && let (Some(a), Some(b)) = (&p.short_factor, &p.long_factor)
                && a.len() != b.len()
            {
                let (a, b) = (a.len().to_string(), b.len().to_string());
                self.problem(true, "lists-differ", ("short_factor", &a, &b));
            }
        }
    }
}
