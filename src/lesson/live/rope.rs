//! Numbers of the page `rope`.

use super::Live;
use crate::core::analysis::wavelength;
use crate::figure::rope::parts::query_and_key;

impl Live<'_> {
    pub(super) fn rope_value(&self, name: &str) -> Option<f64> {
        let p = self.p;
        let rotation = self.rotation()?;
        let rope = rotation.rope();
        let pair = rope.pairing().pair_of(rope.head_dim(), p.dim);
        let theta = *rope.inv_freq().get(pair)?;
        let last = *rope.inv_freq().last()?;
        let distance = p.i as f64 - p.j as f64;
        Some(match name {
            "rope_pair" => pair as f64,
            "theta" => theta,
            "angle_m" => p.i as f64 * theta,
            "angle_n" => p.j as f64 * theta,
            "angle_diff" => distance * theta,
            "rope_wavelength" => wavelength(theta),
            "rope_score" => {
                let (q, k) = query_and_key(p.setting.seed, rope.head_dim());
                rotation.scores(&q, &k, &[distance])[0] / (rope.head_dim() as f64).sqrt()
            }
            "mean_cosine" => rotation.similarity(&[distance])[0],
            "last_theta" => last,
            "last_rope_wavelength" => wavelength(last),
            _ => return None,
        })
    }
}
