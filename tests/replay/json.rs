//! Reading the files. Every value is *taken*, so that what nobody took can be found.

use posenc_lab::core::Matrix;
use serde_json::{Map, Value};

/// The fields of one JSON object that have not been taken yet.
#[derive(Debug, Clone)]
pub struct Fields {
    what: String,
    left: Map<String, Value>,
}

impl Fields {
    /// `what` names the object in messages.
    pub fn new(what: &str, value: &Value) -> Result<Self, String> {
        let left = value
            .as_object()
            .ok_or_else(|| format!("{what} is no object"))?;
        Ok(Self {
            what: what.to_owned(),
            left: left.clone(),
        })
    }

    /// Takes a field that need not be there; null counts as absent.
    pub fn optional(&mut self, key: &str) -> Option<Value> {
        self.left.shift_remove(key).filter(|v| !v.is_null())
    }

    /// Takes a field that must be there.
    pub fn take(&mut self, key: &str) -> Result<Value, String> {
        self.optional(key)
            .ok_or_else(|| format!("{} has no {key:?}", self.what))
    }

    /// Takes an object.
    pub fn object(&mut self, key: &str) -> Result<Fields, String> {
        Fields::new(key, &self.take(key)?)
    }

    /// Takes a number.
    pub fn number(&mut self, key: &str) -> Result<f64, String> {
        self.take(key)?
            .as_f64()
            .ok_or_else(|| self.not(key, "a number"))
    }

    /// Takes a number if it is there.
    pub fn optional_number(&mut self, key: &str) -> Result<Option<f64>, String> {
        self.optional(key)
            .map(|v| v.as_f64().ok_or_else(|| self.not(key, "a number")))
            .transpose()
    }

    /// Takes a size.
    pub fn size(&mut self, key: &str) -> Result<usize, String> {
        self.optional_size(key)?
            .ok_or_else(|| format!("{} has no {key:?}", self.what))
    }

    /// Takes a size if it is there.
    pub fn optional_size(&mut self, key: &str) -> Result<Option<usize>, String> {
        self.optional(key)
            .map(|v| {
                v.as_u64()
                    .map(|n| n as usize)
                    .ok_or_else(|| self.not(key, "a size"))
            })
            .transpose()
    }

    /// Takes true or false.
    pub fn flag(&mut self, key: &str) -> Result<bool, String> {
        self.take(key)?
            .as_bool()
            .ok_or_else(|| self.not(key, "true or false"))
    }

    /// Takes a text.
    pub fn text(&mut self, key: &str) -> Result<String, String> {
        let value = self.take(key)?;
        value
            .as_str()
            .map(str::to_owned)
            .ok_or_else(|| self.not(key, "a text"))
    }

    /// Takes a tensor, a list or a number.
    pub fn tensor(&mut self, key: &str) -> Result<Tensor, String> {
        Tensor::read(key, &self.take(key)?)
    }

    /// Takes a list of lists of integers, or of one list.
    pub fn rows_of_integers(&mut self, key: &str) -> Result<Vec<Vec<i64>>, String> {
        let t = self.tensor(key)?;
        let width = t.shape.last().copied().unwrap_or(1).max(1);
        Ok(t.integers().chunks(width).map(<[i64]>::to_vec).collect())
    }

    /// Takes prose, which is for readers: notes and the fields named.
    pub fn skip_prose(&mut self, names: &[&str]) {
        self.left.retain(|key, value| {
            !(value.is_string() && (key.ends_with("note") || names.contains(&key.as_str())))
                && !(value.is_null() && key.ends_with("note"))
        });
    }

    /// What is left, null aside.
    pub fn leftover(&self) -> Vec<&str> {
        let given = self.left.iter().filter(|(_, v)| !v.is_null());
        given.map(|(key, _)| key.as_str()).collect()
    }

    /// Fails if something is left.
    pub fn all_taken(&self) -> Result<(), String> {
        let left = self.leftover();
        if left.is_empty() {
            return Ok(());
        }
        Err(format!(
            "{}: nobody looked at {}",
            self.what,
            left.join(", ")
        ))
    }

    fn not(&self, key: &str, expected: &str) -> String {
        format!("{}: {key:?} is not {expected}", self.what)
    }
}

/// What numbers of a tensor are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dtype {
    Float64,
    Float32,
    /// Integers and booleans.
    Whole,
}

/// Numbers with a shape, in row-major order.
#[derive(Debug, Clone, PartialEq)]
pub struct Tensor {
    pub shape: Vec<usize>,
    pub dtype: Dtype,
    pub data: Vec<f64>,
}

impl Tensor {
    /// A tensor of `f64`.
    pub fn new(shape: Vec<usize>, data: Vec<f64>) -> Self {
        let dtype = Dtype::Float64;
        Self { shape, dtype, data }
    }

    /// A list of numbers.
    pub fn list(data: Vec<f64>) -> Self {
        Self::new(vec![data.len()], data)
    }

    /// Matrices of one size, one after another under the leading `shape`.
    pub fn stack(mut shape: Vec<usize>, matrices: &[Matrix]) -> Self {
        if let Some(first) = matrices.first() {
            shape.extend([first.nrows(), first.ncols()]);
        }
        let data = matrices
            .iter()
            .flat_map(|m| m.transpose().as_slice().to_vec());
        Self::new(shape, data.collect())
    }

    /// One matrix.
    pub fn matrix(m: &Matrix) -> Self {
        Self::stack(Vec::new(), std::slice::from_ref(m))
    }

    /// Reads `{shape, dtype, data}`, a list (of lists) of numbers, or one number.
    pub fn read(what: &str, value: &Value) -> Result<Self, String> {
        if !value.is_object() {
            let mut t = Self::new(Vec::new(), Vec::new());
            t.read_nested(what, value, 0)?;
            if t.shape.iter().product::<usize>() != t.data.len() {
                return Err(format!("{what} is ragged"));
            }
            return Ok(t);
        }
        let mut fields = Fields::new(what, value)?;
        let shape = fields.take("shape")?;
        let shape: Option<Vec<usize>> = shape
            .as_array()
            .and_then(|s| s.iter().map(|n| n.as_u64().map(|n| n as usize)).collect());
        let shape = shape.ok_or_else(|| fields.not("shape", "a list of sizes"))?;
        let dtype = match fields.text("dtype")?.as_str() {
            "float64" => Dtype::Float64,
            "float32" => Dtype::Float32,
            "int64" | "int32" | "bool" => Dtype::Whole,
            other => return Err(format!("{what} has the unknown dtype {other:?}")),
        };
        let data = Self::read(what, &fields.take("data")?)?.data;
        fields.all_taken()?;
        if shape.iter().product::<usize>() != data.len() {
            return Err(format!(
                "{what} has {} numbers for shape {shape:?}",
                data.len()
            ));
        }
        Ok(Self { shape, dtype, data })
    }

    fn read_nested(&mut self, what: &str, value: &Value, depth: usize) -> Result<(), String> {
        if let Some(list) = value.as_array() {
            if self.shape.len() == depth {
                self.shape.push(list.len());
            }
            return list
                .iter()
                .try_for_each(|v| self.read_nested(what, v, depth + 1));
        }
        let number = value.as_f64().or(value.as_bool().map(f64::from));
        self.data
            .push(number.ok_or_else(|| format!("{what} holds {value}, no number"))?);
        Ok(())
    }

    /// The leading dimensions, and the matrices of the last two.
    pub fn matrices(&self) -> Result<(Vec<usize>, Vec<Matrix>), String> {
        let [lead @ .., rows, columns] = self.shape.as_slice() else {
            return Err(format!("shape {:?} is no stack of matrices", self.shape));
        };
        let size = (rows * columns).max(1);
        let read = |part: &[f64]| Matrix::from_row_slice(*rows, *columns, part);
        Ok((lead.to_vec(), self.data.chunks(size).map(read).collect()))
    }

    /// The numbers as integers.
    pub fn integers(&self) -> Vec<i64> {
        self.data.iter().map(|x| *x as i64).collect()
    }
}
