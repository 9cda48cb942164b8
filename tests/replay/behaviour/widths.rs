//! Widths and parameters that have no encoding, and what is said then.

use crate::replay::case::Case;
use posenc_lab::core::Matrix;
use posenc_lab::core::encoding::Setting;
use posenc_lab::core::encoding::rope::{Pairing, Rope};
use posenc_lab::core::encoding::rope_scaling::{RopeScaling, Yarn};
use posenc_lab::core::encoding::sinusoidal::{Layout, OddRule, Sinusoidal, positions};
use posenc_lab::core::encoding::t5::T5Buckets;
use posenc_lab::core::grid::Grid;
use posenc_lab::core::grid::sincos::{
    Blocks, Sincos2d, interleaved_pairs, interleaved_pairs_of_any_width,
};

use super::{open, prepare, setting};

/// An odd width is an error that says so, unless a rule for it is named.
pub(super) fn odd_width(case: &mut Case) -> Result<(), String> {
    let [d] = open(case)?;
    let plain = Sinusoidal::new(d, 10000.0, Layout::Interleaved);
    if d % 2 == 1 {
        let said = plain.err().map(|e| e.to_string()).unwrap_or_default();
        case.must(
            said == format!("d_model must be even, got {d}"),
            format!("it says {said:?}"),
        );
    } else {
        case.must(plain.is_ok(), "an even width is refused");
    }
    for rule in [OddRule::DivisorD, OddRule::DivisorDPlusOne] {
        let pe = Sinusoidal::with_odd_rule(d, 10000.0, rule).map_err(|e| e.to_string())?;
        let m = pe.matrix(&positions(0..50));
        case.must(
            m.shape() == (50, d) && m[(1, 0)] == 1f64.sin(),
            "a named rule fails",
        );
    }
    Ok(())
}

/// An odd head is refused before anything is rotated; an even one keeps its width, 2 included.
pub(super) fn rope_width(case: &mut Case) -> Result<(), String> {
    let [d] = open(case)?;
    for pairing in [Pairing::Half, Pairing::Interleaved] {
        let rope = Rope::new(d, 10000.0, pairing);
        if d % 2 == 1 {
            let said = rope.err().map(|e| e.to_string()).unwrap_or_default();
            case.must(
                said == format!("head_dim must be even, got {d}"),
                format!("it says {said:?}"),
            );
        } else {
            let rotated = rope.and_then(|r| r.apply(&Matrix::zeros(3, d), &positions(0..3)));
            case.must(
                rotated.is_ok_and(|m| m.shape() == (3, d)),
                "an even head fails",
            );
        }
    }
    Ok(())
}

/// An odd number of rotated dimensions is refused, not rounded.
pub(super) fn partial_rope_width(case: &mut Case) -> Result<(), String> {
    let [rotary_dim, head_dim] = open(case)?;
    let rope = Rope::partial(head_dim, rotary_dim, 10000.0, Pairing::Half);
    case.must(
        rope.is_ok() == (rotary_dim % 2 == 0),
        "odd is refused and even is not",
    );
    Ok(())
}

/// NTK-aware scaling needs more than two dimensions, at any length; plain RoPE does not.
pub(super) fn ntk_width(case: &mut Case) -> Result<(), String> {
    let [d] = open(case)?;
    let fine = d > 2 && d % 2 == 0;
    let (factor, orig_len) = (2.0, 16);
    for scaling in [
        RopeScaling::Dynamic { factor, orig_len },
        RopeScaling::Ntk { factor },
    ] {
        for seq_len in [None, Some(8), Some(64)] {
            let at = scaling.at(d, 10000.0, seq_len);
            case.must(at.is_ok() == fine, format!("{scaling:?} at {seq_len:?}"));
        }
    }
    let plain = RopeScaling::None.at(d, 10000.0, None);
    case.must(plain.is_ok() == (d >= 2 && d % 2 == 0), "plain RoPE");
    Ok(())
}

/// YaRN needs a base above 1, and says so.
pub(super) fn yarn_base(case: &mut Case) -> Result<(), String> {
    let [base] = open(case)?;
    let scaling = RopeScaling::Yarn(Yarn::new(4.0, 2048));
    let at = scaling.at(64, base as f64, None);
    case.must(
        at.is_ok() == (base > 1),
        "base 1 is refused, others are not",
    );
    if let Err(e) = at {
        case.must(
            e.to_string().contains("base must be"),
            format!("it says {e}"),
        );
    }
    Ok(())
}

/// The upper bound of llama3 must not lie below the lower one; equal bounds make a step, as in transformers.
pub(super) fn llama3_bounds(case: &mut Case) -> Result<(), String> {
    open::<0>(case)?;
    for (low, high, fine) in [(1.0, 4.0, true), (2.0, 2.0, true), (4.0, 1.0, false)] {
        let scaling = RopeScaling::Llama3 {
            factor: 8.0,
            low_freq_factor: low,
            high_freq_factor: high,
            orig_len: 8192,
        };
        let at = scaling.at(64, 500000.0, None);
        case.must(at.is_ok() == fine, format!("{low} and {high}"));
    }
    Ok(())
}

/// Whisper's spacing needs an even width of at least 4.
pub(super) fn t2t_width(case: &mut Case) -> Result<(), String> {
    let [d] = open(case)?;
    let pe = Sinusoidal::new(d, 10000.0, Layout::T2t);
    case.must(
        pe.is_ok() == (d >= 4 && d % 2 == 0),
        "wrong widths are refused",
    );
    Ok(())
}

/// fairseq's spacing needs a width of at least 4; odd ones get a column of zeros.
pub(super) fn t2t_width_odd_allowed(case: &mut Case) -> Result<(), String> {
    let [d] = open(case)?;
    let pe = Sinusoidal::t2t_of_any_width(d, 10000.0);
    case.must(pe.is_ok() == (d >= 4), "wrong widths are refused");
    let finite = |pe: Sinusoidal| pe.matrix(&positions(0..4)).iter().all(|x| x.is_finite());
    case.must(pe.map_or(true, finite), "a value is not finite");
    Ok(())
}

/// At least two buckets a side.
pub(super) fn too_few_buckets(case: &mut Case) -> Result<(), String> {
    let [n] = open(case)?;
    case.must(T5Buckets::new(n, 128, false).is_ok() == (n >= 2), "causal");
    case.must(
        T5Buckets::new(n, 128, true).is_ok() == (n >= 4),
        "bidirectional",
    );
    Ok(())
}

/// `max_distance` reaches beyond the distances that have a bucket each.
pub(super) fn max_distance_too_small(case: &mut Case) -> Result<(), String> {
    open::<0>(case)?;
    for (max_distance, bidirectional, fine) in [
        (4, false, false),
        (5, false, true),
        (2, true, false),
        (3, true, true),
    ] {
        let buckets = T5Buckets::new(8, max_distance, bidirectional);
        case.must(
            buckets.is_ok() == fine,
            format!("{max_distance}, bidirectional {bidirectional}"),
        );
    }
    Ok(())
}

/// No heads is an error.
pub(super) fn alibi_heads(case: &mut Case) -> Result<(), String> {
    let [heads] = open(case)?;
    let bias = prepare("alibi", &Setting { heads, ..setting() }, 4);
    case.must(
        bias.is_ok() == (heads > 0),
        "no heads is refused, some are not",
    );
    Ok(())
}

/// Two axes share the width evenly, or it is an error that says so.
pub(super) fn grid_width(case: &mut Case) -> Result<(), String> {
    let [d] = open(case)?;
    let table = Sincos2d::new(d, 10000.0, Blocks::MAE);
    let pairs = interleaved_pairs(Grid::of(2, 2), d, 10000.0);
    let fine = d > 0 && d % 4 == 0;
    case.must(table.is_ok() == fine, "sine-cosine");
    case.must(pairs.is_ok() == fine, "interleaved pairs");
    let said = table.err().map(|e| e.to_string()).unwrap_or_default();
    case.must(
        fine || said == format!("d_model must be divisible by 4, got {d}"),
        format!("it says {said:?}"),
    );
    Ok(())
}

/// Any width only where that is asked for by name; then the column loses what is cut off.
pub(super) fn grid_width_cut(case: &mut Case) -> Result<(), String> {
    let [d] = open(case)?;
    let grid = Grid::of(2, 2);
    let strict = interleaved_pairs(grid, d, 10000.0);
    case.must(strict.is_ok() == (d > 0 && d % 4 == 0), "no error");
    let whole = interleaved_pairs(grid, d.next_multiple_of(4), 10000.0);
    let cut = interleaved_pairs_of_any_width(grid, d, 10000.0);
    let (whole, cut) = (
        whole.map_err(|e| e.to_string())?,
        cut.map_err(|e| e.to_string())?,
    );
    case.must(cut.shape() == (4, d), "the width is another");
    case.must(cut == whole.columns(0, d), "it is not the wider table, cut");
    Ok(())
}
