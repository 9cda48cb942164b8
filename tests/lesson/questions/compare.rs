//! Questions of the page `compare`.

use posenc_lab::core::encoding::relative::{BiasTable, relative_index};

use super::{Known, alike, none, sinusoidal};
use crate::params;

pub const KNOWN: &[Known] = &[
    ("compare/symmetric", &[], none, || {
        let p = params("page=compare");
        let table = BiasTable::clipped(&p.setting);
        assert_ne!(
            table.get(0, relative_index(3, 0, 16)),
            table.get(0, relative_index(0, 3, 16))
        );
        let pe = sinusoidal(64);
        assert!((alike(&pe, 9.0, 14.0) - alike(&pe, 9.0, 4.0)).abs() < 1e-12);
    }),
    ("compare/stripes", &[], none, || {
        let row = |pos| posenc_lab::core::encoding::learned::row(42, pos, 64);
        let dot = |a: usize, b: usize| posenc_lab::core::analysis::dot(&row(a), &row(b));
        assert!((dot(0, 2) - dot(7, 9)).abs() > 1e-3);
        let pe = sinusoidal(64);
        assert!((alike(&pe, 0.0, 2.0) - alike(&pe, 7.0, 9.0)).abs() < 1e-12);
    }),
    ("compare/which-one", &[], none, || {}),
    ("compare/even", &[], none, || {}),
    ("compare/width", &["0"], none, || {}),
];
