//! The images: some that formulas draw, and the visitor's own. Each fills the grid's shape, cut
//! at the sides where its own shape is another.

use std::sync::Arc;

use crate::core::grid::Grid;
use crate::figure::kit::scene::Raster;
use crate::state::{Params, Photo};

/// No more pixels than this along a side; a larger image is shown smaller.
const MAX_SIDE: usize = 448;

/// Red, green and blue, 0..=1.
type Rgb = [f64; 3];

/// The image shown, as many pixels as its patches have together.
pub(super) fn image(p: &Params) -> Arc<Raster> {
    let side = |patches: usize| (patches * p.patch).min(MAX_SIDE);
    let (w, h) = (side(p.grid.columns()), side(p.grid.rows()));
    if let Some(photo) = &p.photo {
        return of_photo(photo, p.grid, (w, h));
    }
    let drawn: fn(f64, f64) -> Rgb = match p.image {
        "cat" => cat,
        "rings" => rings,
        _ => hills,
    };
    // The shorter side of the image is one unit long, its middle is (0, 0).
    let unit = p.grid.columns().min(p.grid.rows()) as f64;
    let (wide, high) = (p.grid.columns() as f64 / unit, p.grid.rows() as f64 / unit);
    Raster::image(w, h, |row, column| {
        // Four points a pixel, so that edges are smooth.
        let mut sum = [0.0; 3];
        for k in 0..4 {
            let (dx, dy) = (0.25 + 0.5 * f64::from(k % 2), 0.25 + 0.5 * f64::from(k / 2));
            let x = ((column as f64 + dx) / w as f64 - 0.5) * wide;
            let y = ((row as f64 + dy) / h as f64 - 0.5) * high;
            for (s, c) in sum.iter_mut().zip(drawn(x, y)) {
                *s += c;
            }
        }
        sum.map(|s| (s / 4.0 * 255.0).round().clamp(0.0, 255.0) as u8)
    })
}

/// The middle of a photo in the grid's shape, each pixel the mean of those that it covers.
fn of_photo(photo: &Photo, grid: Grid, (w, h): (usize, usize)) -> Arc<Raster> {
    let (pw, ph) = (photo.width() as f64, photo.height() as f64);
    let shape = grid.columns() as f64 / grid.rows() as f64;
    let (cw, ch) = (pw.min(ph * shape), ph.min(pw / shape));
    let (x0, y0) = ((pw - cw) / 2.0, (ph - ch) / 2.0);
    let span = |at: usize, count: usize, start: f64, size: f64| {
        let from = start + at as f64 * size / count as f64;
        let to = start + (at + 1) as f64 * size / count as f64;
        from as usize..(to.ceil() as usize).max(from as usize + 1)
    };
    Raster::image(w, h, |row, column| {
        let (mut sum, mut count) = ([0usize; 3], 0);
        for y in span(row, h, y0, ch) {
            for x in span(column, w, x0, cw) {
                for (s, c) in sum.iter_mut().zip(photo.at(x, y)) {
                    *s += usize::from(c);
                }
                count += 1;
            }
        }
        sum.map(|s| (s / count.max(1)) as u8)
    })
}

fn mix(a: Rgb, b: Rgb, t: f64) -> Rgb {
    let t = t.clamp(0.0, 1.0);
    [0, 1, 2].map(|k| a[k] + (b[k] - a[k]) * t)
}

/// Sky, sun, three ranges of hills and a house.
fn hills(x: f64, y: f64) -> Rgb {
    let mut c = mix([0.36, 0.62, 0.88], [0.99, 0.86, 0.66], 0.75 + 1.2 * y);
    let sun = (x - 0.2).hypot(y + 0.22);
    if sun < 0.1 {
        c = [1.0, 0.93, 0.5];
    } else {
        c = mix([1.0, 0.95, 0.7], c, 0.35 + 3.0 * (sun - 0.1));
    }
    let far = 0.02 - 0.09 * (5.0 * x + 0.4).sin() - 0.03 * (13.0 * x).sin();
    let middle = 0.14 + 0.06 * (4.0 * x + 1.0).sin() + 0.02 * (17.0 * x).cos();
    let near = 0.3 + 0.05 * (3.0 * x - 0.8).cos();
    for (edge, colour) in [
        (far, [0.45, 0.52, 0.68]),
        (middle, [0.33, 0.55, 0.42]),
        (near, [0.2, 0.42, 0.24]),
    ] {
        if y > edge {
            c = mix(colour, [0.08, 0.2, 0.1], 0.8 * (y - edge));
        }
    }
    let (hx, hy) = (x + 0.22, y - 0.23);
    if hx.abs() < 0.07 && (0.0..0.09).contains(&hy) {
        c = [0.93, 0.88, 0.8];
        if hx.abs() < 0.016 && hy > 0.035 {
            c = [0.4, 0.25, 0.18];
        }
    }
    if hy < 0.0 && hy > -0.07 && hx.abs() < 0.09 + hy * 1.25 {
        c = [0.72, 0.25, 0.2];
    }
    c
}

/// A cat's face: nearly a mirror image of itself.
fn cat(x: f64, y: f64) -> Rgb {
    let side = x.abs();
    let fur = [0.9, 0.62, 0.34];
    let mut c = mix([0.55, 0.72, 0.82], [0.74, 0.85, 0.88], y + 0.5);
    let ear = (side - 0.22).abs() < 0.11 * (y + 0.42) / 0.25 && (-0.42..-0.08).contains(&y);
    if ear {
        c = fur;
        if (side - 0.22).abs() < 0.06 * (y + 0.36) / 0.25 {
            c = [0.95, 0.75, 0.72];
        }
    }
    if (side / 0.36).hypot((y - 0.05) / 0.31) < 1.0 {
        c = fur;
        if side < 0.12 && y < -0.08 && (side * 40.0).cos() > 0.2 {
            c = [0.7, 0.42, 0.2];
        }
        if side > 0.25 && ((y - 0.05) * 50.0).cos() > 0.4 {
            c = [0.76, 0.48, 0.24];
        }
    }
    if ((side - 0.07) / 0.1).hypot((y - 0.18) / 0.08) < 1.0 {
        c = [0.98, 0.93, 0.86];
    }
    let eye = ((side - 0.15) / 0.075).hypot((y + 0.02) / 0.06);
    if eye < 1.0 {
        c = [0.62, 0.8, 0.3];
        if (side - 0.15).abs() < 0.02 {
            c = [0.08, 0.1, 0.08];
        }
    }
    if y > 0.1 && y < 0.145 && side < 0.035 * (0.145 - y) / 0.045 {
        c = [0.82, 0.4, 0.42];
    }
    let whisker = |slope: f64| (y - 0.17 - slope * (side - 0.1)).abs() < 0.006;
    if (0.12..0.46).contains(&side) && [-0.25, 0.0, 0.25].into_iter().any(whisker) {
        c = [1.0, 1.0, 1.0];
    }
    c
}

/// Rings about the middle, in changing colours: the same at every turn.
fn rings(x: f64, y: f64) -> Rgb {
    let r = x.hypot(y);
    let wave = 0.5 + 0.5 * (60.0 * r).cos();
    let hue = |shift: f64| 0.5 + 0.4 * (5.0 * r + shift).cos();
    mix([0.97, 0.96, 0.92], [hue(0.0), hue(2.1), hue(4.2)], wave)
}
