//! What the properties are tried on: strategies, and a few shorthands.

use posenc_lab::core::Matrix;
use posenc_lab::core::encoding::relative::BiasStart;
use posenc_lab::core::encoding::rope::{Pairing, Rope};
use posenc_lab::core::encoding::rope_scaling::{Frequencies, LongContext, Remedy, RopeScaling};
use posenc_lab::core::encoding::sinusoidal::{Layout, Sinusoidal};
use posenc_lab::core::encoding::{SCHEMES, Scheme, Setting};
use posenc_lab::core::toy::{ToyModel, max_difference};
use proptest::prelude::*;

pub fn layout() -> impl Strategy<Value = Layout> {
    prop_oneof![
        Just(Layout::Interleaved),
        Just(Layout::Concatenated),
        Just(Layout::T2t)
    ]
}

pub fn pairing() -> impl Strategy<Value = Pairing> {
    prop_oneof![Just(Pairing::Interleaved), Just(Pairing::Half)]
}

pub fn base() -> impl Strategy<Value = f64> {
    prop_oneof![Just(10000.0), Just(1.0), 1.0..1e6]
}

pub fn sinusoidal() -> impl Strategy<Value = Sinusoidal> {
    let parts = (2usize..20, base(), layout());
    parts.prop_map(|(half, base, layout)| {
        Sinusoidal::new(2 * half, base, layout).expect("an even width of at least 4")
    })
}

/// A rotation of a head, or of a part of it, plain or under any remedy.
pub fn rope() -> impl Strategy<Value = Rope> {
    let plain = (1usize..10, 0usize..6, base(), pairing());
    let plain = plain.prop_map(|(pairs, more, base, pairing)| {
        Rope::partial(2 * pairs + more, 2 * pairs, base, pairing).expect("an even width")
    });
    let scaled = (2usize..10, 0usize..6, large_base(), pairing(), context());
    let scaled = scaled.prop_map(|(pairs, more, base, pairing, c)| {
        let dims = (2 * pairs + more, 2 * pairs);
        let now = Some(c.target_len);
        Rope::scaled_partial(dims, base, pairing, &c.scaling(pairs), now).expect("valid")
    });
    prop_oneof![plain, scaled]
}

pub fn position() -> impl Strategy<Value = f64> {
    prop_oneof![-500.0..500.0, (-500i32..500).prop_map(f64::from)]
}

pub fn setting() -> impl Strategy<Value = Setting> {
    let shape = (1usize..4, 1usize..3, 1usize..6);
    let bias = prop_oneof![
        Just(BiasStart::Random),
        Just(BiasStart::Decay),
        Just(BiasStart::Zero)
    ];
    let rest = (
        base(),
        layout(),
        pairing(),
        any::<bool>(),
        any::<u32>(),
        bias,
    );
    (shape, rest).prop_map(|((heads, quarter, max_rel_dist), rest)| {
        let (base, layout, pairing, causal, seed, bias) = rest;
        Setting {
            d_model: heads * quarter * 4,
            heads,
            base,
            max_rel_dist,
            layout,
            pairing,
            context: LongContext {
                remedy: [Remedy::None, Remedy::Linear, Remedy::LongRope][seed as usize % 3],
                orig_len: 16,
                ..LongContext::default()
            },
            causal,
            seed,
            bias,
            bias_edits: Vec::new(),
        }
    })
}

pub fn any_scheme() -> impl Strategy<Value = Scheme> {
    (0..SCHEMES.len()).prop_map(|i| SCHEMES[i])
}

/// A sentence of single letters, and a permutation of it.
pub fn shuffled() -> impl Strategy<Value = (Vec<String>, Vec<String>)> {
    let letters = proptest::collection::vec(0u8..6, 1..7);
    let sentence =
        letters.prop_map(|l| l.iter().map(|b| char::from(b'a' + b).to_string()).collect());
    sentence.prop_flat_map(|s: Vec<String>| (Just(s.clone()), Just(s).prop_shuffle()))
}

/// Different letters in order.
pub fn distinct(n: usize) -> Vec<String> {
    ('a'..='z').take(n).map(String::from).collect()
}

pub fn scheme(id: &str) -> Scheme {
    Scheme::by_id(id).expect("a scheme of the list")
}

/// Outputs of the toy model `[tokens, d_model]`.
pub fn run(tokens: &[String], scheme: Scheme, s: &Setting, layers: usize) -> Matrix {
    let model = ToyModel::new(s.seed, s.d_model, s.heads, layers);
    model
        .run(tokens, scheme, s)
        .expect("a valid setting")
        .output
}

pub fn difference(a: &[String], b: &[String], scheme: Scheme, s: &Setting, layers: usize) -> f64 {
    let (x, y) = (run(a, scheme, s, layers), run(b, scheme, s, layers));
    max_difference((a, &x), (b, &y)).expect("a permutation")
}

/// Without optimisation the toy model is slow, so fewer cases; PROPTEST_CASES overrides both.
pub fn cases() -> ProptestConfig {
    let mut config = ProptestConfig::default();
    if cfg!(debug_assertions) && std::env::var_os("PROPTEST_CASES").is_none() {
        config.cases = 48;
    }
    config
}

/// Any parameters, legal in combination for heads of at least 4 dimensions.
pub fn context() -> impl Strategy<Value = LongContext> {
    let turns = (0.01..100.0, 0.01..100.0);
    let lengths = (16usize..1 << 20, 16usize..1 << 24);
    (0usize..7, 1.0..128.0, lengths, turns).prop_map(|(remedy, factor, lengths, (a, b))| {
        let (few, many) = (f64::min(a, b), f64::max(a, b) + 0.001);
        LongContext {
            remedy: Remedy::ALL[remedy],
            factor,
            orig_len: lengths.0,
            target_len: lengths.1,
            beta_fast: many,
            beta_slow: few,
            low_freq_factor: few,
            high_freq_factor: many,
            truncate: lengths.0.is_multiple_of(2),
            attention_factor: (lengths.1 % 3 == 0).then_some(a),
        }
    })
}

pub fn scaled(scaling: &RopeScaling, d: usize, base: f64, seq_len: Option<usize>) -> Frequencies {
    scaling.at(d, base, seq_len).expect("valid parameters")
}

/// A base at which all remedies are defined.
pub fn large_base() -> impl Strategy<Value = f64> {
    prop_oneof![Just(10000.0), Just(500000.0), 1.001..1e9]
}
