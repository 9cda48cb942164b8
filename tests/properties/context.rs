//! Beyond the training length: the remedies.

use posenc_lab::core::encoding::rope::{Pairing, Rope};
use posenc_lab::core::encoding::rope_scaling::{
    LongContext, LongRope, Remedy, RopeCache, RopeParameters, RopeScaling, Yarn, YarnAttention,
    YarnRamp, dynamic_factor, ntk_base, plain_frequencies, toy_long_factor,
};
use proptest::prelude::*;

use crate::draw::{base, context, large_base, scaled};

/// The attention factor that is given, under a remedy that takes one.
fn given_attention(c: &LongContext) -> Option<f64> {
    let takes_one = [Remedy::Yarn, Remedy::LongRope].contains(&c.remedy);
    c.attention_factor.filter(|_| takes_one)
}

proptest! {
    /// Each remedy divides a frequency by something from 1 to its factor (dynamic: to its present
    /// factor), keeps the order of the pairs, and the rotation takes all of it over.
    #[test]
    fn remedies_stay_between_none_and_linear(c in context(), pairs in 2usize..80, base in large_base()) {
        let d = 2 * pairs;
        let scaling = c.scaling(pairs);
        let now = Some(c.target_len);
        let f = scaled(&scaling, d, base, now);
        let most = match c.remedy {
            Remedy::Dynamic => dynamic_factor(c.factor, c.orig_len, now),
            _ => c.factor,
        };
        for r in &f.ratios {
            prop_assert!(*r <= 1.0 + 1e-15 && *r >= (1.0 - 1e-12) / most, "{r} {most}");
        }
        let plain = plain_frequencies(d, base);
        for ((w, p), r) in f.inv_freq.iter().zip(&plain).zip(&f.ratios) {
            prop_assert!((w - p * r).abs() <= 1e-15 * p && *w > 0.0);
        }
        match given_attention(&c) {
            Some(given) => prop_assert_eq!(f.attention_factor, given),
            None => prop_assert!(f.attention_factor >= 1.0),
        }
        prop_assert_eq!(c.attention(), f.attention_factor);
        let rope = Rope::scaled(d, base, Pairing::Half, &scaling, now).expect("valid");
        prop_assert_eq!(rope.inv_freq(), &f.inv_freq[..]);
        // Once: cos² + sin² is the factor squared, and so is a score's.
        let (cos, sin) = rope.cos_sin(&[3.0]);
        let square = f.attention_factor.powi(2);
        for (c, s) in cos.iter().zip(sin.iter()) {
            prop_assert!((c * c + s * s - square).abs() < 1e-12 * square.max(1.0));
        }
        let profile = scaling.profile(d, base, now, c.orig_len).expect("valid");
        for (p, w) in profile.iter().zip(&plain) {
            prop_assert!((p.rotations - c.orig_len as f64 * w / std::f64::consts::TAU).abs() <= 1e-9 * p.rotations);
            prop_assert!((p.wavelength * p.scaled - std::f64::consts::TAU).abs() < 1e-12);
            prop_assert!(p.ratio * p.plain == p.scaled);
        }
    }

    #[test]
    fn ntk_keeps_the_first_pair_and_divides_the_last_by_s(s in 1.0..128.0, pairs in 2usize..200, base in base()) {
        let d = 2 * pairs;
        let f = scaled(&RopeScaling::Ntk { factor: s }, d, base, None);
        prop_assert_eq!(f.ratios[0], 1.0);
        prop_assert_eq!(f.ratios[pairs - 1], 1.0 / s);
        let larger = plain_frequencies(d, ntk_base(d, base, s).expect("valid"));
        for (i, (w, by_base)) in f.inv_freq.iter().zip(&larger).enumerate() {
            let ratio = s.powf(-2.0 * i as f64 / (d as f64 - 2.0));
            prop_assert!((f.ratios[i] - ratio).abs() <= 1e-13 * ratio);
            prop_assert!((w - by_base).abs() <= 1e-12 * w, "pair {}: {} {}", i, w, by_base);
        }
    }

    #[test]
    fn linear_divides_every_pair_by_s(s in 1.0..128.0, pairs in 1usize..80, base in base()) {
        let f = scaled(&RopeScaling::Linear { factor: s }, 2 * pairs, base, None);
        prop_assert!(f.ratios.iter().all(|r| *r == 1.0 / s));
    }

    /// A factor of 1 changes nothing, whatever the remedy.
    #[test]
    fn a_factor_of_1_is_no_scaling(c in context(), pairs in 2usize..40, base in large_base()) {
        let c = LongContext { factor: 1.0, ..c };
        if c.remedy != Remedy::Dynamic {
            let f = scaled(&c.scaling(pairs), 2 * pairs, base, Some(c.target_len));
            prop_assert_eq!(f.ratios, vec![1.0; pairs]);
            prop_assert_eq!(f.attention_factor, given_attention(&c).unwrap_or(1.0));
        }
    }

    #[test]
    fn dynamic_is_none_up_to_the_original_length(
        factor in 1.0..128.0, orig_len in 1usize..1 << 20, less in 0usize..1 << 20,
        pairs in 2usize..40, base in base(),
    ) {
        let dynamic = RopeScaling::Dynamic { factor, orig_len };
        let d = 2 * pairs;
        let none = scaled(&RopeScaling::None, d, base, None);
        for len in [None, Some(orig_len), Some(orig_len.saturating_sub(less))] {
            prop_assert_eq!(&scaled(&dynamic, d, base, len), &none);
        }
        let longer = scaled(&dynamic, d, base, Some(orig_len + 1 + less));
        prop_assert!(longer.ratios[pairs - 1] < 1.0);
        let s = factor * (orig_len + 1 + less) as f64 / orig_len as f64 - (factor - 1.0);
        prop_assert!((longer.ratios[pairs - 1] * s - 1.0).abs() < 1e-9);
    }

    /// The cache holds what some length gives, and after a call beyond the original length what
    /// the longest call since the last reset gives.
    #[test]
    fn the_cache_holds_the_longest_call_since_it_was_reset(
        lengths in proptest::collection::vec(1usize..40, 1..12),
    ) {
        let scaling = RopeScaling::Dynamic { factor: 2.0, orig_len: 16 };
        let mut cache = RopeCache::new(8, 100.0, Pairing::Half, scaling.clone()).expect("valid");
        let mut longest = 16;
        for len in lengths {
            longest = if len < 16 { 16 } else { longest.max(len) };
            let wanted = scaled(&scaling, 8, 100.0, Some(longest)).inv_freq;
            prop_assert_eq!(cache.forward(len).expect("valid").inv_freq(), &wanted[..]);
        }
    }

    /// Nothing panics, and what is given is finite.
    #[test]
    fn scaling_of_anything_is_numbers_or_an_error(
        x in proptest::collection::vec(prop_oneof![
            Just(f64::NAN), Just(f64::INFINITY), Just(0.0), Just(-1.0), Just(1.0), Just(1e308),
            Just(5e-324), 0.5..200.0,
        ], 8),
        n in proptest::collection::vec(prop_oneof![Just(0usize), Just(1), Just(2), 0usize..100, Just(usize::MAX)], 2),
        d in 0usize..12, kind in 0usize..4,
    ) {
        let attention = [
            YarnAttention::Default,
            YarnAttention::Explicit(x[4]),
            YarnAttention::Mscale { mscale: x[4], mscale_all_dim: x[5] },
            YarnAttention::Default,
        ][kind];
        let ramp = [YarnRamp::Index { truncate: true }, YarnRamp::Index { truncate: false }, YarnRamp::Rotations][kind % 3];
        let (factor, orig_len) = (x[0], n[0]);
        for scaling in [
            RopeScaling::None,
            RopeScaling::Linear { factor },
            RopeScaling::Ntk { factor },
            RopeScaling::Dynamic { factor, orig_len },
            RopeScaling::Yarn(Yarn { factor, orig_len, beta_fast: x[2], beta_slow: x[3], ramp, attention }),
            RopeScaling::Llama3 { factor, low_freq_factor: x[2], high_freq_factor: x[3], orig_len },
            RopeScaling::LongRope(LongRope {
                short_factor: vec![x[2]; d / 2],
                long_factor: vec![x[3]; 3],
                factor,
                orig_len,
                attention_factor: Some(x[4]).filter(|_| kind > 1),
            }),
            RopeScaling::Proportional { part: x[6], factor },
        ] {
            for seq_len in [None, Some(n[1])] {
                if let Ok(f) = scaling.at(d, x[1], seq_len) {
                    prop_assert!(f.attention_factor.is_finite() && f.attention_factor > 0.0);
                    prop_assert_eq!(f.inv_freq.len(), d / 2);
                    prop_assert!(f.inv_freq.iter().all(|w| w.is_finite() && *w >= 0.0));
                }
                let _ = scaling.ramp(d, x[1]);
            }
        }
    }
}

/// Both ramps of YaRN at the lesson's example, d = 128, L = 4096, s = 16: pair 38 is divided by
/// 2.85 over pair indices and by 8.67 over turns.
#[test]
fn the_two_ramps_of_yarn_differ() {
    let divided = |ramp| {
        let yarn = Yarn {
            ramp,
            ..Yarn::new(16.0, 4096)
        };
        1.0 / scaled(&RopeScaling::Yarn(yarn), 128, 10000.0, None).ratios[38]
    };
    let index = divided(YarnRamp::Index { truncate: true });
    let turns = divided(YarnRamp::Rotations);
    assert!((index - 2.85).abs() < 0.005, "{index}");
    assert!((turns - 8.67).abs() < 0.005, "{turns}");
    let ramp = RopeScaling::Yarn(Yarn::new(16.0, 4096)).ramp(128, 10000.0);
    let ramp = ramp.expect("valid").expect("yarn has a ramp");
    assert_eq!((ramp.low, ramp.high), (20.0, 46.0));
    assert_eq!((ramp.interpolated[20], ramp.interpolated[46]), (0.0, 1.0));
}

/// The bounds of YaRN's ramp are kept within 0 and rotary_dim − 1, twice as far as there are pairs:
/// `find_correction_range` of transformers. Where the upper one lies beyond the last pair, no pair
/// is divided by the whole factor.
#[test]
fn the_bounds_of_yarn_may_lie_beyond_the_last_pair() {
    let of = |beta_fast, beta_slow| {
        let yarn = Yarn {
            beta_fast,
            beta_slow,
            ..Yarn::new(4.0, 1 << 20)
        };
        let ramp = RopeScaling::Yarn(yarn).ramp(8, 10000.0);
        let ramp = ramp.expect("valid").expect("yarn has a ramp");
        ((ramp.low, ramp.high), ramp.interpolated)
    };
    // 8 ln(2²⁰/(2π·turns)) / (2 ln 10000): 5.22 at one turn, 1.22 at 10⁴, 7.22 at 0.01.
    assert_eq!(of(1e4, 1.0), ((1.0, 6.0), vec![0.0, 0.0, 0.2, 0.4]));
    assert_eq!(
        of(1e4, 0.01),
        ((1.0, 7.0), vec![0.0, 0.0, 1.0 / 6.0, 2.0 / 6.0])
    );
    // −0.78 at 10⁶ turns: kept at 0.
    assert_eq!(of(1e6, 1e4), ((0.0, 2.0), vec![0.0, 0.5, 1.0, 1.0]));
}

/// Each wrong parameter is refused in words that name it.
#[test]
fn wrong_scaling_parameters_are_named() {
    let yarn = Yarn::new(4.0, 2048);
    let llama3 = |low, high| RopeScaling::Llama3 {
        factor: 8.0,
        low_freq_factor: low,
        high_freq_factor: high,
        orig_len: 8192,
    };
    let long = LongRope {
        short_factor: vec![1.0; 4],
        long_factor: vec![1.0; 4],
        factor: 4.0,
        orig_len: 16,
        attention_factor: None,
    };
    let cases = [
        (
            RopeScaling::Linear { factor: 0.0 },
            "factor must be finite and at least 1, got 0",
        ),
        (
            RopeScaling::Linear { factor: 0.5 },
            "factor must be finite and at least 1, got 0.5",
        ),
        (
            RopeScaling::Ntk { factor: f64::NAN },
            "factor must be finite and at least 1, got NaN",
        ),
        (
            RopeScaling::Dynamic {
                factor: 2.0,
                orig_len: 0,
            },
            "orig_len must be finite and at least 1, got 0",
        ),
        (
            RopeScaling::Yarn(Yarn {
                beta_fast: 1.0,
                beta_slow: 32.0,
                ..yarn
            }),
            "beta_slow = 32 must not exceed beta_fast = 1",
        ),
        (
            RopeScaling::Yarn(Yarn {
                beta_fast: 1.0,
                beta_slow: 1.0,
                ramp: YarnRamp::Rotations,
                ..yarn
            }),
            "beta_slow = 1 must be below beta_fast = 1",
        ),
        (
            RopeScaling::Yarn(Yarn {
                attention: YarnAttention::Explicit(0.0),
                ..yarn
            }),
            "attention_factor must be finite and above 0, got 0",
        ),
        (
            llama3(4.0, 1.0),
            "low_freq_factor = 4 must not exceed high_freq_factor = 1",
        ),
        (
            llama3(0.0, 1.0),
            "low_freq_factor must be finite and above 0, got 0",
        ),
        (
            RopeScaling::LongRope(LongRope {
                short_factor: vec![1.0; 3],
                ..long.clone()
            }),
            "short_factor has size 3, expected 4",
        ),
        (
            RopeScaling::LongRope(LongRope {
                long_factor: vec![1.0, 0.0, 1.0, 1.0],
                ..long.clone()
            }),
            "long_factor must be finite and above 0, got 0",
        ),
        (
            RopeScaling::LongRope(LongRope {
                orig_len: 1,
                ..long
            }),
            "orig_len must be finite and at least 2, got 1",
        ),
    ];
    for (scaling, said) in cases {
        let error = scaling.at(8, 10000.0, Some(32)).expect_err(said);
        assert_eq!(error.to_string(), said);
    }
    let ntk = RopeScaling::Ntk { factor: 1.0 }.at(2, 10000.0, None);
    let said = "rotary_dim must be more than 2 for NTK-aware scaling, got 2";
    assert_eq!(ntk.expect_err(said).to_string(), said);

    let of = |rope_type: &str| RopeParameters {
        rope_type: Some(rope_type.to_owned()),
        factor: Some(4.0),
        ..RopeParameters::default()
    };
    let missing = |rope_type, said: &str| {
        let error = of(rope_type).scaling().expect_err(said);
        assert_eq!(error.to_string(), said);
    };
    missing("yarn", "yarn needs original_max_position_embeddings");
    missing("llama3", "llama3 needs low_freq_factor");
    missing("dynamic", "dynamic needs max_position_embeddings");
    missing("longrope", "longrope needs short_factor");
    missing("su", "unknown rope_type \"su\"");
    let no_factor = RopeParameters {
        factor: None,
        ..of("linear")
    };
    let said = no_factor.scaling().expect_err("no factor").to_string();
    assert_eq!(said, "linear needs factor");
    // Without a factor yarn stretches to the maximum; 0 as a β or an mscale is absent.
    let by_length = RopeParameters {
        factor: None,
        orig_len: Some(2048),
        max_len: Some(16384),
        beta_fast: Some(0.0),
        mscale: Some(0.0),
        mscale_all_dim: Some(1.0),
        ..of("yarn")
    };
    assert_eq!(
        by_length.scaling(),
        Ok(RopeScaling::Yarn(Yarn::new(8.0, 2048)))
    );
}

#[test]
fn the_toy_list_is_smooth_from_1_to_the_factor() {
    let list = toy_long_factor(32, 8.0);
    assert_eq!((list[0], list[31]), (1.0, 8.0));
    assert!(list.windows(2).all(|w| w[0] < w[1]));
    assert_eq!(
        (toy_long_factor(0, 8.0), toy_long_factor(1, 8.0)),
        (vec![], vec![8.0])
    );
}
