//! The pages on several axes and on all schemes.

use posenc_lab::core::encoding::Scheme;
use posenc_lab::core::grid::{Grid, window};
use posenc_lab::core::mrope::{Block, Sections, Version, position_ids};
use posenc_lab::lesson::live::Live;

use super::{params, said, share};

#[test]
fn numbers_of_multimodal_and_compare() {
    let rows = window::table_rows(Grid::of(7, 7)) as f64;
    // Swin's index with 2w − 2 in place of 2w − 1, over all pairs of cells of a window of 7 × 7.
    let cells = || (0..49i64).map(|n| (n / 7, n % 7));
    let mut wrong: Vec<i64> = cells()
        .flat_map(|a| cells().map(move |b| (a.0 - b.0 + 6) * (2 * 7 - 2) + a.1 - b.1 + 6))
        .collect();
    wrong.sort_unstable();
    wrong.dedup();
    let count = |sections: Sections| {
        let axes = sections.axis_of_frequency(64).expect("valid");
        [0, 1, 2].map(|axis| axes.iter().filter(|a| **a == axis).count() as f64)
    };
    let [blocks, turns] = [Version::Qwen2Vl, Version::Qwen3Vl].map(|v| Sections::of(v, 64));
    assert!(!blocks.interleaved && turns.interleaved);
    let (blocks, turns) = (count(blocks), count(turns));
    let image = [Block::Image(32, 32), Block::Text(1)];
    let ids = position_ids(&image, Version::Qwen2Vl, 2.0).expect("valid");
    let tokens = image[0].tokens() as f64;
    let spent = ids.at(image[0].tokens())[0] as f64;
    let frames = |seconds: &str| {
        let p = params(&format!("page=multimodal&rate=50&seconds={seconds}"));
        Live::new(&p, None).number("frames").expect("frames").number
    };
    let sections = [
        ("16", 1.0, blocks[0]),
        ("24", 1.0, blocks[1]),
        ("24", 1.0, blocks[2]),
        ("24", 1.0, turns[0]),
        ("20", 1.0, turns[1]),
        ("20", 1.0, turns[2]),
        ("1024", 1.0, tokens),
        ("32", 1.0, spent),
        ("1500", 1.0, frames("30")),
    ];
    said("multimodal", &sections);
    said(
        "multimodal",
        &[
            ("169", 1.0, rows),
            ("2401", 1.0, 49.0 * 49.0),
            ("157", 1.0, wrong.len() as f64),
            ("64", 1.0, blocks.iter().sum()),
        ],
    );
    said(
        "compare",
        &[
            ("3084", 1.0, 12.0 * (2.0 * 128.0 + 1.0)),
            ("393216", 1.0, 512.0 * 768.0),
            ("0.13", 0.01, share(10.0, 768.0)),
        ],
    );
}

/// The columns of the table of schemes that count numbers and operations.
#[test]
fn sizes_of_compare() {
    for query in ["d_model=64&heads=4", "d_model=96&heads=2&max_rel_dist=5"] {
        let p = params(&format!("page=compare&{query}"));
        let (s, n) = (&p.setting, 23);
        let (d, heads, reach) = (s.d_model, s.heads, 2 * s.max_rel_dist + 1);
        let pairs = heads * n * n;
        for (id, learned, operations) in [
            ("none", 0, 0),
            ("sinusoidal", 0, n * d),
            ("learned", n * d, n * d),
            ("relative", heads * reach, pairs),
            (
                "shaw",
                heads * reach * (d / heads),
                // A dot product multiplies and adds.
                heads * n * reach * 2 * (d / heads) + pairs,
            ),
            ("t5", heads * 32, pairs),
            ("alibi", 0, pairs),
            ("kerple", heads * 2, pairs),
            ("rope", 0, 4 * n * d + 2 * n * d),
            ("xpos", 0, 4 * n * d + 2 * n * d),
        ] {
            let scheme = Scheme::by_id(id).expect(id);
            assert_eq!(scheme.learned(s, n).numbers, learned, "{id} {query}");
            assert_eq!(scheme.cost(s, n).operations, operations, "{id} {query}");
        }
    }
}
