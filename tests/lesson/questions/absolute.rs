//! Questions of the page `absolute`.

use super::{Known, alike, none, sinusoidal};

fn turns(base: f64) -> f64 {
    let last = base.powf(-62.0 / 64.0);
    2048.0 * last / std::f64::consts::TAU
}

pub const KNOWN: &[Known] = &[
    (
        "absolute/fast-or-slow",
        &["0", "0.001"],
        || vec![1.0, 1f64.to_degrees(), 0.001f64.to_degrees()],
        || {
            let m = sinusoidal(64).matrix(&[20.0, 21.0]);
            let change = |pair: usize| {
                (m[(0, 2 * pair)] - m[(1, 2 * pair)])
                    .hypot(m[(0, 2 * pair + 1)] - m[(1, 2 * pair + 1)])
            };
            assert!((1..32).all(|p| change(p) < change(p - 1)));
        },
    ),
    ("absolute/columns", &["1"], none, || {
        let m = sinusoidal(64).matrix(&(0..64).map(f64::from).collect::<Vec<_>>());
        let step = |c: usize| {
            (1..64)
                .map(|r| (m[(r, c)] - m[(r - 1, c)]).abs())
                .fold(0.0, f64::max)
        };
        assert!((2..64).all(|c| step(c) < step(c - 2)));
        // Not smaller: the last cosine stays near 1.
        assert!(m.column(63).min() > 0.99);
    }),
    ("absolute/same-turn", &[], none, || {
        let pe = sinusoidal(64);
        let turn = pe.shift_matrix(5.0);
        for start in [3.0, 50.0] {
            let m = pe.matrix(&[start, start + 5.0]);
            let moved = &turn * m.row(0).transpose();
            assert!((moved - m.row(1).transpose()).amax() < 1e-12);
        }
    }),
    (
        "absolute/fall",
        &["5", "6", "0"],
        || {
            vec![
                alike(&sinusoidal(64), 9.0, 14.0),
                alike(&sinusoidal(64), 9.0, 15.0),
            ]
        },
        || {
            let pe = sinusoidal(64);
            assert!(
                alike(&pe, 9.0, 15.0) > alike(&pe, 9.0, 14.0),
                "not monotonic"
            );
            assert!(
                (alike(&pe, 20.0, 27.0) - alike(&pe, 20.0, 13.0)).abs() < 1e-12,
                "even"
            );
            assert!(
                alike(&pe, 0.0, 60.0) < alike(&pe, 0.0, 10.0),
                "on the whole"
            );
        },
    ),
    ("absolute/wave", &[], none, || {}),
    ("absolute/learned", &["512"], none, || {}),
    (
        "absolute/slow-base",
        &["10000"],
        || {
            vec![
                (2..9999)
                    .map(f64::from)
                    .find(|b| turns(*b) < 1.0)
                    .expect("a base"),
                turns(1e4),
            ]
        },
        || {
            assert!((3.5..4.0).contains(&turns(100.0)));
        },
    ),
];
