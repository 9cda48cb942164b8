//! Laws that hold for every scheme of the list.

use posenc_lab::core::encoding::relative::{BiasEdit, BiasStart};
use posenc_lab::core::encoding::rope::Pairing;
use posenc_lab::core::encoding::rope_scaling::Remedy;
use posenc_lab::core::encoding::sinusoidal::Layout;
use posenc_lab::core::encoding::{
    Beyond, Effect, Entry, Parameter, Prepared, SCHEMES, Scheme, Setting, Unit,
};
use posenc_lab::core::toy::random_vectors;

mod setting;

fn setting() -> Setting {
    Setting {
        d_model: 24,
        heads: 3,
        max_rel_dist: 4,
        ..setting::setting()
    }
}

/// Settings that differ in whatever the laws here depend on.
fn settings() -> Vec<Setting> {
    let mut all = Vec::new();
    for (d_model, heads) in [(24, 3), (8, 1), (20, 5), (8, 4)] {
        for (max_rel_dist, causal, seed) in [(1, false, 1), (4, true, 7), (40, false, 19)] {
            all.push(Setting {
                d_model,
                heads,
                max_rel_dist,
                causal,
                seed,
                ..setting()
            });
        }
    }
    all
}

/// What is prepared, in a form that can be compared.
fn told(scheme: Scheme, s: &Setting, n: usize) -> String {
    format!("{:?}", scheme.prepare(s, n))
}

#[test]
fn what_depends_on_the_offset_is_what_is_added_to_scores() {
    let mut seen = 0;
    for s in settings() {
        let (n, head_dim) = (13, s.head_dim());
        let queries = random_vectors(3, "queries", n, head_dim);
        let scale = 1.0 / (head_dim as f64).sqrt();
        for scheme in SCHEMES {
            let by_offset = scheme.by_offset(&s).expect("a legal setting");
            let prepared = scheme.prepare(&s, n).expect("a legal setting");
            for head in 0..s.heads {
                let added = prepared.added(head, &queries, scale).expect("shapes fit");
                assert_eq!(added.is_some(), by_offset.is_some(), "{scheme:?}");
                let (Some(added), Some(by_offset)) = (added, &by_offset) else {
                    continue;
                };
                for i in 0..n {
                    let query: Vec<f64> = queries.row(i).iter().copied().collect();
                    for j in 0..n {
                        let bias = by_offset.bias(head, i as i64 - j as i64, &query);
                        let same = (bias - added[(i, j)]).abs() < 1e-12;
                        assert!(same, "{scheme:?}, head {head}: {i}, {j}");
                    }
                }
                if !by_offset.needs_query() {
                    let effect = scheme.effect(&s, head, n).expect("a legal setting");
                    let Effect::ByOffset(Unit::Added, values) = effect else {
                        panic!("{scheme:?}: {effect:?}");
                    };
                    for (at, value) in values.iter().enumerate() {
                        let offset = at as i64 - (n as i64 - 1);
                        assert_eq!(*value, by_offset.bias(head, offset, &[]), "{scheme:?}");
                    }
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 100, "{seen}");
}

#[test]
fn an_edit_is_taken_if_and_only_if_it_changes_something() {
    // Long enough that every column is in use where any is.
    let n = 140;
    for (heads, causal) in [(1, false), (2, false), (2, true)] {
        let s = Setting {
            d_model: 4 * heads,
            heads,
            causal,
            max_rel_dist: 3,
            ..setting()
        };
        for scheme in SCHEMES {
            let mut taken = 0;
            let plain = told(*scheme, &s, n);
            let by_offset = scheme.by_offset(&s).expect("a legal setting");
            let numbers = by_offset.as_ref().and_then(|b| b.numbers());
            for head in 0..heads + 1 {
                for index in 0..36 {
                    // The sign is no other matter in one column than in the next.
                    let values: &[f64] = if index < 3 { &[1.0, -1.0] } else { &[1.0] };
                    for &value in values {
                        let edit = BiasEdit { head, index, value };
                        let takes = scheme.takes(&s, &edit);
                        taken += usize::from(takes && value > 0.0);
                        let mut with = s.clone();
                        with.bias_edits.push(edit);
                        let changed = told(*scheme, &with, n) != plain;
                        // A column that no offset falls into is there and shows nowhere.
                        let unused = numbers.is_some_and(|t| index < t.columns)
                            && by_offset.as_ref().is_some_and(|b| b.unused(index));
                        assert!(takes || !changed, "{scheme:?} {head} {index} {value}");
                        assert!(
                            changed || !takes || unused,
                            "{scheme:?} {head} {index} {value}"
                        );
                    }
                }
            }
            let learns = scheme.parameters().contains(&Parameter::BiasEdits);
            let wanted = if learns {
                scheme.learned(&s, n).numbers
            } else {
                0
            };
            assert_eq!(taken, wanted, "{scheme:?}");
            // What is learned and not edited is what is drawn at random: all arrays but the index.
            if !learns {
                let drawn = scheme.parameters().contains(&Parameter::Seed);
                let arrays = scheme.arrays(&s, n, 0..n).expect("a legal setting");
                let numbers = arrays.iter().filter(|a| drawn && a.name != "index");
                let numbers: usize = numbers.map(|a| a.shape.iter().product::<usize>()).sum();
                assert_eq!(scheme.learned(&s, n).numbers, numbers, "{scheme:?}");
            }
        }
    }
}

type Change = fn(&mut Setting);

/// Every parameter with a change of it.
fn changes() -> Vec<(Parameter, Change)> {
    use Parameter as P;
    vec![
        (P::DModel, |s| s.d_model *= 2),
        (P::Heads, |s| s.heads = if s.heads == 2 { 4 } else { 2 }),
        (P::Base, |s| s.base *= 3.0),
        (P::MaxRelDist, |s| s.max_rel_dist += 1),
        (P::Layout, |s| s.layout = Layout::Concatenated),
        (P::Pairing, |s| s.pairing = Pairing::Half),
        (P::Causal, |s| s.causal = !s.causal),
        (P::Seed, |s| s.seed += 1),
        (P::Bias, |s| s.bias = BiasStart::Decay),
        (P::BiasEdits, |s| {
            let (head, index, value) = (0, 1, 2.5);
            s.bias_edits.push(BiasEdit { head, index, value });
        }),
        (P::Scaling, |s| {
            s.context.remedy = match s.context.remedy {
                Remedy::Linear => Remedy::None,
                _ => Remedy::Linear,
            };
        }),
        (P::Factor, |s| s.context.factor *= 2.0),
        (P::OrigLen, |s| s.context.orig_len *= 2),
        (P::TargetLen, |s| s.context.target_len *= 3),
        (P::BetaFast, |s| s.context.beta_fast *= 4.0),
        (P::BetaSlow, |s| s.context.beta_slow *= 4.0),
        (P::LowFreqFactor, |s| s.context.low_freq_factor *= 1.5),
        (P::HighFreqFactor, |s| s.context.high_freq_factor *= 3.0),
        (P::Truncate, |s| s.context.truncate = !s.context.truncate),
        (P::AttentionFactor, |s| {
            s.context.attention_factor = Some(1.7)
        }),
    ]
}

#[test]
fn a_scheme_depends_on_the_parameters_that_it_names_and_no_others() {
    let n = 24;
    let mut all = Vec::new();
    for remedy in Remedy::ALL {
        for (d_model, heads, causal) in [(96, 1, false), (32, 2, true), (24, 3, false)] {
            let mut s = Setting {
                d_model,
                heads,
                causal,
                ..setting()
            };
            s.context.remedy = remedy;
            s.context.orig_len = 4096;
            s.context.target_len = 16384;
            all.push(s);
        }
    }
    for scheme in SCHEMES {
        for (parameter, change) in changes() {
            let named = scheme.parameters().contains(&parameter);
            let mut matters = false;
            for s in &all {
                let mut other = s.clone();
                change(&mut other);
                if !other.d_model.is_multiple_of(2 * other.heads) {
                    continue;
                }
                matters |= told(*scheme, s, n) != told(*scheme, &other, n);
            }
            assert_eq!(matters, named, "{scheme:?}: {parameter:?}");
        }
    }
}

#[test]
fn what_is_shared_beyond_is_shared_from_there_on() {
    for s in settings() {
        for scheme in SCHEMES {
            let Ok(Beyond::Shared { from }) = scheme.beyond(&s) else {
                continue;
            };
            let by_offset = scheme.offsets(&s).expect("something by offset");
            let (from, index) = (from as i64, |d| by_offset.index(d));
            for k in [1, 2, 50, 5000] {
                assert_eq!(index(from), index(from + k), "{scheme:?}");
            }
            if from > 0 {
                assert_ne!(index(from), index(from - 1), "{scheme:?}");
            }
        }
    }
}

#[test]
fn a_rotation_gives_scores_of_the_offset_alone() {
    let mut scaled = 0;
    for s in settings() {
        for scheme in SCHEMES {
            let Some(rotation) = scheme.rotation(&s).expect("a legal setting") else {
                continue;
            };
            scaled += usize::from(rotation.is_scaled());
            let q = random_vectors(1, "q", 1, s.head_dim());
            let k = random_vectors(2, "k", 1, s.head_dim());
            let flat = |m: &posenc_lab::core::Matrix| m.row(0).iter().copied().collect::<Vec<_>>();
            for (m, n) in [(0.0, 0.0), (5.0, 2.0), (3.0, 90.0), (300.0, 12.0)] {
                let want = rotation.scores(&flat(&q), &flat(&k), &[m - n])[0];
                for shift in [0.0, 1.0, 77.0, 600.0] {
                    let q = rotation.queries(&q, &[m + shift]).expect("fits");
                    let k = rotation.keys(&k, &[n + shift]).expect("fits");
                    let got = q.row(0).dot(&k.row(0));
                    assert!((got - want).abs() < 1e-10, "{scheme:?}: {got} {want}");
                }
            }
        }
    }
    assert!(scaled > 0);
}

#[test]
fn vectors_are_those_that_are_added() {
    let mut seen = 0;
    for s in settings() {
        for scheme in SCHEMES {
            let Ok(Prepared::Additive(rows)) = scheme.prepare(&s, 9) else {
                continue;
            };
            let vectors = scheme.adds(&s, 9).expect("added");
            for (pos, dim) in (0..9).flat_map(|p| (0..s.d_model).map(move |d| (p, d))) {
                assert!((vectors.value(pos, dim) - rows[(pos, dim)]).abs() < 1e-12);
            }
            // Hardly any number is beyond the end of the scale, and it is reached by the half.
            let size = rows.amax();
            assert!(size < 1.5 * vectors.limit() && size > 0.5 * vectors.limit());
            seen += 1;
        }
    }
    assert!(seen > 0);
}

#[test]
fn an_effect_is_finite_or_refused() {
    let bad = [(7, 2), (8, 3), (2, 1), (8, 0), (2, 2), (6, 2)];
    for (d_model, heads) in bad {
        let s = Setting {
            d_model,
            heads,
            ..setting()
        };
        for scheme in SCHEMES {
            for n in [1, 2] {
                let values = match scheme.effect(&s, 0, n) {
                    Ok(Effect::ByOffset(_, values)) => values,
                    Ok(Effect::ByPair(_, m)) => m.iter().copied().collect(),
                    Ok(Effect::Nothing) | Err(_) => continue,
                };
                let finite = values.iter().all(|x| x.is_finite());
                assert!(finite, "{scheme:?}, {d_model}/{heads}, n = {n}: {values:?}");
            }
        }
    }
}

#[test]
fn a_scheme_enters_where_it_says() {
    for scheme in SCHEMES {
        let prepared = scheme.prepare(&setting(), 5).expect("a legal setting");
        let entry = match prepared {
            Prepared::None => Entry::None,
            Prepared::Additive(_) => Entry::Additive,
            Prepared::Rotary(_) => Entry::Rotary,
            Prepared::Keys(_) => Entry::Keys,
            Prepared::ScoreBias(_) => Entry::ScoreBias,
        };
        assert_eq!(entry, scheme.entry(), "{scheme:?}");
    }
}

#[test]
fn numbers_that_are_named_are_those_of_the_published_formula() {
    let mut named_by = Vec::new();
    for s in settings() {
        for scheme in SCHEMES {
            let Some(by_offset) = scheme.by_offset(&s).expect("a legal setting") else {
                continue;
            };
            assert!(by_offset.named(s.heads).is_empty(), "{scheme:?}: no head");
            for head in 0..s.heads {
                for distance in [0u16, 1, 7, 300] {
                    let d = f64::from(distance);
                    // As the papers have them: ALiBi −m·|i − j|, KERPLE −r1·ln(1 + r2·|i − j|).
                    let formula = match by_offset.named(head)[..] {
                        [] => continue,
                        [("slope", m)] => -m * d,
                        [("r1", r1), ("r2", r2)] => -r1 * (1.0 + r2 * d).ln(),
                        ref other => panic!("{scheme:?}: {other:?}"),
                    };
                    let bias = by_offset.bias(head, i64::from(distance), &[]);
                    assert!((bias - formula).abs() < 1e-12, "{scheme:?}, {head}, {d}");
                    named_by.push(scheme.id());
                }
            }
        }
    }
    named_by.sort_unstable();
    named_by.dedup();
    assert_eq!(named_by, ["alibi", "kerple"]);
}
