//! One case: what goes in, what must come out, and within which tolerance.

use super::json::{Dtype, Fields, Tensor};
use super::report::Check;
use serde_json::Value;

/// Which of a case's numbers are compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Against {
    Exact,
    Float64,
    Float32,
}

impl Against {
    /// Names of the limit in the tolerance, the best first. A number without a limit of its own
    /// is held to the one that comes next in strictness.
    fn limits(self) -> [&'static str; 3] {
        match self {
            Self::Exact => ["vs_exact", "vs_float64", "vs_float32"],
            Self::Float64 => ["vs_float64", "vs_exact", "vs_float32"],
            Self::Float32 => ["vs_float32", "vs_float64", "vs_exact"],
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Float64 => "float64",
            Self::Float32 => "float32",
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Limit {
    Exact,
    Absolute(f64),
    Relative(f64),
}

/// A case being replayed.
#[derive(Debug)]
pub struct Case {
    /// Its name in its file.
    pub id: String,
    /// What its file calls its layout; empty if it names none.
    pub layout: String,
    /// Fields of the case itself, such as `pairing`.
    pub fields: Fields,
    /// What goes in.
    pub inputs: Fields,
    /// What must come out.
    pub expected: Fields,
    /// Objects of `expected` that hold results of another precision under the same names.
    blocks: Vec<(Against, Fields)>,
    tolerance: Value,
    checks: Vec<Check>,
    failures: Vec<String>,
    compared: usize,
}

impl Case {
    /// Opens a case. Those of file 08 have neither inputs nor a tolerance.
    pub fn open(mut fields: Fields) -> Result<Self, String> {
        let id = fields.text("id")?;
        let layout = fields.optional("layout").unwrap_or_default();
        for known in ["kind", "rope_type", "source"] {
            fields.optional(known);
        }
        fields.skip_prose(&["what", "advice_for_core"]);
        let none = Value::Object(serde_json::Map::new());
        let inputs = fields.optional("inputs").unwrap_or_else(|| none.clone());
        let mut expected = match fields.optional("expected") {
            Some(expected) => Fields::new("expected", &expected)?,
            None => fields.object("observed")?,
        };
        expected.skip_prose(&[]);
        let mut blocks = Vec::new();
        for against in [Against::Exact, Against::Float64, Against::Float32] {
            if let Some(block) = expected.optional(against.name()) {
                let block = if is_tensor(&block) {
                    // The case has one result, which has no name.
                    serde_json::json!({ "": block })
                } else {
                    block
                };
                let mut block = Fields::new(against.name(), &block)?;
                block.skip_prose(&[]);
                blocks.push((against, block));
            }
        }
        Ok(Self {
            id,
            layout: layout.as_str().unwrap_or_default().to_owned(),
            inputs: Fields::new("inputs", &inputs)?,
            expected,
            blocks,
            tolerance: fields.optional("tolerance").unwrap_or(none),
            fields,
            checks: Vec::new(),
            failures: Vec::new(),
            compared: 0,
        })
    }

    /// Compares the only, unnamed result with each precision that the case gives.
    pub fn only_result(&mut self, got: &Tensor) -> Result<(), String> {
        self.result("", "", got)
    }

    /// Compares a named result with every version of it that the case gives: under its own name,
    /// with a suffix (`inv_freq_float32`) or within a block (`float32.cos`). `group` names the
    /// part of the tolerance that holds for it. A result that the case does not give is no fault.
    pub fn result(&mut self, name: &str, group: &str, got: &Tensor) -> Result<(), String> {
        let mut versions = Vec::new();
        if let Some(value) = self.expected.optional(name) {
            let wanted = Tensor::read(name, &value)?;
            let against = match wanted.dtype {
                Dtype::Float32 => Against::Float32,
                _ => Against::Float64,
            };
            versions.push((against, wanted));
        }
        for against in [Against::Exact, Against::Float64, Against::Float32] {
            let key = format!("{name}_{}", against.name());
            if let Some(value) = self.expected.optional(&key) {
                versions.push((against, Tensor::read(&key, &value)?));
            }
        }
        for (against, block) in &mut self.blocks {
            if let Some(value) = block.optional(name) {
                versions.push((*against, Tensor::read(name, &value)?));
            }
        }
        for (against, wanted) in versions {
            self.compare(name, group, against, &wanted, got)?;
        }
        Ok(())
    }

    /// Compares a value that the replay took from `expected` itself.
    pub fn value(&mut self, name: &str, wanted: &Tensor, got: &Tensor) -> Result<(), String> {
        let against = match wanted.dtype {
            Dtype::Float32 => Against::Float32,
            _ => Against::Float64,
        };
        self.compare(name, name, against, wanted, got)
    }

    /// As [`Self::value`], for numbers that the library wrote as `f32`.
    pub fn value_float32(
        &mut self,
        name: &str,
        wanted: &Tensor,
        got: &Tensor,
    ) -> Result<(), String> {
        self.compare(name, name, Against::Float32, wanted, got)
    }

    /// A statement that must hold.
    pub fn must(&mut self, holds: bool, what: impl Into<String>) {
        self.compared += 1;
        if !holds {
            self.failures.push(what.into());
        }
    }

    /// Takes the numbers of the `exact` block that have no name of their own.
    pub fn exact(&mut self) -> Result<Tensor, String> {
        let block = self
            .blocks
            .iter_mut()
            .find(|(against, _)| *against == Against::Exact);
        let value = block.and_then(|(_, block)| block.optional(""));
        Tensor::read("exact", &value.ok_or("the case has no exact numbers")?)
    }

    /// An error that the replay computed itself, and its limit.
    pub fn bounded(&mut self, name: &str, error: f64, limit: f64, numbers: usize) {
        // NaN must not slip through.
        let within = error <= limit;
        self.must(
            within,
            format!("{name}: error {error:.2e}, limit {limit:.0e}"),
        );
        self.checks.push(Check {
            name: name.to_owned(),
            error,
            limit,
            numbers,
        });
    }

    /// A number of the tolerance, by its name.
    pub fn number_in_tolerance(&self, name: &str) -> Result<f64, String> {
        let number = self.tolerance[name].as_f64();
        number.ok_or_else(|| format!("there is no tolerance {name:?}"))
    }

    /// The largest difference that `expected` in `group` may have.
    pub fn limit_of(&self, group: &str) -> Result<f64, String> {
        Ok(match self.limit(group, Against::Float64)? {
            Limit::Exact => 0.0,
            Limit::Absolute(limit) | Limit::Relative(limit) => limit,
        })
    }

    fn limit(&self, group: &str, against: Against) -> Result<Limit, String> {
        let own = self.tolerance.get(group).filter(|t| t.is_object());
        let tolerance = own.unwrap_or(&self.tolerance);
        let kind = tolerance["kind"].as_str().unwrap_or_default();
        if kind == "exact" {
            return Ok(Limit::Exact);
        }
        let limit = against
            .limits()
            .into_iter()
            .find_map(|key| tolerance[key].as_f64());
        match (kind, limit) {
            ("absolute", Some(limit)) => Ok(Limit::Absolute(limit)),
            ("relative", Some(limit)) => Ok(Limit::Relative(limit)),
            _ => Err(format!(
                "there is no tolerance for {group:?} against {}",
                against.name()
            )),
        }
    }

    fn compare(
        &mut self,
        name: &str,
        group: &str,
        against: Against,
        wanted: &Tensor,
        got: &Tensor,
    ) -> Result<(), String> {
        self.compared += 1;
        let what = if name.is_empty() {
            against.name()
        } else {
            name
        };
        if wanted.shape != got.shape {
            let (w, g) = (&wanted.shape, &got.shape);
            self.failures
                .push(format!("{what}: shape {g:?}, expected {w:?}"));
            return Ok(());
        }
        // Integers are exact, whatever holds for the other numbers of the case.
        let limit = match wanted.dtype {
            Dtype::Whole => Limit::Exact,
            _ => self.limit(group, against)?,
        };
        let (mut error, mut at) = (0.0, 0);
        for (i, (&w, &g)) in wanted.data.iter().zip(&got.data).enumerate() {
            let difference = match limit {
                _ if g == w => 0.0,
                Limit::Relative(_) => (g - w).abs() / w.abs(),
                _ => (g - w).abs(),
            };
            // NaN must not slip through.
            if difference > error || difference.is_nan() {
                (error, at) = (
                    if difference.is_nan() {
                        f64::INFINITY
                    } else {
                        difference
                    },
                    i,
                );
            }
        }
        let (limit, sort) = match limit {
            Limit::Exact => (0.0, "equal to"),
            Limit::Absolute(limit) => (limit, "vs"),
            Limit::Relative(limit) => (limit, "relative vs"),
        };
        if error > limit {
            let (w, g) = (wanted.data[at], got.data[at]);
            self.failures.push(format!(
                "{what} vs {}: number {at} is {g:?}, expected {w:?} (error {error:.2e}, limit {limit:.0e})",
                against.name()
            ));
        }
        let label = if name.is_empty() {
            String::new()
        } else {
            format!("{name} ")
        };
        self.checks.push(Check {
            name: format!("{label}{sort} {}", against.name()),
            error,
            limit,
            numbers: wanted.data.len(),
        });
        Ok(())
    }

    /// Fails if something differed or was not looked at.
    pub fn close(&self) -> Result<(), String> {
        let mut failures = self.failures.clone();
        failures.extend(self.fields.all_taken().err());
        failures.extend(self.inputs.all_taken().err());
        failures.extend(self.expected.all_taken().err());
        for (_, block) in &self.blocks {
            failures.extend(block.all_taken().err());
        }
        if self.compared == 0 {
            failures.push("nothing was compared".into());
        }
        if failures.is_empty() {
            Ok(())
        } else {
            Err(failures.join("\n"))
        }
    }

    /// What was compared.
    pub fn checks(&self) -> &[Check] {
        &self.checks
    }
}

fn is_tensor(value: &Value) -> bool {
    !value.is_object() || value.get("data").is_some()
}
