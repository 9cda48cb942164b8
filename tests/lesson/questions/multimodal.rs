//! Questions of the page `multimodal`.

use posenc_lab::core::grid::Grid;
use posenc_lab::core::grid::window::table_rows;
use posenc_lab::core::mrope::{Block, Version, position_ids};

use super::{Known, alike, none, sinusoidal};

pub const KNOWN: &[Known] = &[
    ("multimodal/stripes", &["1"], none, || {
        let pe = sinusoidal(512);
        let (right, below) = (alike(&pe, 90.0, 91.0), alike(&pe, 90.0, 104.0));
        let corner = alike(&pe, 90.0, 105.0);
        let two = alike(&pe, 90.0, 92.0);
        assert!(right > below && two > below && two > corner);
        assert!((right - alike(&pe, 90.0, 89.0)).abs() < 1e-12);
    }),
    (
        "multimodal/rows",
        &["6", "7", "14"],
        || vec![(2.0 * 7.0 - 1.0) * (2.0 * 7.0 - 1.0), 13.0, 2401.0],
        || {
            let mut all: Vec<(i64, i64)> = Vec::new();
            for (a, b) in (0..49i64).flat_map(|a| (0..49i64).map(move |b| (a, b))) {
                all.push((a / 7 - b / 7, a % 7 - b % 7));
            }
            all.sort_unstable();
            all.dedup();
            assert_eq!(all.len(), 169);
            assert!(![49, 2401, 14].contains(&all.len()));
        },
    ),
    (
        "multimodal/hour",
        &[],
        || vec![30.0 * 50.0 + 1.0],
        || {
            // A table of 30 s has no row for the frame after.
            let table = posenc_lab::core::encoding::learned::LearnedTable::new(1, 1500, 4);
            assert!(table.lookup(1499).is_ok() && table.lookup(1500).is_err());
        },
    ),
    (
        "multimodal/image-costs",
        &["1", "3", "8", "16"],
        none,
        || {
            let blocks = [Block::Text(5), Block::Image(4, 4), Block::Text(5)];
            let ids = position_ids(&blocks, Version::Qwen2Vl, 1.0).expect("valid");
            let (image, after) = (ids.at(5), ids.at(5 + 16));
            assert_eq!(after[0] - image[0], 4);
            assert_eq!(ids.len(), 16 + 10);
        },
    ),
    ("multimodal/ids", &["1", "2.5", "3"], none, || {}),
    ("multimodal/rows-columns", &[], none, || {
        // On a square grid the wrong divisor does not show.
        let wrong =
            |rows: usize, columns: usize| (0..rows * columns).any(|n| n / rows != n / columns);
        assert!(!wrong(14, 14) && wrong(14, 20));
        let swapped = (0..196).filter(|n| n / 14 != n % 14).count();
        assert!(swapped > 0);
    }),
    (
        "multimodal/window-45",
        &["2", "3", "5", "8", "1", "9", "15"],
        none,
        || {
            let of_45 = |(r, c): &(usize, usize)| table_rows(Grid::of(*r, *c)) == 45;
            let all = (2..=16).flat_map(|r| (2..=16).map(move |c| (r, c)));
            let found: Vec<_> = all.filter(of_45).collect();
            assert_eq!(found, [(2, 8), (3, 5), (5, 3), (8, 2)]);
        },
    ),
];
