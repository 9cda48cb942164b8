//! Parameters of which only some count.

use std::cell::RefCell;

use super::key::Key;
use super::page::Page;
use super::params::Params;
use super::query::Requested;
use super::resolve::resolve;
use super::value::Value;

impl Params {
    /// These parameters as a page opens, but with those of `keys`: what only `keys` can change.
    /// Parameters that say how the page looks, not what it computes, are left as the page opens.
    pub fn only(&self, keys: impl Iterator<Item = Key>) -> Self {
        let mut out = opened(self.page);
        for key in keys {
            out.take(self, key);
        }
        out
    }

    /// Moves the traced cell, or the step shown; other parameters are left alone.
    pub fn trace(&mut self, key: Key, place: usize) {
        match key {
            Key::Pos => self.pos = place,
            Key::Dim => self.dim = place,
            Key::I => self.i = place,
            Key::J => self.j = place,
            Key::Q => self.q = place,
            Key::K => self.k = place,
            Key::Step => self.step = place,
            _ => {}
        }
    }

    /// Where a film has come to on its way from a place to the next of `count`.
    pub fn passing(&self, place: usize, count: usize) -> f64 {
        if place + 1 < count {
            place as f64 + self.between
        } else {
            place as f64
        }
    }

    /// How far a film of the drawing alone is from what the parameters say: 0 at its ends, 1 in its middle.
    pub fn away(&self) -> f64 {
        1.0 - (1.0 - 2.0 * self.between).abs()
    }

    /// Takes one parameter over from others, with all that it means.
    fn take(&mut self, from: &Self, key: Key) {
        let (s, f) = (&mut self.setting, &from.setting);
        match key {
            Key::V
            | Key::Page
            | Key::Embed
            | Key::Preset
            | Key::Lang
            | Key::Theme
            | Key::Present
            | Key::Fit
            | Key::Lock
            | Key::Hide
            | Key::Rows => {}
            Key::Scheme => self.scheme = from.scheme,
            Key::DModel => s.d_model = f.d_model,
            Key::SeqLen => self.seq_len = from.seq_len,
            // Where none is given, a page has up to three defaults.
            Key::Base => {
                s.base = f.base;
                self.sequence.base = from.sequence.base;
                self.grid_base = from.grid_base;
            }
            Key::MaxRelDist => s.max_rel_dist = f.max_rel_dist,
            Key::Heads => s.heads = f.heads,
            Key::Pos => self.pos = from.pos,
            Key::Dim => self.dim = from.dim,
            Key::I => self.i = from.i,
            Key::J => self.j = from.j,
            Key::Shift => self.shift = from.shift,
            Key::Head => self.head = from.head,
            Key::Layer => self.layer = from.layer,
            Key::Step => self.step = from.step,
            Key::Bias => s.bias = f.bias,
            Key::BiasEdits => s.bias_edits.clone_from(&f.bias_edits),
            Key::Layout => s.layout = f.layout,
            Key::Pairing => s.pairing = f.pairing,
            Key::Scaling => s.context.remedy = f.context.remedy,
            Key::Factor => s.context.factor = f.context.factor,
            Key::OrigLen => s.context.orig_len = f.context.orig_len,
            Key::TargetLen => s.context.target_len = f.context.target_len,
            Key::BetaFast => s.context.beta_fast = f.context.beta_fast,
            Key::BetaSlow => s.context.beta_slow = f.context.beta_slow,
            Key::LowFreqFactor => s.context.low_freq_factor = f.context.low_freq_factor,
            Key::HighFreqFactor => s.context.high_freq_factor = f.context.high_freq_factor,
            Key::Truncate => s.context.truncate = f.context.truncate,
            Key::AttentionFactor => s.context.attention_factor = f.context.attention_factor,
            Key::Sections => self.sequence.sections = from.sequence.sections,
            Key::Causal => s.causal = f.causal,
            Key::Layers => self.layers = from.layers,
            Key::Pool => self.pool = from.pool,
            Key::TextA => {
                self.text_a.clone_from(&from.text_a);
                self.tokens_a.clone_from(&from.tokens_a);
            }
            Key::TextB => {
                self.text_b.clone_from(&from.text_b);
                self.tokens_b.clone_from(&from.tokens_b);
            }
            Key::Tokens => self.tokens = from.tokens,
            Key::Grid => self.grid = from.grid,
            Key::Patch => self.patch = from.patch,
            Key::Scheme2d => self.scheme2d = from.scheme2d,
            Key::Window => self.window = from.window,
            Key::Trained => self.trained = from.trained,
            Key::Image => {
                self.image = from.image;
                self.photo.clone_from(&from.photo);
            }
            Key::Blocks => self.sequence.blocks.clone_from(&from.sequence.blocks),
            Key::Mrope => self.sequence.version = from.sequence.version,
            Key::Fps => self.sequence.fps = from.sequence.fps,
            Key::ModBias => self.sequence.bias = from.sequence.bias,
            Key::Q => self.q = from.q,
            Key::K => self.k = from.k,
            Key::Seconds => {
                self.sound.seconds = from.sound.seconds;
                self.sound.recording.clone_from(&from.sound.recording);
            }
            Key::Rate => self.sound.rate = from.sound.rate,
            Key::Bpm => self.sound.bpm = from.sound.bpm,
            Key::Seed => s.seed = f.seed,
        }
    }
}

/// The parameters of a page whose address says nothing else.
fn opened(page: Page) -> Params {
    thread_local! {
        static OPENED: RefCell<Vec<Params>> = const { RefCell::new(Vec::new()) };
    }
    OPENED.with_borrow_mut(|all| {
        if let Some(known) = all.iter().find(|p| p.page == page) {
            return known.clone();
        }
        let mut requested = Requested::default();
        requested.set(Key::Page, Value::Word(page.id()));
        let params = resolve(&requested, |_| None).0;
        all.push(params.clone());
        params
    })
}
