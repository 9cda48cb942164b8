//! What the replay prints: per file the cases and the errors nearest to their limits.

use std::collections::BTreeMap;
use std::fmt::Write;

/// One comparison of an array.
#[derive(Debug, Clone)]
pub struct Check {
    /// What was compared with what, such as `cos_sin, relative to exact`.
    pub name: String,
    /// Largest error over the array.
    pub error: f64,
    /// What it may be.
    pub limit: f64,
    /// How many numbers were compared.
    pub numbers: usize,
}

impl Check {
    /// Error as a part of its limit; an exact comparison has room for none.
    fn part(&self) -> f64 {
        if self.error == 0.0 {
            0.0
        } else {
            self.error / self.limit
        }
    }
}

#[derive(Debug, Default)]
struct Worst {
    numbers: usize,
    largest: f64,
    nearest: Option<(Check, String)>,
}

#[derive(Debug, Default)]
struct Kind {
    cases: usize,
    checks: BTreeMap<String, Worst>,
}

/// All comparisons of a run.
#[derive(Debug, Default)]
pub struct Report {
    files: BTreeMap<String, BTreeMap<String, Kind>>,
}

impl Report {
    /// Notes what a case compared.
    pub fn add(&mut self, file: &str, kind: &str, id: &str, checks: &[Check]) {
        let of_file = self.files.entry(file.to_owned()).or_default();
        let of_kind = of_file.entry(kind.to_owned()).or_default();
        of_kind.cases += 1;
        for check in checks {
            let worst = of_kind.checks.entry(check.name.clone()).or_default();
            worst.numbers += check.numbers;
            worst.largest = worst.largest.max(check.error);
            let part = worst.nearest.as_ref().map_or(-1.0, |(c, _)| c.part());
            if check.part() > part {
                worst.nearest = Some((check.clone(), id.to_owned()));
            }
        }
    }

    /// The report, with the kinds that are pending.
    pub fn text(&self, pending: &BTreeMap<String, BTreeMap<String, usize>>) -> String {
        let mut out = String::from("Reference files\n");
        let mut files: Vec<&String> = self.files.keys().chain(pending.keys()).collect();
        files.sort();
        files.dedup();
        for file in files {
            let kinds = self.files.get(file);
            let replayed: usize = kinds.iter().flat_map(|k| k.values()).map(|k| k.cases).sum();
            let waiting = pending.get(file);
            let left: usize = waiting.iter().flat_map(|w| w.values()).sum();
            let _ = writeln!(out, "\n{file}: {replayed} cases replayed, {left} pending");
            for (name, kind) in kinds.into_iter().flatten() {
                let _ = writeln!(out, "  {name}: {}", kind.cases);
                for (what, worst) in &kind.checks {
                    let _ = writeln!(out, "    {what}: {}", worst.line());
                }
            }
            for (name, cases) in waiting.into_iter().flatten() {
                let _ = writeln!(out, "  {name}: {cases} pending");
            }
        }
        out
    }
}

impl Worst {
    fn line(&self) -> String {
        let Some((check, id)) = &self.nearest else {
            return String::new();
        };
        if check.limit == 0.0 {
            return format!(
                "{} numbers, largest error {:.1e}, limit 0",
                self.numbers, self.largest
            );
        }
        format!(
            "{} numbers, largest error {:.1e}; nearest to its limit {:.1e} of {:.0e} ({id})",
            self.numbers, self.largest, check.error, check.limit
        )
    }
}
