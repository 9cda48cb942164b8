//! Colours, the same meaning everywhere: signed values on one diverging map with zero in its
//! middle, weights from 0 to 1 on one sequential map, one hue each for queries and keys, one for
//! the traced cell. Light and dark are designed apart.

use std::sync::OnceLock;

use colorgrad::{BlendMode, Gradient, GradientBuilder, LinearGradient};

/// A colour with its opacity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Colour {
    /// Red, green, blue.
    pub rgb: [u8; 3],
    /// Opacity, 0..=1.
    pub alpha: f64,
}

impl Colour {
    /// An opaque colour from 0xRRGGBB.
    const fn hex(rgb: u32) -> Self {
        Self {
            rgb: [(rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8],
            alpha: 1.0,
        }
    }

    /// The same colour with another opacity.
    pub const fn fade(self, alpha: f64) -> Self {
        Self { alpha, ..self }
    }

    /// As CSS writes it.
    pub fn css(self) -> String {
        let [r, g, b] = self.rgb;
        format!("rgba({r},{g},{b},{})", self.alpha)
    }
}

/// The colours of a figure.
#[derive(Debug, PartialEq)]
pub struct Colours {
    /// Whether they are the dark ones.
    pub dark: bool,
    /// Behind everything.
    pub surface: Colour,
    /// Text and outlines.
    pub ink: Colour,
    /// Axes and less important text.
    pub muted: Colour,
    /// Grid lines.
    pub grid: Colour,
    /// What is to be looked at.
    pub accent: Colour,
    /// Queries.
    pub query: Colour,
    /// Keys.
    pub key: Colour,
    /// The traced cell.
    pub traced: Colour,
    /// For things to be told apart: tokens, pairs.
    pub series: [Colour; 8],
}

static LIGHT: Colours = Colours {
    dark: false,
    surface: Colour::hex(0xffffff),
    ink: Colour::hex(0x1f2430),
    muted: Colour::hex(0x5a6272),
    grid: Colour::hex(0xe2e5ea),
    accent: Colour::hex(0x3653c9),
    query: Colour::hex(0xb8480f),
    key: Colour::hex(0x0b7a75),
    traced: Colour::hex(0xb5179e),
    series: [
        Colour::hex(0x2f6fb3),
        Colour::hex(0xc2570c),
        Colour::hex(0x2e7d4f),
        Colour::hex(0x8a4fb8),
        Colour::hex(0xa8324a),
        Colour::hex(0x8a6a00),
        Colour::hex(0x0e7c86),
        Colour::hex(0x6b5b4e),
    ],
};

static DARK: Colours = Colours {
    dark: true,
    surface: Colour::hex(0x181b22),
    ink: Colour::hex(0xe7eaf0),
    muted: Colour::hex(0xa3abba),
    grid: Colour::hex(0x323845),
    accent: Colour::hex(0x8fa8ff),
    query: Colour::hex(0xff9f5a),
    key: Colour::hex(0x4fd1c5),
    traced: Colour::hex(0xff7be5),
    series: [
        Colour::hex(0x7db8f5),
        Colour::hex(0xffa763),
        Colour::hex(0x7fd39a),
        Colour::hex(0xcda2f2),
        Colour::hex(0xff8fa3),
        Colour::hex(0xe3c04d),
        Colour::hex(0x5fd0d8),
        Colour::hex(0xc9b8a8),
    ],
};

impl Colours {
    /// The light or the dark ones.
    pub fn of(dark: bool) -> &'static Self {
        if dark { &DARK } else { &LIGHT }
    }

    /// The colour of the k-th thing to be told apart.
    pub fn series(&self, k: usize) -> Colour {
        self.series[k % self.series.len()]
    }
}

/// A colour map.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Palette {
    /// Signed values; zero in the middle.
    Diverging,
    /// Weights from 0 to 1.
    Sequential,
    /// Indices: neighbours are told apart by lightness.
    Index,
}

impl Palette {
    /// The 256 colours of the map.
    pub fn table(self, dark: bool) -> &'static [[u8; 3]; 256] {
        static TABLES: OnceLock<[[[[u8; 3]; 256]; 2]; 3]> = OnceLock::new();
        let all = TABLES.get_or_init(|| {
            [
                [
                    table([0x2458a6, 0x8fb5e0, 0xf6f6f4, 0xeda184, 0xa62b1f]),
                    table([0x7cc0ff, 0x3b6ea3, 0x22252d, 0xa8552f, 0xffb27a]),
                ],
                [
                    table([0xf7f8fb, 0xb9c6ea, 0x6d83d0, 0x2f3f9e, 0x161c55]),
                    table([0x1e222b, 0x2f3f7a, 0x5368c4, 0x96a8f5, 0xeef1ff]),
                ],
                [
                    table([0xe8e4d8, 0x9fc4b0, 0x4f98a1, 0x35628f, 0x2b2f63]),
                    table([0x2a2c46, 0x35628f, 0x4f98a1, 0x9fc4b0, 0xf0ecdf]),
                ],
            ]
        });
        &all[self as usize][usize::from(dark)]
    }

    /// The same colours as a canvas keeps them: red, green, blue and full opacity in one word each.
    pub fn words(self, dark: bool) -> &'static [u32; 256] {
        static WORDS: OnceLock<[[[u32; 256]; 2]; 3]> = OnceLock::new();
        let all = WORDS.get_or_init(|| {
            [Self::Diverging, Self::Sequential, Self::Index]
                .map(|palette| [false, true].map(|dark| palette.table(dark).map(word)))
        });
        &all[self as usize][usize::from(dark)]
    }
}

/// Red, green, blue and full opacity, in this order in memory.
pub fn word([r, g, b]: [u8; 3]) -> u32 {
    u32::from_ne_bytes([r, g, b, 255])
}

/// 256 colours through evenly spaced stops, blended in Oklab so that steps look even.
fn table(stops: [u32; 5]) -> [[u8; 3]; 256] {
    let colours = stops.map(|rgb| {
        let [r, g, b] = Colour::hex(rgb).rgb;
        colorgrad::Color::from_rgba8(r, g, b, 255)
    });
    let gradient = GradientBuilder::new()
        .colors(&colours)
        .mode(BlendMode::Oklab)
        .build::<LinearGradient>();
    let mut out = [[0; 3]; 256];
    // The stops are constants, and a test builds every table.
    if let Ok(g) = gradient {
        for (i, c) in out.iter_mut().enumerate() {
            let [r, g, b, _] = g.at(i as f32 / 255.0).to_rgba8();
            *c = [r, g, b];
        }
    }
    out
}

/// How values become shades.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Scale {
    /// −limit..=limit on the diverging map; beyond it the end colours.
    Signed {
        /// The value of the end colours.
        limit: f64,
    },
    /// 0..=1 on the sequential map.
    Unit,
    /// 0..=top on the sequential map, for weights that are mostly small; above it the last colour.
    Weight {
        /// The weight of the darkest colour, a round number.
        top: f64,
    },
    /// first..=last on the index map.
    Span {
        /// The smallest index.
        first: f64,
        /// The largest index.
        last: f64,
    },
    /// 0..=last on the index map.
    Index {
        /// The largest index.
        last: f64,
    },
}

impl Scale {
    /// The colour map.
    pub fn palette(self) -> Palette {
        match self {
            Self::Signed { .. } => Palette::Diverging,
            Self::Unit | Self::Weight { .. } => Palette::Sequential,
            Self::Index { .. } | Self::Span { .. } => Palette::Index,
        }
    }

    /// Smallest and largest value of the legend.
    pub fn ends(self) -> (f64, f64) {
        match self {
            Self::Signed { limit } => (-limit, limit),
            Self::Unit => (0.0, 1.0),
            Self::Weight { top } => (0.0, top),
            Self::Span { first, last } => (first, last),
            Self::Index { last } => (0.0, last),
        }
    }

    /// Shade of a value, 0..=255.
    pub fn shade(self, value: f64) -> u8 {
        self.shades()(value)
    }

    /// Shades of many values.
    pub fn shades(self) -> impl Fn(f64) -> u8 {
        let (low, high) = self.ends();
        let (steps, first) = if high > low {
            (255.0 / (high - low), 0.5)
        } else {
            (0.0, 128.0)
        };
        // Rounded by the half in `first`; what lies beyond the ends becomes the ends.
        move |value| ((value - low) * steps + first) as u8
    }

    /// Colour of a value.
    pub fn colour(self, value: f64, dark: bool) -> Colour {
        Colour {
            rgb: self.palette().table(dark)[usize::from(self.shade(value))],
            alpha: 1.0,
        }
    }
}

/// Black or white, whichever is read better on this colour.
pub fn ink_on(background: Colour) -> Colour {
    let [r, g, b] = background.rgb.map(f64::from);
    if 0.299 * r + 0.587 * g + 0.114 * b > 140.0 {
        Colour::hex(0x14171f)
    } else {
        Colour::hex(0xffffff)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_is_the_middle_and_the_ends_are_the_ends() {
        let s = Scale::Signed { limit: 2.0 };
        assert_eq!((s.shade(-2.0), s.shade(2.0), s.shade(9.0)), (0, 255, 255));
        assert!((127..=128).contains(&s.shade(0.0)));
        for palette in [Palette::Diverging, Palette::Sequential, Palette::Index] {
            for dark in [false, true] {
                assert_ne!(palette.table(dark)[0], palette.table(dark)[255]);
            }
        }
    }

    #[test]
    fn a_shade_is_the_nearest_and_words_are_the_table() {
        for scale in [
            Scale::Signed { limit: 3.0 },
            Scale::Unit,
            Scale::Index { last: 6.0 },
        ] {
            let (low, high) = scale.ends();
            for k in -100..=1100 {
                let value = low + (high - low) * f64::from(k) / 1000.0;
                let wanted = (255.0 * (f64::from(k) / 1000.0).clamp(0.0, 1.0) - 1e-9).round();
                let shade = f64::from(scale.shade(value));
                assert!(
                    shade == wanted || shade == wanted + 1.0 && k % 50 == 0,
                    "{value}"
                );
            }
        }
        assert_eq!(Scale::Index { last: 0.0 }.shade(0.0), 128);
        let (table, words) = (Palette::Index.table(true), Palette::Index.words(true));
        for (colour, word) in table.iter().zip(words) {
            assert_eq!(word.to_ne_bytes(), [colour[0], colour[1], colour[2], 255]);
        }
    }

    #[test]
    fn the_middle_of_the_diverging_map_is_near_the_surface() {
        for dark in [false, true] {
            let surface = Colours::of(dark).surface.rgb;
            let middle = Palette::Diverging.table(dark)[127];
            for (a, b) in surface.iter().zip(middle) {
                assert!(a.abs_diff(b) < 16, "{surface:?} {middle:?}");
            }
        }
    }
}
