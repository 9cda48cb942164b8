//! What `rope-circles` asks: where the hand of the fastest pair stands once the base is larger.

use super::{Circles, on_circle};
use crate::core::CoreError;
use crate::core::encoding::rope::Rope;
use crate::core::encoding::rope_scaling::Remedy;
use crate::figure::View;
use crate::figure::kit::grip::{colour, grip, yours};
use crate::figure::kit::scene::{Hit, Rect, Scene, Target};
use crate::figure::kit::veil::veil;
use crate::figure::put::{Guess, Handle, Unit};
use crate::state::Params;

/// The base that is known, and the one asked about.
const BASES: (f64, f64) = (10_000.0, 1_000_000.0);
/// The target in which the hand is set, and into how many cells it is cut.
pub(super) const SET: usize = usize::MAX;
const FINE: usize = 400;

/// The rotations with these bases, without scaling.
pub(super) struct Asked {
    known: Rope,
    wanted: Rope,
}

impl Asked {
    pub(super) fn of(p: &Params) -> Result<Self, CoreError> {
        let with = |base| {
            let mut setting = p.setting.clone();
            setting.base = base;
            setting.context.remedy = Remedy::None;
            Ok::<_, CoreError>(p.scheme.turns(&setting)?.rope().clone())
        };
        Ok(Self {
            known: with(BASES.0)?,
            wanted: with(BASES.1)?,
        })
    }
}

impl Circles {
    /// The hand to be set, in degrees.
    pub(super) fn to_set(&self, pos: usize) -> Handle {
        let angle = self.asked.wanted.angle(pos as f64, 0);
        let degrees = angle.to_degrees().rem_euclid(360.0);
        let hand = Handle {
            name: "hand",
            range: (0.0, 355.0),
            step: 5.0,
            start: 90.0,
            right: vec![degrees - 360.0, degrees, degrees + 360.0],
            within: 12.0,
            unit: Unit::Degrees,
        };
        hand.beside()
    }

    /// Where a press in the circle sets the hand.
    pub(super) fn set(&self, hit: Hit, pos: usize) -> Option<(usize, f64)> {
        let centred = |cell: usize| (cell as f64 + 0.5) / FINE as f64 - 0.5;
        let (x, y) = (centred(hit.column), -centred(hit.row));
        let degrees = y.atan2(x).to_degrees().rem_euclid(360.0);
        // Just short of a whole turn is nearer to none.
        let degrees = if degrees > 357.5 { 0.0 } else { degrees };
        (hit.target == SET).then(|| (0, self.to_set(pos).snapped(degrees)))
    }

    /// The circle of the pair that is asked for: the hand that is known, faintly, and the one that is set.
    pub(super) fn draw_asked(
        &self,
        scene: &mut Scene,
        view: &View,
        (centre, r): ((f64, f64), f64),
        pos: f64,
    ) {
        let c = view.colours;
        let Some(guess) = view.guess else {
            let side = 2.0 * r * std::f64::consts::FRAC_1_SQRT_2;
            let corner = (centre.0 - side / 2.0, centre.1 - side / 2.0);
            return veil(scene, view, Rect::new(corner.0, corner.1, side, side));
        };
        let known = on_circle(centre, r, self.asked.known.angle(pos, 0));
        scene.dashed(vec![centre, known], c.muted, 1.8);
        scene.disc(known, 3.0, c.muted);
        self.draw_guess(scene, view, (centre, r), &guess);
        let side = 2.0 * r + 12.0;
        scene.targets.push(Target {
            id: SET,
            rect: Rect::new(centre.0 - side / 2.0, centre.1 - side / 2.0, side, side),
            rows: FINE,
            columns: FINE,
        });
    }

    /// The hand that the visitor has set.
    pub(super) fn draw_guess(
        &self,
        scene: &mut Scene,
        view: &View,
        (centre, r): ((f64, f64), f64),
        guess: &Guess,
    ) {
        let tip = on_circle(centre, r, guess[0].to_radians());
        if view.reveal {
            scene.dashed(vec![centre, tip], colour(view), 2.2);
        } else {
            scene.line(vec![centre, tip], colour(view), 2.6);
        }
        grip(scene, view, tip);
        let around = Rect::new(centre.0 - r, centre.1 - r, 2.0 * r, 2.0 * r);
        yours(scene, view, (tip.0, (tip.1 + centre.1) / 2.0), around);
    }
}
