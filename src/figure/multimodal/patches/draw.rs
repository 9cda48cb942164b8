//! Where the parts stand, and how the image is drawn.

use super::{IMAGE, Patches, Places, WIDE};
use crate::figure::View;
use crate::figure::kit::colour::Colours;
use crate::figure::kit::scene::{Rect, Scene};
use crate::figure::multimodal::grid_map::{GridMap, fit, trace};
use crate::say;

impl Patches {
    pub(super) fn places(&self, width: f64) -> Places {
        let (left, top, right, bottom) = GridMap::MARGIN;
        let (rows, columns) = (self.grid.rows(), self.grid.columns());
        let wide = width >= WIDE;
        let room = if wide { width * 0.44 } else { width };
        let high = if wide { 420.0 } else { 300.0 };
        let image = fit((left, top), (room - left - right, high), rows, columns);
        let (x, y) = if wide {
            (room + 8.0, 0.0)
        } else {
            (0.0, image.bottom() + bottom)
        };
        let cell = (width - x) / 2.0;
        let map = fit((0.0, 0.0), (cell - left - right, 240.0), rows, columns);
        let step = top + map.h + bottom;
        let maps = [0, 1, 2, 3].map(|k| {
            let (across, down) = ((k % 2) as f64, (k / 2) as f64);
            Rect::new(
                x + across * cell + left,
                y + down * step + top,
                map.w,
                map.h,
            )
        });
        let below = y + 2.0 * step;
        let (legends, mut end) = if wide {
            // Under the image, where there is room.
            let (at, bar) = (image.bottom() + bottom + 12.0, image.w.min(300.0));
            let both = [(image.x, at, bar), (image.x, at + 44.0, bar)];
            (both, below.max(at + 88.0))
        } else {
            let bar = width / 2.0 - 24.0;
            let both = [
                (10.0, below + 8.0, bar),
                (width / 2.0 + 10.0, below + 8.0, bar),
            ];
            (both, below + 50.0)
        };
        let sizes = self.resized.as_ref().map(|_| {
            // Trained and interpolated side by side; on a phone the third stands below.
            let cell = if wide { width / 3.0 } else { width / 2.0 };
            let room = (cell - left - right, 240.0);
            let y = end + 26.0 + top;
            let old = fit((left, y), room, self.trained.rows(), self.trained.columns());
            let interpolated = fit((cell + left, y), room, rows, columns);
            end = old.bottom().max(interpolated.bottom()) + bottom;
            let fresh = if wide {
                fit((2.0 * cell + left, y), room, rows, columns)
            } else {
                let fresh = fit((cell + left, end + top), room, rows, columns);
                end = fresh.bottom() + bottom;
                fresh
            };
            [old, interpolated, fresh]
        });
        Places {
            image,
            maps,
            legends,
            sizes,
            words: (10.0, end + 6.0, width - 20.0),
        }
    }

    pub(super) fn draw_image(&self, scene: &mut Scene, view: &View, rect: Rect, pos: usize) {
        let (rows, columns) = (self.grid.rows(), self.grid.columns());
        let names = (say!(view.lang, "axis.row"), say!(view.lang, "axis.column"));
        let map = GridMap {
            rect,
            grid: self.grid,
            first: (0, 0),
            raster: self.image.clone(),
            heading: &self.heading(view.lang),
            names: (&names.0, &names.1),
            target: IMAGE,
            traced: None,
        };
        map.draw(scene, view);
        let size = rect.w / columns as f64;
        let gap = if size >= 16.0 { 2.0 } else { 1.0 };
        // The same whatever the theme: cuts are light on a picture.
        let cut = Colours::of(false).surface.fade(0.8);
        for k in 1..columns {
            let x = rect.x + k as f64 * size - gap / 2.0;
            scene.fill(Rect::new(x, rect.y, gap, rect.h), cut);
        }
        for k in 1..rows {
            let y = rect.y + k as f64 * size - gap / 2.0;
            scene.fill(Rect::new(rect.x, y, rect.w, gap), cut);
        }
        trace(scene, view, rect, self.grid, self.grid.place(pos));
    }
}
