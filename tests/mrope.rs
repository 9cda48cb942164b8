//! Positions of three numbers: the identities that the lesson calls exact, and what is refused.

use posenc_lab::core::encoding::rope::{Pairing, Rope};
use posenc_lab::core::mrope::{
    Audio, Block, Grid, MODALITIES, MRope, Media, Modality, ModalityBias, PositionIds, Sections,
    Version, frame_times, omni_index, position_ids, rope_index, total_tokens,
};
use posenc_lab::core::toy::random_vectors;
use posenc_lab::vectors::vectors;
use proptest::prelude::*;

const VERSIONS: [Version; 3] = [Version::Qwen2Vl, Version::Qwen25Vl, Version::Qwen3Vl];

fn block() -> impl Strategy<Value = Block> {
    let side = || 1usize..6;
    prop_oneof![
        (1usize..20).prop_map(Block::Text),
        (side(), side()).prop_map(|(h, w)| Block::Image(h, w)),
        (side(), side(), side()).prop_map(|(t, h, w)| Block::Video(t, h, w)),
        (1usize..20).prop_map(Block::Audio),
    ]
}

fn blocks() -> impl Strategy<Value = Vec<Block>> {
    proptest::collection::vec(block(), 1..8)
}

fn version() -> impl Strategy<Value = Version> {
    proptest::sample::select(VERSIONS.to_vec())
}

fn ids(blocks: &[Block], version: Version, seconds: f64) -> PositionIds {
    position_ids(blocks, version, seconds).expect("ids")
}

/// The rule in words, block by block: each starts at the largest id so far + 1.
fn by_the_rule(blocks: &[Block], version: Version, seconds: f64) -> Vec<[i64; 3]> {
    let mut out: Vec<[i64; 3]> = Vec::new();
    for block in blocks {
        let frames = match *block {
            Block::Video(t, ..) => t,
            _ => 1,
        };
        let mut start = out.iter().flatten().max().map_or(0, |m| m + 1);
        for frame in 0..frames as i64 {
            if version == Version::Qwen3Vl {
                start = out.iter().flatten().max().map_or(0, |m| m + 1);
            }
            let t = match version {
                Version::Qwen2Vl => frame,
                Version::Qwen25Vl => (frame as f64 * seconds * 2.0) as i64,
                Version::Qwen3Vl => 0,
            };
            match *block {
                Block::Text(n) | Block::Audio(n) => {
                    out.extend((0..n as i64).map(|k| [start + k; 3]));
                }
                Block::Image(h, w) | Block::Video(_, h, w) => {
                    for k in 0..h * w {
                        let (row, column) = ((k / w) as i64, (k % w) as i64);
                        out.push([start + t, start + row, start + column]);
                    }
                }
            }
        }
    }
    out
}

proptest! {
    #[test]
    fn ids_follow_the_rule_and_there_is_one_for_each_token(
        blocks in blocks(), version in version(), quarter in 1u32..20,
    ) {
        // Quarters of a second are exact in any precision.
        let seconds = f64::from(quarter) / 4.0;
        let ids = ids(&blocks, version, seconds);
        prop_assert_eq!(ids.len(), total_tokens(&blocks));
        let wanted = by_the_rule(&blocks, version, seconds);
        for (token, wanted) in wanted.into_iter().enumerate() {
            prop_assert_eq!(ids.at(token), wanted, "token {}", token);
        }
    }

    #[test]
    fn ids_never_go_back_from_block_to_block(blocks in blocks(), version in version()) {
        let ids = ids(&blocks, version, 1.0);
        let (mut from, mut largest) = (0, -1);
        for block in blocks {
            let tokens = from..from + block.tokens();
            from = tokens.end;
            let all: Vec<i64> = tokens.flat_map(|k| ids.at(k)).collect();
            prop_assert_eq!(all.iter().min(), Some(&(largest + 1)));
            largest = *all.iter().max().expect("a token");
        }
        prop_assert_eq!(ids.spent(), largest + 1);
    }

    #[test]
    fn for_text_it_is_plain_rope(n in 1usize..80, pairs in 1usize..40, base in 1.5..1e7, version in version()) {
        let ids = ids(&[Block::Text(n)], version, 1.0);
        let plain = Rope::new(2 * pairs, base, Pairing::Half).expect("a rotation");
        let rope = MRope::new(2 * pairs, base, Sections::of(version, pairs)).expect("a rotation");
        let positions: Vec<f64> = (0..n).map(|p| p as f64).collect();
        prop_assert_eq!(rope.cos_sin(&ids), plain.cos_sin(&positions));
        let x = random_vectors(7, "x", n, 2 * pairs);
        let (a, b) = (rope.apply(&x, &ids), plain.apply(&x, &positions));
        prop_assert!((a.expect("turned") - b.expect("turned")).amax() < 1e-12);
    }

    #[test]
    fn scores_depend_on_the_differences_of_ids_alone(
        version in version(), q in prop::array::uniform3(0i64..50), k in prop::array::uniform3(0i64..50),
        shift in prop::array::uniform3(0i64..1000),
    ) {
        let rope = MRope::new(32, 1e4, Sections::of(version, 16)).expect("a rotation");
        let x = random_vectors(3, "x", 2, 32);
        let score = |by: [i64; 3]| {
            let axis = |a: usize| vec![q[a] + by[a], k[a] + by[a]];
            let ids = PositionIds::from_axes([axis(0), axis(1), axis(2)]).expect("three axes");
            let x = rope.apply(&x, &ids).expect("turned");
            (x.row(0) * x.row(1).transpose())[(0, 0)]
        };
        prop_assert!((score([0; 3]) - score(shift)).abs() < 1e-10);
    }

    #[test]
    fn every_frequency_has_an_axis_and_sections_have_their_sizes(pairs in 1usize..200, version in version()) {
        let sections = Sections::of(version, pairs);
        let axis = sections.axis_of_frequency(pairs).expect("sizes that add up");
        for (a, size) in sections.sizes.into_iter().enumerate() {
            prop_assert_eq!(axis.iter().filter(|x| **x == a).count(), size);
        }
    }
}

#[test]
fn sections_of_published_widths() {
    for version in [Version::Qwen2Vl, Version::Qwen25Vl] {
        assert_eq!(Sections::of(version, 64).sizes, [16, 24, 24]);
        assert_eq!(Sections::of(version, 8).sizes, [2, 3, 3]);
    }
    assert_eq!(Sections::of(Version::Qwen3Vl, 64).sizes, [24, 20, 20]);
    assert_eq!(Sections::of(Version::Qwen3Vl, 8).sizes, [4, 2, 2]);
    assert_eq!(Sections::of(Version::Qwen3Vl, 1).sizes, [1, 0, 0]);
}

#[test]
fn a_large_image_costs_many_tokens_and_few_ids() {
    let image = ids(&[Block::Image(32, 32)], Version::Qwen2Vl, 1.0);
    assert_eq!((image.len(), image.spent()), (1024, 32));
    let after = ids(
        &[Block::Image(32, 32), Block::Text(1)],
        Version::Qwen2Vl,
        1.0,
    );
    assert_eq!(after.at(1024), [32; 3]);
}

#[test]
fn time_follows_the_clock_or_the_frames() {
    assert_eq!(frame_times(4, 0.5, 2.0), Ok(vec![0, 1, 2, 3]));
    assert_eq!(frame_times(3, 2.0, 25.0), Ok(vec![0, 50, 100]));
    // 5 · 0.08 · 25 is 10; in f32 it would be a little less.
    assert_eq!(frame_times(6, 0.08, 25.0).map(|t| t[5]), Ok(10));
    let video = [Block::Video(3, 1, 2)];
    let t = |version| ids(&video, version, 2.0).axes()[0].clone();
    assert_eq!(t(Version::Qwen2Vl), [0, 0, 1, 1, 2, 2]);
    assert_eq!(t(Version::Qwen25Vl), [0, 0, 4, 4, 8, 8]);
    assert_eq!(t(Version::Qwen3Vl), [0, 0, 2, 2, 4, 4]);
}

#[test]
fn bias_by_kinds_of_query_and_key() {
    let mut bias = ModalityBias::default();
    bias.set(Modality::Text, Modality::Image, 0.5);
    let tokens = [Modality::Text, Modality::Image, Modality::Image];
    let m = bias.matrix(&tokens);
    assert_eq!(
        m.row(0).iter().copied().collect::<Vec<_>>(),
        [0.0, 0.5, 0.5]
    );
    assert_eq!(m.sum(), 1.0);
    for m in MODALITIES {
        assert_eq!(Modality::by_id(m.id()), Some(m));
    }
}

fn media<'a>(images: &'a [Grid], videos: &'a [Grid], seconds: &'a [f64]) -> Media<'a> {
    Media {
        image_token: 2,
        video_token: 3,
        images,
        videos,
        merge: 2,
        ids_per_second: Some(2.0),
        seconds_per_grid: seconds,
    }
}

fn grid(t: usize, h: usize, w: usize) -> Grid {
    Grid { t, h, w }
}

#[test]
fn bad_prompts_are_refused_with_a_reason() {
    let said = |tokens: &[i64], images: &[Grid], videos: &[Grid], seconds: &[f64]| {
        let mask = vec![true; tokens.len()];
        let media = media(images, videos, seconds);
        let error = rope_index(&[(tokens, &mask)], &media).expect_err("refused");
        error.to_string()
    };
    for (tokens, images, videos, seconds, wanted) in [
        (
            &[1, 2, 1][..],
            &[][..],
            &[][..],
            &[][..],
            "an image needs its size",
        ),
        (&[3], &[], &[], &[], "a video needs its size"),
        (
            &[2],
            &[grid(1, 3, 2)],
            &[],
            &[],
            "h must be a multiple of spatial_merge_size, got 3",
        ),
        (
            &[2],
            &[grid(1, 2, 0)],
            &[],
            &[],
            "w must be at least 1, got 0",
        ),
        (
            &[2, 2, 1],
            &[grid(1, 4, 4)],
            &[],
            &[],
            "a run of placeholders has size 2, expected 4",
        ),
        (
            &[3],
            &[],
            &[grid(usize::MAX, 2, 2)],
            &[],
            "a run of placeholders has size 1, expected 18446744073709551615",
        ),
        (
            &[3],
            &[],
            &[grid(1, 2, 2)],
            &[f64::NAN],
            "second_per_grid must be finite and above 0, got NaN",
        ),
    ] {
        assert_eq!(said(tokens, images, videos, seconds), wanted);
    }
    let media = media(&[], &[], &[]);
    assert!(rope_index(&[(&[1, 1], &[true])], &media).is_err());
    let zero = Media { merge: 0, ..media };
    let images = [grid(1, 2, 2)];
    let zero = Media {
        images: &images,
        ..zero
    };
    assert!(rope_index(&[(&[2], &[true])], &zero).is_err());
    for blocks in [[Block::Image(0, 5)], [Block::Text(0)]] {
        assert!(position_ids(&blocks, Version::Qwen2Vl, 1.0).is_err());
    }
    let video = [Block::Video(1, 1, 1)];
    assert!(position_ids(&video, Version::Qwen25Vl, 0.0).is_err());
    let uneven = Sections {
        sizes: [1, 2, 2],
        interleaved: false,
    };
    assert!(MRope::new(8, 1e4, uneven).is_err());
    assert!(MRope::new(7, 1e4, uneven).is_err());
    assert!(PositionIds::from_axes([vec![0], vec![0, 1], vec![0]]).is_err());
}

fn audio(lengths: &[usize], seconds_per_chunk: f64) -> Audio<'_> {
    Audio {
        token: 4,
        start_token: 5,
        vision_start_token: 0,
        lengths,
        seconds_per_chunk,
        in_video: true,
    }
}

#[test]
fn audio_counts_on_and_bad_audio_is_refused() {
    // Each token stands for four frames of 10 ms, but for the ends.
    for (length, tokens) in [(1, 0), (3, 1), (15, 4), (11, 3), (39, 10), (3000, 750)] {
        assert_eq!(audio(&[], 2.0).tokens(length), Ok(tokens));
    }
    let no_media = media(&[], &[], &[]);
    let row = |tokens: &[i64], lengths: &[usize], media: &Media, seconds| {
        let mask = vec![true; tokens.len()];
        omni_index(&[(tokens, &mask)], media, &audio(lengths, seconds))
    };
    let alone = row(&[1, 5, 4, 4, 4, 6, 1], &[11], &no_media, 2.0).expect("ids");
    assert_eq!(alone[0].ids.axes()[0], [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(alone[0].delta, 0);
    assert!(row(&[5, 4], &[], &no_media, 2.0).is_err(), "no length");
    assert!(row(&[5, 4], &[0], &no_media, 2.0).is_err(), "no sound");
    assert!(row(&[5, 4], &[11], &no_media, 2.0).is_err(), "too short");
    let videos = [grid(1, 2, 2)];
    let film = media(&[], &videos, &[1.0]);
    assert!(row(&[0, 5, 3, 4, 6, 7], &[3], &film, 2.0).is_ok());
    assert!(
        row(&[0, 5, 3, 4, 6, 7], &[3], &film, 0.1).is_err(),
        "no id a chunk"
    );
    assert!(row(&[0, 5, 3, 4, 4, 6, 7], &[3, 3], &film, 2.0).is_ok());
}

/// The row of an array of an address.
fn row(query: &str, name: &str, row: usize) -> Vec<f64> {
    let object = vectors(&format!("page=multimodal&{query}"));
    let array = &object["arrays"][name];
    let width = array["shape"][1].as_u64().expect("two axes") as usize;
    let data = array["data"].as_array().expect("data");
    let row = &data[row * width..(row + 1) * width];
    row.iter().map(|x| x.as_f64().expect("a number")).collect()
}

#[test]
fn arrays_of_an_address_are_those_of_the_rule() {
    let blocks = "blocks=text:2,image:2x3,video:2x1x2,audio:2";
    // Written down by hand: text 0 1; the image 2 + (row, column) until 4; the video from 5 on.
    let [h, w] = [
        [0., 1., 2., 2., 2., 3., 3., 3., 5., 5., 5., 5., 7., 8.],
        [0., 1., 2., 3., 4., 2., 3., 4., 5., 6., 5., 6., 7., 8.],
    ];
    assert_eq!(row(blocks, "position_ids", 1), h);
    assert_eq!(row(blocks, "position_ids", 2), w);
    let t = |more: &str| row(&format!("{blocks}&{more}"), "position_ids", 0)[8..].to_vec();
    assert_eq!(t("mrope=qwen2vl&fps=1"), [5., 5., 6., 6., 7., 8.]);
    assert_eq!(t("mrope=qwen25vl&fps=1"), [5., 5., 9., 9., 10., 11.]);
    assert_eq!(t("mrope=qwen25vl"), [5., 5., 7., 7., 8., 9.]);
    assert_eq!(t("mrope=qwen3vl"), [5., 5., 7., 7., 9., 10.]);
    // Token 4 of the image has t 2, h 2, w 4; head_dim 128, base 1000000.
    let cos = row(blocks, "cos", 4);
    let angle = |id: f64, i: i32| (id * 1e6f64.powf(-2.0 * f64::from(i) / 128.0)).cos();
    for (i, id) in [
        (0, 2.0),
        (15, 2.0),
        (16, 2.0),
        (39, 2.0),
        (40, 4.0),
        (63, 4.0),
    ] {
        assert!((cos[i] - angle(id, i as i32)).abs() < 1e-12, "{i}");
    }
    let cos = row(&format!("{blocks}&mrope=qwen3vl&base=10000"), "cos", 4);
    for (i, id) in [
        (0, 2.0),
        (1, 2.0),
        (2, 4.0),
        (59, 4.0),
        (60, 2.0),
        (62, 2.0),
    ] {
        let angle = id * 1e4f64.powf(-2.0 * f64::from(i) / 128.0);
        assert!((cos[i as usize] - angle.cos()).abs() < 1e-12, "{i}");
    }
}

// Mistakes that real implementations made.

/// huggingface/transformers#45381: temporal ids of a video wrong, and the text after it below them.
#[test]
fn text_after_a_video_stands_above_all_its_ids() {
    let tokens: Vec<i64> = [vec![1; 3], vec![3; 12], vec![1]].concat();
    let mask = vec![true; tokens.len()];
    let videos = [grid(3, 4, 4)];
    let rows = rope_index(&[(&tokens, &mask)], &media(&[], &videos, &[2.0])).expect("ids");
    let ids = &rows[0].ids;
    assert_eq!([3, 7, 11].map(|k| ids.at(k)[0]), [3, 7, 11]);
    assert_eq!(ids.at(15), [12; 3]);
}

/// huggingface/transformers#48669, EvolvingLMMs-Lab/lmms-eval#1393: half a second was cut to 0
/// before the product, and time stood still.
#[test]
fn fractions_of_a_second_count() {
    assert_eq!(frame_times(4, 0.5, 2.0), Ok(vec![0, 1, 2, 3]));
}

/// vllm-project/vllm#10403: the delta was computed anew for each piece of the prompt.
#[test]
fn the_delta_is_that_of_the_whole_prompt() {
    let tokens: Vec<i64> = [vec![1; 2], vec![2; 4], vec![1; 3]].concat();
    let images = [grid(1, 4, 4)];
    let of = |n: usize| {
        let mask = vec![true; n];
        let rows = rope_index(&[(&tokens[..n], &mask)], &media(&images, &[], &[])).expect("ids");
        (rows[0].delta, rows[0].ids.spent())
    };
    // Constant from the end of the image on, and what a generated token's index is moved by.
    for n in 6..=9 {
        assert_eq!(of(n), (-2, n as i64 - 2));
    }
}

/// Blaizzy/mlx-vlm#576: blocks and turns confused.
#[test]
fn sections_in_blocks_and_in_turn() {
    let axis = |sizes, interleaved| {
        let sections = Sections { sizes, interleaved };
        sections.axis_of_frequency(8).expect("eight")
    };
    assert_eq!(axis([2, 3, 3], false), [0, 0, 1, 1, 1, 2, 2, 2]);
    assert_eq!(axis([4, 2, 2], true), [0, 1, 2, 0, 1, 2, 0, 0]);
}
