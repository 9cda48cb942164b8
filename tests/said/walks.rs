//! The walks beside the figures: each step's link gives a state of the figure, and what the step says
//! is so in that state.

use posenc_lab::core::analysis::rotations;
use posenc_lab::core::encoding::rope_scaling::plain_frequencies;
use posenc_lab::figure::{Table, by_id};
use posenc_lab::state::{Lang, Params};

use super::{has, params, texts};

/// One step: its words in both languages, and the figure in its state.
struct Step {
    words: [String; 2],
    params: Params,
    figure: &'static str,
}

impl Step {
    fn number(&self, name: &str) -> f64 {
        let figure = by_id(self.figure).expect(self.figure);
        let picture = figure.compute(&self.params).expect("valid");
        let all = picture.readouts(&self.params, Lang::En);
        let found = all.iter().find(|r| r.name == name);
        let found = found.unwrap_or_else(|| panic!("{} has no {name}", self.figure));
        found.number.expect("a number")
    }

    fn table(&self) -> Table {
        let figure = by_id(self.figure).expect(self.figure);
        let picture = figure.compute(&self.params).expect("valid");
        picture.table(&self.params)
    }

    fn column(&self, name: &str) -> Vec<f64> {
        let table = self.table();
        let at = table.columns.iter().position(|c| c == name);
        let at = at.unwrap_or_else(|| panic!("{} has no column {name}", self.figure));
        table.rows.iter().map(|r| r[at]).collect()
    }

    /// A number that the step says, and what it is.
    fn says(&self, written: &str, unit: f64, value: f64) {
        let number: f64 = written.parse().expect(written);
        assert!(
            (number - value).abs() <= unit / 2.0 + 1e-12,
            "{written}, but {value}"
        );
        for words in &self.words {
            assert!(has(words, written), "{written} is not said: {words}");
        }
    }
}

/// The links and the words of a walk in one language.
fn lines<'a>(text: &'a str, figure: &str) -> Vec<(&'a str, &'a str)> {
    let head = format!("::: steps {figure}\n");
    let (_, rest) = text.split_once(&head).expect(figure);
    let (walk, _) = rest.split_once("\n:::").expect("an end");
    let line = |line: &'a str| {
        let (_, rest) = line.split_once("](set:").expect("a link");
        rest.split_once(')').expect("its end")
    };
    walk.lines().map(line).collect()
}

fn walk(figure: &'static str) -> Vec<Step> {
    let page = by_id(figure).expect(figure).page.id();
    let [zh, en] = texts(page);
    let (zh, en) = (lines(&zh, figure), lines(&en, figure));
    assert_eq!(zh.len(), en.len(), "{figure}");
    let step = |(zh, en): (&(&str, &str), &(&str, &str))| {
        let state = |query: &str| params(&format!("page={page}&{query}"));
        let params = state(zh.0);
        assert!(params == state(en.0), "{figure}: {} and {}", zh.0, en.0);
        Step {
            words: [zh.1, en.1].map(str::to_owned),
            params,
            figure,
        }
    };
    zh.iter().zip(&en).map(step).collect()
}

fn steps<const N: usize>(figure: &'static str) -> [Step; N] {
    let all = walk(figure);
    let count = all.len();
    all.try_into()
        .unwrap_or_else(|_| panic!("{figure} has {count} steps"))
}

/// Whether two numbers are the same but for rounding.
fn same(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

#[test]
fn each_step_of_each_walk_leads_somewhere_else_and_says_something() {
    for figure in posenc_lab::figure::FIGURES {
        let [zh, _] = texts(figure.page.id());
        if !zh.contains(&format!("::: steps {}\n", figure.id)) {
            continue;
        }
        let all = walk(figure.id);
        for step in &all {
            for words in &step.words {
                let said = words.trim_start_matches(['：', ':', ' ']);
                assert!(said.chars().count() > 6, "{}: {said}", figure.id);
            }
            figure.compute(&step.params).expect(figure.id);
        }
        for pair in all.windows(2) {
            assert!(pair[0].params != pair[1].params, "{}", figure.id);
        }
    }
}

#[test]
fn walk_of_order_swap() {
    let all: [Step; 4] = steps("order-swap");
    let [none, sinusoidal, alibi, masked] = all.map(|s| s.number("max-difference"));
    assert!(none < 1e-9 && alibi < 1e-9, "{none} {alibi}");
    assert!(sinusoidal > 0.1 && masked > 0.1, "{sinusoidal} {masked}");
}

#[test]
fn walk_of_pe_waves_and_pe_matrix() {
    let last = |d, base| *plain_frequencies(d, base).last().expect("a pair");
    let [zero, one, fast, back] = steps::<4>("pe-waves");
    assert_eq!(zero.params.pos, 0);
    assert!((one.params.pos, one.params.setting.base) == (1, 1e4));
    assert!(fast.params.setting.base == 100.0);
    let [slow, quick] = [10_000.0, 100.0].map(|base| plain_frequencies(64, base));
    let gains: Vec<f64> = quick.iter().zip(&slow).map(|(q, s)| q / s).collect();
    assert!(gains[0] == 1.0 && gains.is_sorted() && gains[1] > 1.0);
    // Through 64 positions the slowest pair stays within a hundredth of its start.
    assert_eq!(back.params.seq_len, 64);
    assert!(63.0 * last(64, 10_000.0) < 0.01);
    let [first, end, visible] = steps::<3>("pe-matrix");
    assert_eq!([&first, &end, &visible].map(|s| s.params.dim), [0, 63, 63]);
    assert!((63.0 * last(64, 10_000.0)).cos() > 0.999);
    assert!((63.0 * last(64, 100.0)).cos() < 0.8);
}

#[test]
fn walk_of_rel_index() {
    let [four, _, alibi, back] = steps::<4>("rel-index");
    four.says("4", 1.0, four.params.setting.max_rel_dist as f64);
    assert_eq!(alibi.number("index"), alibi.number("offset").abs());
    back.says("16", 1.0, back.params.setting.max_rel_dist as f64);
}

#[test]
fn walk_of_rope_rotate() {
    let [start, both, one] = steps::<3>("rope-rotate");
    let score = |s: &Step| s.number("score");
    assert!(same(score(&start), score(&both)) && !same(score(&both), score(&one)));
    let distance = |s: &Step| s.params.i as f64 - s.params.j as f64;
    start.says("4", 1.0, distance(&start));
    assert_eq!(distance(&both), 4.0);
    one.says("3", 1.0, distance(&one));
}

#[test]
fn walk_of_rope_score() {
    let [near, far, seed, shifted, out] = steps::<5>("rope-score");
    let mean = |s: &Step| s.number("mean-cosine");
    let score = |s: &Step| s.number("score");
    for step in [&near, &far, &seed, &shifted, &out] {
        let heads = step.params.setting.d_model / step.params.setting.heads;
        assert_eq!(heads, 128);
    }
    near.says("0.737", 1e-3, mean(&near));
    far.says("0.477", 1e-3, mean(&far));
    let curve = far.column("mean_cosine");
    assert_eq!(curve[0], 1.0);
    let rises = curve[..101].windows(2).filter(|w| w[1] > w[0]).count();
    assert!(rises > 1, "{rises}");
    assert!(mean(&far) < mean(&near));
    assert!(mean(&seed) == mean(&far) && !same(score(&seed), score(&far)));
    assert!(same(mean(&shifted), mean(&seed)) && same(score(&shifted), score(&seed)));
    shifted.says("100", 1.0, (shifted.params.i - shifted.params.j) as f64);
    out.says("0.159", 1e-3, mean(&out));
    let (curve, distances) = (out.column("mean_cosine"), out.column("distance"));
    let first = curve.iter().position(|v| *v < 0.0).expect("negative");
    assert_eq!(
        first as f64, distances[first],
        "every distance before is there"
    );
    out.says("1707", 1.0, distances[first]);
}

#[test]
fn walk_of_ctx_angles() {
    let [trained, twice, four, linear, ntk] = steps::<5>("ctx-angles");
    let longer = |s: &Step| s.number("longer-arcs");
    let unseen = |s: &Step| s.number("unseen-pairs");
    assert_eq!(longer(&trained), 0.0);
    // The two slowest, 6 and 7, did not turn once in training.
    let whole: Vec<bool> = plain_frequencies(16, 10_000.0)
        .into_iter()
        .map(|w| rotations(w, 2048.0) >= 1.0)
        .collect();
    assert_eq!(whole, [true, true, true, true, true, true, false, false]);
    assert_eq!((longer(&twice), unseen(&twice)), (2.0, 2.0));
    assert_eq!(twice.column("unseen_none")[6..], [1.0, 1.0]);
    assert_eq!((longer(&four), unseen(&four)), (2.0, 1.0));
    assert_eq!(four.column("unseen_none")[6..], [0.0, 1.0]);
    assert!(rotations(plain_frequencies(16, 10_000.0)[6], 8191.0) > 1.0);
    assert_eq!(longer(&linear), 0.0);
    assert_eq!(longer(&ntk), 1.0);
    assert_eq!(ntk.column("unseen_remedy")[6..], [1.0, 0.0]);
}

#[test]
fn walk_of_ctx_scaling() {
    let [linear, ntk, more, yarn, llama] = steps::<5>("ctx-scaling");
    assert!(linear.column("linear").iter().all(|r| *r == 0.25));
    let falls = |all: &[f64]| all.windows(2).all(|w| w[1] < w[0]);
    let ends = |s: &Step| (s.number("first-ratio"), s.number("last-ratio"));
    assert!(falls(&ntk.column("ntk")));
    assert_eq!(ends(&ntk), (1.0, 0.25));
    assert_eq!(ends(&more), (1.0, 1.0 / 16.0));
    let within = |all: &[f64]| all.iter().filter(|r| **r < 1.0 && **r > 0.25).count();
    let ratios = yarn.column("yarn");
    assert!(ratios[..3].iter().all(|r| *r == 1.0) && ratios[6..].iter().all(|r| *r == 0.25));
    assert_eq!((ratios.len(), within(&ratios)), (8, 3));
    let (ratios, theta) = (llama.column("llama3"), llama.column("theta"));
    let turns = theta.iter().map(|w| rotations(*w, 2048.0));
    let some: Vec<bool> = turns.map(|t| (1.0..4.0).contains(&t)).collect();
    let ramp: Vec<bool> = ratios.iter().map(|r| *r < 1.0 && *r > 0.25).collect();
    assert_eq!((&some, within(&ratios)), (&ramp, 2));
}

#[test]
fn walk_of_img_patches() {
    let [middle, corner, wide, small, decay] = steps::<5>("img-patches");
    let number = |name: &'static str| move |s: &Step| s.number(name);
    let (right, below) = (number("right-1d"), number("below-1d"));
    assert!(right(&middle) > 0.95 && below(&middle) < 0.7);
    for (step, written) in [(&middle, "14"), (&wide, "20"), (&small, "28")] {
        step.says(written, 1.0, step.params.grid.columns() as f64);
        let (rows, columns) = (step.params.grid.rows(), step.params.grid.columns());
        let pos = step.number("patch");
        assert_eq!(pos, (rows / 2 * columns + columns / 2) as f64, "the middle");
    }
    assert!(below(&wide) < below(&middle));
    for name in ["right-sincos", "below-sincos", "right-rope", "below-rope"] {
        assert_eq!(wide.number(name), middle.number(name));
    }
    assert_eq!(corner.number("patch"), 0.0);
    for scheme in ["sincos", "rope"] {
        let all = corner.column(scheme);
        for away in 1..14 {
            let across = all[14 * away + away];
            assert!(
                all[away] > across && all[14 * away] > across,
                "{scheme} {away}"
            );
        }
    }
    small.says("224", 1.0, small.number("image-height"));
    assert_eq!(small.number("image-width"), 224.0);
    small.says("784", 1.0, small.number("patches"));
    let bias = decay.column("relative");
    let far = (0..196).filter(|n| {
        let (row, column) = (n / 14_usize, n % 14);
        row.abs_diff(7) > 2 || column.abs_diff(7) > 2
    });
    let far = far.map(|n| bias[n]).fold(f64::MIN, f64::max);
    assert!([104, 106, 91, 119].iter().all(|n| bias[*n] > far));
}

#[test]
fn walk_of_mrope_grid() {
    let [text, image, long, video, timed] = steps::<5>("mrope-grid");
    let after = |s: &Step| [s.number("t"), s.number("h"), s.number("w")];
    for row in text.table().rows {
        assert_eq!(row[2..], [row[0]; 3], "numbers of 1D");
    }
    // The text before has three tokens, the last text four.
    let spent = |s: &Step| s.number("ids") - 7.0;
    image.says("4", 1.0, spent(&image));
    long.says("8", 1.0, spent(&long));
    for step in [&image, &long] {
        step.says("16", 1.0, step.number("tokens") - 7.0);
    }
    for (step, written) in [(&image, "7"), (&video, "7"), (&timed, "16")] {
        let [t, h, w] = after(step);
        assert!(t == h && h == w);
        step.says(written, 1.0, t);
    }
    let gains = |s: &Step| -> Vec<f64> {
        let t = s.column("t");
        (0..3).map(|k| t[3 + 4 * (k + 1)] - t[3 + 4 * k]).collect()
    };
    assert_eq!(gains(&video), [1.0; 3]);
    assert_eq!(gains(&timed), [4.0; 3]);
    timed.says("2", 1.0, 2.0 / timed.params.sequence.fps);
}

#[test]
fn walk_of_compare_scores() {
    let [clipped, masked, seed] = steps::<3>("compare-scores");
    // The clipped table is level from 4 steps on, on either side, and not before.
    let (offset, table) = (clipped.column("offset"), clipped.column("relative"));
    let at = |d: f64| table[offset.iter().position(|o| *o == d).expect("an offset")];
    for side in [1.0, -1.0] {
        assert!((4..60).all(|d| at(side * f64::from(d)) == at(side * 4.0)));
        assert!(!same(at(side * 3.0), at(side * 4.0)));
    }
    // Shaw's vectors are one from there on: each query gets the same from all of them.
    let p = &clipped.params;
    let shaw = posenc_lab::core::encoding::Scheme::by_id("shaw").expect("a scheme");
    let shaw = shaw.offsets(&p.setting).expect("offsets");
    for query in posenc_lab::core::toy::random_vectors(5, "q", 3, p.setting.head_dim()).row_iter() {
        let query: Vec<f64> = query.iter().copied().collect();
        let far = |d| shaw.bias(p.head, d, &query);
        assert!(far(4) == far(40) && far(-4) == far(-40) && !same(far(3), far(4)));
    }
    assert!(masked.params.setting.causal);
    let before = params("page=compare");
    let start = Step {
        words: seed.words.clone(),
        params: before,
        figure: seed.figure,
    };
    for name in ["learned", "relative", "shaw", "t5", "kerple"] {
        assert!(!same(seed.number(name), start.number(name)), "{name}");
    }
    for name in ["sinusoidal", "alibi", "rope", "xpos"] {
        assert!(same(seed.number(name), start.number(name)), "{name}");
    }
}

#[test]
fn walk_of_rope_circles() {
    let [zero, one, fast, slow] = steps::<4>("rope-circles");
    assert!(zero.column("angle").iter().all(|a| *a == 0.0));
    assert!(zero.column("cos").iter().all(|c| *c == 1.0));
    let angles = one.column("angle");
    assert_eq!(angles[0], 1.0);
    assert!(angles.windows(2).all(|w| w[1] < w[0]), "{angles:?}");
    let [default, fast, slow] = [&one, &fast, &slow].map(|s| s.column("theta"));
    assert_eq!([default[0], fast[0], slow[0]], [1.0; 3]);
    for pair in 1..default.len() {
        assert!(fast[pair] > default[pair] && default[pair] > slow[pair]);
    }
}

#[test]
fn walk_of_pe_shift() {
    let [near, far, five] = steps::<3>("pe-shift");
    assert_eq!(near.params.shift, far.params.shift);
    assert_eq!((near.params.shift, five.params.shift), (1, 5));
    assert_ne!(near.params.pos, far.params.pos);
    assert_eq!(near.column("frequency")[0], 1.0);
    for step in [&near, &far, &five] {
        assert!(step.number("shift-error") < 1e-9);
    }
}

#[test]
fn walk_of_rel_bias() {
    let [zero, edited, decay] = steps::<3>("rel-bias");
    let plain = Step {
        params: params("page=relative&scheme=relative&max_rel_dist=16"),
        words: edited.words.clone(),
        figure: "rel-bias",
    };
    assert!(zero.column("head_0").iter().all(|b| *b == 0.0));
    let offsets = edited.column("offset");
    let (before, after) = (plain.column("head_0"), edited.column("head_0"));
    for (at, offset) in offsets.iter().enumerate() {
        let wanted = if *offset == 2.0 { 3.0 } else { before[at] };
        assert_eq!(after[at], wanted, "{offset}");
    }
    let (offsets, falls) = (decay.column("offset"), decay.column("head_0"));
    let at = |offset: f64| {
        let found = offsets.iter().position(|o| *o == offset);
        falls[found.expect("an offset")]
    };
    for away in 1..=16 {
        let away = f64::from(away);
        assert_eq!(at(away), at(-away));
        assert!(at(away) < at(away - 1.0));
    }
}

#[test]
fn walk_of_attention_steps() {
    let [added, turned, biased, last] = steps::<4>("attention-steps");
    let stages = [&added, &turned, &biased, &last].map(|s| s.params.step);
    assert_eq!(stages, [0, 2, 5, 7]);
    let none = Step {
        params: params("page=order&scheme=none"),
        words: added.words.clone(),
        figure: "attention-steps",
    };
    let products = |s: &Step| s.column("product");
    assert_ne!(products(&added), products(&none));
    assert_ne!(products(&turned), products(&none));
    // The bias comes in after queries and keys were multiplied.
    assert_eq!(products(&biased), products(&none));
    assert!(biased.column("bias").iter().any(|b| *b != 0.0));
}
