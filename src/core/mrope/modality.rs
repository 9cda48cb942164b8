//! A number added to each score by the kinds of its query and key. An idea to explore: none of the
//! models above has it.

use crate::core::Matrix;

/// What a token is a piece of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Modality {
    /// Text.
    Text,
    /// An image.
    Image,
    /// A video.
    Video,
    /// Audio.
    Audio,
}

/// Every modality, in the order of rows and columns.
pub const MODALITIES: [Modality; 4] = [
    Modality::Text,
    Modality::Image,
    Modality::Video,
    Modality::Audio,
];

impl Modality {
    /// Its word in the address.
    pub fn id(self) -> &'static str {
        ["text", "image", "video", "audio"][self as usize]
    }

    /// The modality with this word.
    pub fn by_id(id: &str) -> Option<Self> {
        MODALITIES.into_iter().find(|m| m.id() == id)
    }
}

/// One number for each kind of query (row) and of key (column).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ModalityBias([[f64; 4]; 4]);

impl ModalityBias {
    /// What is added to the score of such a query and such a key.
    pub fn get(&self, query: Modality, key: Modality) -> f64 {
        self.0[query as usize][key as usize]
    }

    /// Changes one number.
    pub fn set(&mut self, query: Modality, key: Modality, value: f64) {
        self.0[query as usize][key as usize] = value;
    }

    /// `[n, n]`, to be added to the scores of tokens of these kinds.
    pub fn matrix(&self, tokens: &[Modality]) -> Matrix {
        let n = tokens.len();
        Matrix::from_fn(n, n, |i, j| self.get(tokens[i], tokens[j]))
    }
}
