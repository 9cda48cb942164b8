//! The sequence of `blocks` and the bias of `mod_bias`, between the address and values.

use super::notice::Notice;
use super::text::{MAX_BIAS, half_width, names, nearest_int, number, read_number};
use crate::core::mrope::{Block, MODALITIES, Modality, ModalityBias, total_tokens};

/// Most blocks of a sequence.
pub const MAX_BLOCKS: usize = 32;
/// Most tokens of a sequence.
pub const MAX_BLOCK_TOKENS: usize = 4096;
/// The sequence where none is given.
pub(super) const DEFAULT_BLOCKS: &str = "text:3,image:4x4,text:4,video:3x2x2,audio:6,text:2";

/// A sequence as the address spells it.
pub fn blocks_text(blocks: &[Block]) -> String {
    let word = |block: &Block| {
        let sizes: Vec<String> = block_sizes(*block).iter().map(usize::to_string).collect();
        format!("{}:{}", block.modality().id(), sizes.join("x"))
    };
    blocks.iter().map(word).collect::<Vec<_>>().join(",")
}

/// The sizes of a block, as many as its kind has, in the order of the address.
pub fn block_sizes(block: Block) -> Vec<usize> {
    match block {
        Block::Text(n) | Block::Audio(n) => vec![n],
        Block::Image(h, w) => vec![h, w],
        Block::Video(t, h, w) => vec![t, h, w],
    }
}

/// A block of a kind with as many sizes as it has, if it has so many.
pub fn block_of(kind: Modality, sizes: &[usize]) -> Option<Block> {
    match (kind, sizes) {
        (Modality::Text, &[n]) => Some(Block::Text(n)),
        (Modality::Image, &[h, w]) => Some(Block::Image(h, w)),
        (Modality::Video, &[t, h, w]) => Some(Block::Video(t, h, w)),
        (Modality::Audio, &[n]) => Some(Block::Audio(n)),
        _ => None,
    }
}

/// The blocks of a text, and the code of the first thing that was wrong: entries that cannot be
/// read are left out, sizes go to the nearest legal one, and what exceeds the limits is left out.
pub(super) fn read_blocks(text: &str) -> (Vec<Block>, Option<&'static str>) {
    let mut out: Vec<Block> = Vec::new();
    let mut code = None;
    let plain: String = text.chars().map(half_width).collect();
    for entry in names(&plain) {
        let Some((block, wrong)) = block(&entry) else {
            code = code.or(Some("bad-block"));
            continue;
        };
        code = code.or(wrong);
        let tokens = total_tokens(&out).saturating_add(block.tokens());
        if out.len() == MAX_BLOCKS || tokens > MAX_BLOCK_TOKENS {
            code = code.or(Some("too-many-blocks"));
        } else {
            out.push(block);
        }
    }
    (out, code)
}

/// One block, and what was wrong with its sizes.
fn block(entry: &str) -> Option<(Block, Option<&'static str>)> {
    let (kind, sizes) = entry.split_once(':')?;
    let mut wrong = None;
    let size = |text: &str| {
        let (x, code) = read_number(text, 1.0, MAX_BLOCK_TOKENS as f64);
        let x = x?;
        let fraction = (x.fract() != 0.0).then_some("not-whole");
        wrong = wrong.or(code).or(fraction);
        Some(nearest_int(x) as usize)
    };
    let sizes: Option<Vec<usize>> = sizes.split(['x', 'X', '×', '*']).map(size).collect();
    let block = block_of(Modality::by_id(kind.trim())?, &sizes?)?;
    Some((block, wrong))
}

/// Sets size number `side` of block `at` to what was typed, and tells what was wrong with it: a size
/// goes to the nearest with which the sequence stays within its limit, and one that is no number
/// stays as it was.
pub fn type_size(blocks: &mut [Block], at: usize, side: usize, typed: &str) -> Option<Notice> {
    let all = total_tokens(blocks);
    let block = blocks.get_mut(at)?;
    let tokens = block.tokens();
    let size = side_of(block, side)?;
    let left = MAX_BLOCK_TOKENS.saturating_sub(all - tokens);
    let most = (left * *size / tokens.max(1)).max(1);
    let (x, wrong) = read_number(typed, 1.0, most as f64);
    let fraction = x.is_some_and(|x| x.fract() != 0.0).then_some("not-whole");
    *size = x.map_or(*size, |x| nearest_int(x) as usize);
    let code = wrong.or(fraction)?;
    Some(Notice::new(code, "blocks", typed, size.to_string()))
}

/// A size of a block, counted as the address has them.
fn side_of(block: &mut Block, side: usize) -> Option<&mut usize> {
    match (block, side) {
        (Block::Text(n) | Block::Audio(n), 0) => Some(n),
        (Block::Image(n, _) | Block::Video(n, _, _), 0) => Some(n),
        (Block::Image(_, n) | Block::Video(_, n, _), 1) => Some(n),
        (Block::Video(_, _, n), 2) => Some(n),
        _ => None,
    }
}

/// A bias as the address spells it: what is not 0.
pub(super) fn mod_bias_text(bias: &ModalityBias) -> String {
    let pairs = MODALITIES
        .into_iter()
        .flat_map(|q| MODALITIES.map(|k| (q, k)));
    let entry = |(q, k): (Modality, Modality)| {
        let value = bias.get(q, k);
        (value != 0.0).then(|| format!("{}:{}:{}", q.id(), k.id(), number(value)))
    };
    pairs.filter_map(entry).collect::<Vec<_>>().join(",")
}

/// The bias of a text, and the code of the first thing that was wrong: entries that cannot be read
/// are left out, of a pair given twice the last counts.
pub(super) fn read_mod_bias(text: &str) -> (ModalityBias, Option<&'static str>) {
    let mut bias = ModalityBias::default();
    let mut code = None;
    let plain: String = text.chars().map(half_width).collect();
    for entry in names(&plain) {
        match pair(&entry) {
            Some((query, key, value, wrong)) => {
                bias.set(query, key, value);
                code = code.or(wrong);
            }
            None => code = code.or(Some("bad-pair")),
        }
    }
    (bias, code)
}

fn pair(entry: &str) -> Option<(Modality, Modality, f64, Option<&'static str>)> {
    let mut parts = entry.split(':').map(str::trim);
    let query = Modality::by_id(parts.next()?)?;
    let key = Modality::by_id(parts.next()?)?;
    let (value, wrong) = read_number(parts.next()?, -MAX_BIAS, MAX_BIAS);
    parts.next().is_none().then_some(())?;
    Some((query, key, value?, wrong))
}
