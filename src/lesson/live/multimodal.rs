//! Numbers of the page `multimodal`.

use super::*;

impl Live<'_> {
    pub(super) fn on_a_grid(&self, name: &str) -> Option<f64> {
        let p = self.p;
        let (grid, window) = (p.grid, p.window);
        let (row, column) = grid.place(p.pos);
        let (down, across) = difference(window, p.i, p.j);
        let one = |frequencies: &[f64], distance: usize| {
            let distance = std::iter::once(distance as f64);
            similarity_by_distance(frequencies, distance)[0]
        };
        let flat = |distance| {
            let s = &p.setting;
            let pe = Sinusoidal::new(s.d_model, p.grid_base, s.layout).ok()?;
            Some(one(pe.frequencies(), distance))
        };
        Some(match name {
            "patch" => p.patch as f64,
            "patches" => grid.cells() as f64,
            "grid_rows" => grid.rows() as f64,
            "grid_columns" => grid.columns() as f64,
            "patch_row" => row as f64,
            "patch_column" => column as f64,
            "image_height" => (grid.rows() * p.patch) as f64,
            "image_width" => (grid.columns() * p.patch) as f64,
            "right_1d" => flat(1)?,
            "below_1d" => flat(grid.columns())?,
            // One axis stays, the other goes one on.
            "next_2d" => {
                let pe = Sincos2d::new(p.setting.d_model, p.grid_base, Blocks::MAE).ok()?;
                (1.0 + one(pe.frequencies(), 1)) / 2.0
            }
            "window_rows" => window.rows() as f64,
            "window_columns" => window.columns() as f64,
            "window_cells" => window.cells() as f64,
            "delta_row" => down as f64,
            "delta_column" => across as f64,
            "swin_index" => swin_index(window, p.i, p.j) as f64,
            "swin_rows" => table_rows(window) as f64,
            _ => return None,
        })
    }

    pub(super) fn in_a_sequence(&self, name: &str) -> Option<f64> {
        let p = self.p;
        let (sequence, sound, q, k) = (&p.sequence, &p.sound, p.q, p.k);
        let frames = sound.seconds * sound.rate;
        let trained = TRAINED_SECONDS * sound.rate;
        Some(match name {
            "seconds" => sound.seconds as f64,
            "rate" => sound.rate as f64,
            "frames" => frames as f64,
            "trained_frames" => trained as f64,
            "unseen_frames" => frames.saturating_sub(trained) as f64,
            "tokens" => total_tokens(&sequence.blocks) as f64,
            "fps" => sequence.fps,
            "seconds_per_grid" => sequence.seconds_per_grid(),
            "q" => q as f64,
            "k" => k as f64,
            "flat_distance" => q as f64 - k as f64,
            "mod_bias" => sequence.bias_of(q, k),
            _ => {
                let ids = self
                    .ids
                    .get_or_init(|| sequence.ids().ok())
                    .as_ref()
                    .filter(|ids| !ids.is_empty())?;
                let [q_ids, k_ids] = [q, k].map(|token| ids.at(token));
                let score = |query, key| {
                    let head_dim = p.setting.whole_head_dim().ok()?;
                    let rope = sequence.rope(head_dim).ok()?;
                    let turned = rope.similarity(query, key) * (head_dim as f64).sqrt();
                    Some(turned + sequence.bias_of(q, k))
                };
                match name {
                    "ids_spent" => ids.spent() as f64,
                    "q_t" => q_ids[0] as f64,
                    "q_h" => q_ids[1] as f64,
                    "q_w" => q_ids[2] as f64,
                    "k_t" => k_ids[0] as f64,
                    "k_h" => k_ids[1] as f64,
                    "k_w" => k_ids[2] as f64,
                    "score_flat" => score([q as i64; 3], [k as i64; 3])?,
                    "score_ids" => score(q_ids, k_ids)?,
                    _ => return None,
                }
            }
        })
    }
}
