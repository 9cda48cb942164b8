//! The second step: what was asked for becomes [`Params`] that are legal in combination, with a
//! [`Notice`] for what could not be taken as it was given.

use super::key::Key;
use super::notice::Notice;
use super::page::Page;
use super::params::{Lang, Params, Theme};
use super::query::Requested;
use super::resolver::Resolver;
use super::sequence::Sound;
use super::text::number;
use super::value::Value;
use crate::core::encoding::Setting;
use crate::core::encoding::relative::BiasStart;
use crate::core::encoding::rope::Pairing;
use crate::core::head::Stage;
use crate::core::mrope::total_tokens;
use crate::core::tokens::TokenKind;
use crate::core::toy::Pool;

/// Base of the frequencies where none is given: that of both papers.
const DEFAULT_BASE: f64 = 10000.0;

/// Base of the frequencies on a grid where none is given: that of MAE and of vision encoders.
const GRID_BASE: f64 = 10000.0;

/// The traced position where none is given.
const POS: usize = 3;

/// Makes what was asked for legal in combination. `figure_page` tells the page of a figure's id.
pub fn resolve(
    requested: &Requested,
    figure_page: impl Fn(&str) -> Option<Page>,
) -> (Params, Vec<Notice>) {
    let requested = &requested.written_out();
    let mut r = Resolver {
        requested,
        notices: Vec::new(),
    };
    let embed = r.embed(&figure_page);
    let page = r.page(embed.as_deref().and_then(&figure_page));
    let scheme = r.scheme(page);
    let d_model = r.d_model(page);
    let heads = r.heads(d_model, scheme, page);
    let scheme2d = r.scheme2d(d_model, heads, page);
    let layout = r.layout(d_model, scheme);
    let tokens = match r.word(Key::Tokens) {
        "char" => TokenKind::Char,
        _ => TokenKind::Word,
    };
    let seq_len = r.int(Key::SeqLen);
    let layers = r.int(Key::Layers);
    let sequence = r.sequence(d_model / heads, page);
    let last_token = total_tokens(&sequence.blocks) - 1;
    let setting = Setting {
        d_model,
        heads,
        base: r.base(DEFAULT_BASE),
        max_rel_dist: r.int(Key::MaxRelDist),
        layout,
        pairing: match r.word(Key::Pairing) {
            "half" => Pairing::Half,
            _ => Pairing::Interleaved,
        },
        context: r.context(),
        causal: r.int(Key::Causal) == 1,
        seed: r.int(Key::Seed) as u32,
        bias: match r.word(Key::Bias) {
            "decay" => BiasStart::Decay,
            "zero" => BiasStart::Zero,
            _ => BiasStart::Random,
        },
        bias_edits: Vec::new(),
    };
    let setting = r.scaled(setting, scheme, page);
    let (grid, window) = (r.grid(Key::Grid), r.grid(Key::Window));
    // The last place of a traced position and of a traced pair.
    let (last, last_of_pair) = match page {
        Page::Multimodal => (grid.cells() - 1, window.cells() - 1),
        _ => (seq_len - 1, seq_len - 1),
    };
    let params = Params {
        page,
        embed,
        scheme,
        seq_len,
        pos: match requested.get(Key::Pos) {
            Some(_) => r.int(Key::Pos).min(last),
            // The middle of a grid shows all its neighbourhood.
            None if page == Page::Multimodal => {
                grid.rows() / 2 * grid.columns() + grid.columns() / 2
            }
            None => POS.min(last),
        },
        dim: r.int(Key::Dim).min(d_model - 1),
        i: r.int(Key::I).min(last_of_pair),
        j: r.int(Key::J).min(last_of_pair),
        shift: r.signed(Key::Shift),
        head: r.int(Key::Head).min(heads - 1),
        layer: r.int(Key::Layer).min(layers - 1),
        step: r.int(Key::Step).min(Stage::ALL.len() - 1),
        layers,
        pool: match r.word(Key::Pool) {
            "last" => Pool::Last,
            "none" => Pool::None,
            _ => Pool::Mean,
        },
        text_a: r.text(Key::TextA).to_owned(),
        text_b: r.text(Key::TextB).to_owned(),
        tokens_a: r.sentence(Key::TextA, tokens),
        tokens_b: r.sentence(Key::TextB, tokens),
        tokens,
        grid,
        patch: r.int(Key::Patch),
        scheme2d,
        window,
        trained: r.grid(Key::Trained),
        grid_base: match requested.get(Key::Base) {
            Some(Value::Real(base)) => *base,
            _ => GRID_BASE,
        },
        image: r.word(Key::Image),
        photo: None,
        between: 0.0,
        sequence,
        q: r.int(Key::Q).min(last_token),
        k: r.int(Key::K).min(last_token),
        sound: Sound {
            seconds: r.int(Key::Seconds),
            rate: r.int(Key::Rate),
            bpm: r.int(Key::Bpm),
            recording: None,
        },
        lang: match r.word(Key::Lang) {
            "zh" => Some(Lang::Zh),
            "en" => Some(Lang::En),
            _ => None,
        },
        theme: match r.word(Key::Theme) {
            "light" => Theme::Light,
            "dark" => Theme::Dark,
            _ => Theme::Auto,
        },
        present: r.int(Key::Present) == 1,
        fits_window: r.word(Key::Fit) == "window",
        lock: r.names(Key::Lock),
        hide: r.names(Key::Hide),
        preset: requested.model().map(|m| m.id),
        rows: match requested.get(Key::Rows) {
            Some(Value::Rows(a, b)) => Some((*a, *b)),
            _ => None,
        },
        setting: Setting {
            bias_edits: r.edits(&setting, scheme),
            ..setting
        },
    };
    (params, r.notices)
}

/// [`resolve`], after reading an address: adds its notices to those of the reading, and says in
/// each of those what is used where the default depends on other values.
pub fn open(
    requested: &Requested,
    figure_page: impl Fn(&str) -> Option<Page>,
    notices: &mut Vec<Notice>,
) -> Params {
    let (params, more) = resolve(requested, figure_page);
    for n in notices.iter_mut().filter(|n| n.used.is_empty()) {
        if let Some(key) = Key::by_name(&n.name) {
            let used = params.number(key).map(number).or_else(|| params.word(key));
            n.used = used.unwrap_or_default();
        }
    }
    notices.extend(more);
    params
}
