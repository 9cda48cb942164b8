//! File 06: positions of three numbers, and their rotations.

use posenc_lab::core::Matrix;
use posenc_lab::core::mrope::{
    Audio, Grid, MRope, Media, PositionIds, Row, Sections, omni_index, rope_index,
};

use super::case::Case;
use super::json::{Fields, Tensor};

/// What both kinds of prompts have.
struct Inputs {
    tokens: Vec<Vec<i64>>,
    masks: Vec<Vec<bool>>,
    images: Vec<Grid>,
    videos: Vec<Grid>,
    seconds: Vec<f64>,
    merge: usize,
    words: Fields,
}

impl Inputs {
    fn take(inputs: &mut Fields) -> Result<Self, String> {
        let tokens = inputs.rows_of_integers("input_ids")?;
        let masks = match inputs.optional("attention_mask") {
            Some(mask) => {
                let mask = Tensor::read("attention_mask", &mask)?;
                let width = mask.shape.last().copied().unwrap_or(1).max(1);
                let rows = mask.data.chunks(width);
                rows.map(|row| row.iter().map(|m| *m != 0.0).collect())
                    .collect()
            }
            None => tokens.iter().map(|row| vec![true; row.len()]).collect(),
        };
        let seconds = match inputs.optional("second_per_grid") {
            Some(seconds) => Tensor::read("second_per_grid", &seconds)?.data,
            None => Vec::new(),
        };
        Ok(Self {
            tokens,
            masks,
            images: grids(inputs, "image_grid_thw")?,
            videos: grids(inputs, "video_grid_thw")?,
            seconds,
            merge: inputs.size("spatial_merge_size")?,
            words: inputs.object("token_ids")?,
        })
    }

    fn rows(&self) -> Vec<(&[i64], &[bool])> {
        let rows = self.tokens.iter().zip(&self.masks);
        rows.map(|(t, m)| (t.as_slice(), m.as_slice())).collect()
    }

    fn word(&mut self, name: &str) -> Result<i64, String> {
        Ok(self.words.number(name)? as i64)
    }

    /// Compares ids, padding aside, and deltas.
    fn compare(&self, case: &mut Case, rows: &[Row]) -> Result<(), String> {
        let wanted = case.expected.tensor("position_ids")?;
        let got = self.filled(rows, &wanted)?;
        case.value("position_ids", &wanted, &got)?;
        let deltas = rows.iter().map(|row| row.delta as f64);
        case.result("delta", "delta", &Tensor::list(deltas.collect()))
    }

    /// Our ids; where there is padding, those of `other`.
    fn filled(&self, rows: &[Row], other: &Tensor) -> Result<Tensor, String> {
        let width = self.tokens.first().map_or(0, Vec::len);
        let mut out = Tensor::new(vec![3, rows.len(), width], Vec::new());
        for axis in 0..3 {
            for (row, mask) in rows.iter().zip(&self.masks) {
                let mut ids = row.ids.axes()[axis].iter();
                for real in mask {
                    let at = out.data.len();
                    let padding = || other.data.get(at).copied();
                    let id = if *real {
                        ids.next().map(|&id| id as f64)
                    } else {
                        padding()
                    };
                    out.data.push(id.ok_or("too few ids")?);
                }
                if ids.next().is_some() {
                    return Err("too many ids".into());
                }
            }
        }
        Ok(out)
    }
}

fn grids(inputs: &mut Fields, key: &str) -> Result<Vec<Grid>, String> {
    let Some(value) = inputs.optional(key) else {
        return Ok(Vec::new());
    };
    let numbers = Tensor::read(key, &value)?.integers();
    let grid = |g: &[i64]| match *g {
        [t, h, w] => Ok(Grid {
            t: t as usize,
            h: h as usize,
            w: w as usize,
        }),
        _ => Err(format!("{key} is no list of three")),
    };
    numbers.chunks(3).map(grid).collect()
}

/// Text, images and video.
pub fn positions(case: &mut Case) -> Result<(), String> {
    let mut inputs = Inputs::take(&mut case.inputs)?;
    let rate = case.inputs.optional_number("tokens_per_second")?;
    let family = case.fields.text("family")?;
    let real_time = match family.as_str() {
        "qwen2_vl" | "qwen3_vl" => false,
        "qwen2_5_vl" => true,
        _ => return Err(format!("unknown family {family:?}")),
    };
    let (image_token, video_token) = (inputs.word("image")?, inputs.word("video")?);
    // The other words tell where text, markers and padding stand, which no rule depends on.
    for other in ["text", "vision_start", "vision_end", "pad"] {
        inputs.words.optional(other);
    }
    inputs.words.all_taken()?;
    if family == "qwen3_vl" {
        // One grid a temporal patch.
        let frame = |g: &Grid| std::iter::repeat_n(Grid { t: 1, ..*g }, g.t);
        inputs.videos = inputs.videos.iter().flat_map(frame).collect();
    }
    let kinds = case.inputs.rows_of_integers("modality")?;
    let kind =
        |token: &i64| i64::from(*token == image_token) + 2 * i64::from(*token == video_token);
    let agree = inputs
        .tokens
        .iter()
        .map(|row| row.iter().map(kind).collect());
    case.must(
        agree.collect::<Vec<Vec<i64>>>() == kinds,
        "modality is not that of the tokens",
    );
    let media = Media {
        image_token,
        video_token,
        images: &inputs.images,
        videos: &inputs.videos,
        merge: inputs.merge,
        ids_per_second: rate.filter(|_| real_time),
        seconds_per_grid: &inputs.seconds,
    };
    let rows = rope_index(&inputs.rows(), &media).map_err(|e| e.to_string())?;
    inputs.compare(case, &rows)?;
    // What releases of the library return: whether it is the rule, the file says.
    for release in ["observed_transformers_4", "observed_transformers_5"] {
        let Some(observed) = case.expected.optional(release) else {
            continue;
        };
        let mut observed = Fields::new(release, &observed)?;
        let theirs = observed.tensor("position_ids")?;
        let same = observed.flag("same_on_real_tokens")?;
        observed.optional("delta");
        observed.all_taken()?;
        let ours = inputs.filled(&rows, &theirs)?;
        case.must(
            (ours.data == theirs.data) == same,
            format!("{release}: same_on_real_tokens is not {same}"),
        );
    }
    Ok(())
}

/// The same with audio.
pub fn omni(case: &mut Case) -> Result<(), String> {
    let mut inputs = Inputs::take(&mut case.inputs)?;
    let lengths = match case.inputs.optional("audio_seqlens") {
        Some(lengths) => Tensor::read("audio_seqlens", &lengths)?.integers(),
        None => Vec::new(),
    };
    let lengths: Vec<usize> = lengths.into_iter().map(|n| n.max(0) as usize).collect();
    let media = Media {
        image_token: inputs.word("image")?,
        video_token: inputs.word("video")?,
        images: &inputs.images.clone(),
        videos: &inputs.videos.clone(),
        merge: inputs.merge,
        ids_per_second: Some(case.inputs.number("position_id_per_seconds")?),
        seconds_per_grid: &inputs.seconds.clone(),
    };
    let audio = Audio {
        token: inputs.word("audio")?,
        start_token: inputs.word("audio_start")?,
        vision_start_token: inputs.word("vision_start")?,
        lengths: &lengths,
        seconds_per_chunk: case.inputs.number("seconds_per_chunk")?,
        in_video: case.inputs.flag("use_audio_in_video")?,
    };
    for other in ["text", "vision_end", "audio_end", "pad"] {
        inputs.words.optional(other);
    }
    inputs.words.all_taken()?;
    let rows = omni_index(&inputs.rows(), &media, &audio).map_err(|e| e.to_string())?;
    inputs.compare(case, &rows)
}

/// Axis of each frequency, cos and sin, and rotated queries and keys where they are given.
pub fn cos_sin(case: &mut Case) -> Result<(), String> {
    let interleaved = match case.layout.as_str() {
        "contiguous_sections" => false,
        "interleaved_sections" => true,
        layout => return Err(format!("unknown layout {layout:?}")),
    };
    let head_dim = case.inputs.size("head_dim")?;
    let sizes = case.inputs.tensor("mrope_section")?.integers();
    let sizes: Vec<usize> = sizes.into_iter().map(|n| n.max(0) as usize).collect();
    let sizes = <[usize; 3]>::try_from(sizes).map_err(|_| "mrope_section is not three numbers")?;
    let sections = Sections { sizes, interleaved };
    let base = case.inputs.number("base")?;
    let rope = MRope::new(head_dim, base, sections).map_err(|e| e.to_string())?;
    let axes = case.inputs.rows_of_integers("position_ids")?;
    let axes = <[Vec<i64>; 3]>::try_from(axes).map_err(|_| "position_ids are not three rows")?;
    let ids = PositionIds::from_axes(axes).map_err(|e| e.to_string())?;

    let axis = rope.axis_of_frequency().iter().map(|&a| a as f64);
    let axis = Tensor::list(axis.collect());
    let wanted = case.expected.tensor("axis_of_frequency")?;
    case.must(axis.data == wanted.data, "axis_of_frequency");
    let (cos, sin) = rope.cos_sin(&ids);
    case.result("cos", "cos_sin", &Tensor::matrix(&cos))?;
    case.result("sin", "cos_sin", &Tensor::matrix(&sin))?;
    for name in ["q", "k"] {
        let Some(value) = case.inputs.optional(name) else {
            continue;
        };
        let (lead, heads) = Tensor::read(name, &value)?.matrices()?;
        let turned: Result<Vec<Matrix>, _> = heads.iter().map(|x| rope.apply(x, &ids)).collect();
        let turned = Tensor::stack(lead, &turned.map_err(|e| e.to_string())?);
        case.result(&format!("{name}_rot"), "rotated", &turned)?;
    }
    Ok(())
}
