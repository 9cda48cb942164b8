//! Numbers of the page `context`.

use super::*;

impl Live<'_> {
    pub(super) fn context(&self, name: &str) -> Option<f64> {
        let p = self.p;
        let c = &p.setting.context;
        let rope = self.rope()?;
        let plain = plain_frequencies(rope.rotary_dim(), p.setting.base);
        let pair = rope.pairing().pair_of(rope.head_dim(), p.dim);
        let (before, theta) = (*plain.get(pair)?, *rope.inv_freq().get(pair)?);
        let ratio = |pair: usize| rope.inv_freq()[pair] / plain[pair];
        let turns = |theta: f64| c.orig_len as f64 / wavelength(theta);
        Some(match name {
            "factor" => c.factor,
            "orig_len" => c.orig_len as f64,
            "target_len" => c.target_len as f64,
            "rope_pair" => pair as f64,
            "plain_theta" => before,
            "theta" => theta,
            "ratio" => ratio(pair),
            "first_ratio" => ratio(0),
            "last_ratio" => ratio(plain.len() - 1),
            "turns" => turns(before),
            "seen_angle" => (c.orig_len - 1) as f64 * before,
            "far_angle" => (c.target_len - 1) as f64 * theta,
            "rope_wavelength" => wavelength(theta),
            "whole_pairs" => plain.iter().filter(|w| turns(**w) >= 1.0).count() as f64,
            "ntk_base" => ntk_base(rope.rotary_dim(), p.setting.base, c.factor).ok()?,
            "ntk_divisor" => {
                let ntk = RopeScaling::Ntk { factor: c.factor };
                let scaled = ntk.at(rope.rotary_dim(), p.setting.base, None).ok()?;
                1.0 / scaled.ratios[pair]
            }
            "attention_factor" => rope.attention_factor(),
            "score_factor" => rope.attention_factor().powi(2),
            _ => return None,
        })
    }
}
