//! The PyTorch panels: templates with `{{holes}}` that the present parameters fill.
//!
//! How a template is written, and which holes there are, is in `docs/lesson-format.md`.

use crate::core::mrope::Block;
use crate::state::{Key, Kind, Params, block_sizes, number};

/// Ends the line of a template that computes the traced cell; the page marks the line and leaves
/// this out.
pub const TRACED: &str = "  # traced";

/// Ends a line of a template that stands only under some scalings of RoPE, which follow:
/// `yarn-whole` and `yarn-exact` are yarn whose ramp is over whole pairs, or is not.
const ONLY: &str = "  # only: ";

/// Every panel: its id and its template, in the lesson's order.
pub const CODE: &[(&str, &str)] = &[
    ("order", include_str!("code/order.py")),
    ("sinusoidal", include_str!("code/sinusoidal.py")),
    ("learned", include_str!("code/learned.py")),
    ("relative", include_str!("code/relative.py")),
    ("shaw", include_str!("code/shaw.py")),
    ("t5", include_str!("code/t5.py")),
    ("alibi", include_str!("code/alibi.py")),
    ("kerple", include_str!("code/kerple.py")),
    ("rope", include_str!("code/rope.py")),
    ("xpos", include_str!("code/xpos.py")),
    ("context", include_str!("code/context.py")),
    ("grid", include_str!("code/grid.py")),
    ("mrope", include_str!("code/mrope.py")),
];

/// The code of a panel with the present parameters filled in, [`TRACED`] still in it; `None` if
/// there is no such panel.
pub fn fill(id: &str, params: &Params) -> Option<String> {
    let (_, template) = CODE.iter().find(|(known, _)| *known == id)?;
    Some(fill_text(template, params))
}

/// Any text with its holes filled; one that is not known is kept as it stands. Lines that stand
/// only under other scalings are left out.
pub fn fill_text(text: &str, params: &Params) -> String {
    let scaling = params.setting.context.remedy.id();
    let ramp = format!(
        "{scaling}-{}",
        if params.setting.context.truncate {
            "whole"
        } else {
            "exact"
        }
    );
    let text = lines_of(text, &[scaling, &ramp]);
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("{{") {
        out.push_str(before);
        let filled = after
            .split_once("}}")
            .and_then(|(name, after)| Some((hole(name, params)?, after)));
        rest = match filled {
            Some((value, after)) => {
                out.push_str(&value);
                after
            }
            None => {
                out.push_str("{{");
                after
            }
        };
    }
    out.push_str(rest);
    out
}

/// The lines that stand under a scaling. Where lines are left out, one blank line is left.
fn lines_of(text: &str, scaling: &[&str]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut left_out = false;
    for line in text.split_inclusive('\n') {
        let Some((code, only)) = line.split_once(ONLY) else {
            let twice = out.is_empty() || out.ends_with("\n\n");
            if !(left_out && twice && line.trim().is_empty()) {
                out.push_str(line);
            }
            left_out = false;
            continue;
        };
        if only.split_whitespace().any(|word| scaling.contains(&word)) {
            out.push_str(code);
            out.push('\n');
            left_out = false;
        } else {
            left_out = true;
        }
    }
    out
}

/// What stands in a hole, as Python writes it (a word without its quotes); `None` for a name
/// that is no hole.
pub fn hole(name: &str, params: &Params) -> Option<String> {
    let s = &params.setting;
    Some(match name {
        "head_dim" => s.head_dim().to_string(),
        "rope_pair" => {
            let width = s.head_dim().max(2);
            s.pairing.pair_of(width, params.dim).to_string()
        }
        "tokens_a" => list(&params.tokens_a),
        "tokens_b" => list(&params.tokens_b),
        "grid_rows" => params.grid.rows().to_string(),
        "grid_columns" => params.grid.columns().to_string(),
        "grid_base" => number(params.grid_base),
        "mrope_base" => number(params.sequence.base),
        "blocks" => {
            let one = |block: &Block| {
                let sizes: Vec<String> = block_sizes(*block).iter().map(usize::to_string).collect();
                format!("(\"{}\", {})", block.modality().id(), sizes.join(", "))
            };
            let all: Vec<String> = params.sequence.blocks.iter().map(one).collect();
            format!("[{}]", all.join(", "))
        }
        "attention_factor" => match s.context.attention_factor {
            Some(given) => number(given),
            None => "None".to_owned(),
        },
        "sections" => {
            let [t, h, w] = params.sequence.sections(s.head_dim() / 2).sizes;
            format!("[{t}, {h}, {w}]")
        }
        "bias_qk" => number(params.sequence.bias_of(params.q, params.k)),
        "bias_edits" => {
            // Only what the scheme takes now, as on the page.
            let edits = s.bias_edits.iter().filter(|e| params.scheme.takes(s, e));
            let edits: Vec<String> = edits
                .map(|e| format!("({}, {}, {})", e.head, e.index, number(e.value)))
                .collect();
            format!("[{}]", edits.join(", "))
        }
        _ => {
            let key = Key::by_name(name)?;
            match key.spec().kind {
                Kind::Flag if params.number(key)? == 1.0 => "True".to_owned(),
                Kind::Flag => "False".to_owned(),
                Kind::Words(_) => params.word(key)?,
                Kind::Int { .. } | Kind::Place | Kind::Real { .. } => number(params.number(key)?),
                _ => return None,
            }
        }
    })
}

/// Strings as Python writes them; JSON's escapes mean the same there.
fn list(tokens: &[String]) -> String {
    let quoted: Vec<String> = tokens
        .iter()
        .map(|t| serde_json::Value::from(t.as_str()).to_string())
        .collect();
    format!("[{}]", quoted.join(", "))
}
