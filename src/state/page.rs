//! The pages of the lesson. Their ids are public.

use crate::core::encoding::{Parameter, SCHEMES, Scheme, Topic};

/// A page of the lesson.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub enum Page {
    /// Why position is needed.
    #[default]
    Order,
    /// Sinusoidal absolute encoding.
    Absolute,
    /// Relative position bias.
    Relative,
    /// Rotary position embedding.
    Rope,
    /// Long context.
    Context,
    /// Images, audio and mixed sequences.
    Multimodal,
    /// Training a small Transformer.
    Train,
    /// Checking one's own implementation.
    Check,
    /// All schemes side by side.
    Compare,
}

impl Page {
    /// Every page id, in the lesson's order.
    pub const IDS: &'static [&'static str] = &[
        "order",
        "absolute",
        "relative",
        "rope",
        "context",
        "multimodal",
        "train",
        "check",
        "compare",
    ];

    /// The pages that are built, in the lesson's order. Only these have tabs.
    pub const LIVE: &'static [Page] = &[
        Self::Order,
        Self::Absolute,
        Self::Relative,
        Self::Rope,
        Self::Context,
        Self::Multimodal,
        Self::Compare,
    ];

    const ALL: [Page; 9] = [
        Self::Order,
        Self::Absolute,
        Self::Relative,
        Self::Rope,
        Self::Context,
        Self::Multimodal,
        Self::Train,
        Self::Check,
        Self::Compare,
    ];

    /// The public id.
    pub fn id(self) -> &'static str {
        Self::IDS[self as usize]
    }

    /// The page with this id.
    pub fn by_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.id() == id)
    }

    /// Whether the page is built.
    pub fn is_live(self) -> bool {
        Self::LIVE.contains(&self)
    }

    /// The kind of encoding that the page teaches, if it teaches one.
    fn teaches(self) -> Option<Topic> {
        match self {
            Self::Absolute => Some(Topic::Absolute),
            Self::Relative => Some(Topic::Relative),
            Self::Rope => Some(Topic::Rotary),
            _ => None,
        }
    }

    /// The schemes that the page shows; the first is its default.
    pub fn schemes(self) -> impl Iterator<Item = Scheme> + Clone {
        let shows = move |s: &Scheme| match (self, self.teaches()) {
            (_, Some(topic)) => s.topic() == topic,
            (Self::Context, None) => s.parameters().contains(&Parameter::Scaling),
            _ => true,
        };
        SCHEMES.iter().copied().filter(shows)
    }

    /// The page on which a scheme is taught.
    pub fn of_scheme(scheme: &str) -> Self {
        let topic = Scheme::by_id(scheme).map(|s| s.topic());
        let mut teaching = Self::ALL.into_iter().filter(|p| p.teaches().is_some());
        teaching.find(|p| p.teaches() == topic).unwrap_or_default()
    }

    /// Width of the model where none is given.
    pub fn default_d_model(self) -> u64 {
        if self == Self::Multimodal { 512 } else { 64 }
    }

    /// Largest width that the page computes.
    pub fn max_d_model(self) -> u64 {
        if self == Self::Order { 512 } else { 4096 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_pages_agree() {
        for id in Page::IDS {
            assert_eq!(Page::by_id(id).map(Page::id), Some(*id));
        }
        assert_eq!(Page::by_id("nope"), None);
    }
}
