use super::*;
use crate::state::{Requested, decode, resolve};

fn params(requested: &Requested) -> Params {
    resolve(requested, crate::figure::page_of).0
}

fn drag(query: &str, hit: Hit) -> (Params, Vec<(Key, Value)>) {
    let mut requested = decode(&format!("embed=rel-bias&{query}")).0;
    let p = params(&requested);
    let picked = compute(&p).expect("computed").picked(hit, &p);
    for (key, value) in picked.clone() {
        requested.set(key, value);
    }
    (params(&requested), picked)
}

#[test]
fn a_drag_sets_the_bar_under_it_and_no_other() {
    let hit = |column, down| Hit {
        target: 0,
        row: 0,
        column,
        down,
    };
    // R = 2, range −3..3: a quarter down is 1.5.
    let query = "max_rel_dist=2&bias=zero&head=1&bias_edits=0:0:1,1:3:-1";
    let (p, _) = drag(query, hit(3, 0.25));
    let table = crate::core::encoding::relative::BiasTable::clipped(&p.setting);
    assert_eq!(table.head(1), [0.0, 0.0, 0.0, 1.5, 0.0]);
    assert_eq!(table.head(0), [1.0, 0.0, 0.0, 0.0, 0.0]);
    let (p, _) = drag(query, hit(4, 0.5));
    assert_eq!(p.setting.bias_edits.len(), 3);
}

#[test]
fn full_edits_and_fixed_slopes_are_left_alone() {
    let edits: Vec<String> = (0..256).map(|k| format!("0:{k}:1")).collect();
    let hit = Hit {
        target: 0,
        row: 0,
        column: 300,
        down: 0.1,
    };
    let query = format!("max_rel_dist=200&bias_edits={}", edits.join(","));
    assert_eq!(drag(&query, hit).1, []);
    let again = Hit { column: 7, ..hit };
    assert_eq!(drag(&query, again).1.len(), 1);
    let (p, picked) = drag("scheme=alibi&seq_len=64", Hit { column: 60, ..hit });
    assert_eq!((p.i, p.j, picked.len()), (0, 3, 2));
}
