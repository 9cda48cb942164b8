//! The canvas of a figure: painted when something that it shows has changed and it is on the
//! screen; pointed at, dragged and driven by keys.

use std::cell::RefCell;
use std::rc::Rc;

use leptos::ev::{KeyboardEvent, PointerEvent};
use leptos::html;
use leptos::prelude::*;
use leptos_use::{
    UseIntersectionObserverOptions, use_device_pixel_ratio, use_intersection_observer_with_options,
    use_resize_observer,
};

use super::arrows::moved;
use super::parts;
use super::picture::picture_memo;
use super::reactive::{effect, reactive};
use super::store::Store;
use crate::core::CoreError;
use crate::figure::kit::colour::Colours;
use crate::figure::kit::scene::{Hit, Scene};
use crate::figure::{Arrows, Figure, Readout, View, only_traced};
use crate::say;
use crate::state::{Key, Lang, Params, Value};
use crate::web::canvas::Painter;
use crate::web::clock;

/// Width of `.room` where a unit of the scene is a CSS pixel.
const PROBE: f64 = 100.0;
/// A drawing is never lower, however low the window is.
const LOWEST: f64 = 180.0;

/// What stands beside the canvas, as of the last paint.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Shown {
    /// Numbers in words.
    pub readouts: Vec<Readout>,
    /// Further sentences.
    pub notes: Vec<String>,
    /// What the figure shows.
    pub sentence: String,
    /// Number of paints.
    pub rev: u32,
    /// How often what is painted has been computed.
    pub computed: u32,
}

/// What the painting closure keeps between frames.
#[derive(Default)]
struct Kept {
    painter: Painter,
    scene: Scene,
    painted_as: Option<(f64, f64, f64, bool)>,
    /// How many CSS pixels a unit of the scene takes.
    zoom: f64,
}

/// The canvas, and what is under the pointer in words. Its height is what the picture wants, as long as there
/// is room: how much there is, the style sheet says by the height of `.room`, and by its width how large
/// everything is drawn.
#[component]
pub fn Stage(
    /// The figure.
    figure: &'static Figure,
    /// Set at each paint.
    shown: RwSignal<Shown>,
    /// Height that the picture would take in CSS pixels beyond what it is given, set at each paint.
    missing: RwSignal<f64>,
    /// Whether the answer is still hidden.
    veiled: Signal<bool>,
    /// How many steps a film is ahead of the parameters.
    gone: RwSignal<f64>,
    /// Whether it is on the screen, set as that changes.
    seen: RwSignal<bool>,
    /// Whether it is the first of the page, which is painted wherever it stands.
    first: bool,
) -> impl IntoView {
    let store = Store::get();
    let canvas = NodeRef::<html::Canvas>::new();
    let holder = NodeRef::<html::Div>::new();
    let probe = NodeRef::<html::Span>::new();
    let width = RwSignal::new(0.0_f64);
    let height = RwSignal::new(0.0_f64);
    // Height that there is, and CSS pixels of one unit of the scene.
    let room = RwSignal::new((0.0_f64, 1.0_f64));
    let visible = RwSignal::new(false);
    let failed = RwSignal::new(false);
    let error = RwSignal::new(None::<String>);
    let tip = RwSignal::new(String::new());
    let pointed = RwSignal::new(Vec::<(Key, usize)>::new());
    let ratio = use_device_pixel_ratio();
    use_resize_observer(holder, move |entries, _| {
        if let Some(entry) = entries.first() {
            let w = entry.content_rect().width().floor();
            if w > 0.0 && w != width.get_untracked() {
                width.set(w);
            }
        }
    });
    use_resize_observer(probe, move |entries, _| {
        if let Some(entry) = entries.first() {
            let r = entry.content_rect();
            let now = (r.height().floor(), r.width() / PROBE);
            if now != room.get_untracked() {
                room.set(now);
            }
        }
    });
    use_intersection_observer_with_options(
        holder,
        move |entries, _| {
            if let Some(entry) = entries.last() {
                visible.set(entry.is_intersecting());
            }
        },
        UseIntersectionObserverOptions::default().root_margin("200px".to_owned()),
    );
    use_intersection_observer_with_options(
        canvas,
        move |entries, _| {
            if let Some(entry) = entries.last() {
                seen.set(entry.is_intersecting());
            }
        },
        UseIntersectionObserverOptions::default().thresholds(vec![0.95]),
    );

    parts::need(store, figure);
    let (picture, computed) = picture_memo(figure, store);
    let kept = Rc::new(RefCell::new(Kept::default()));
    let painter = clock::new_painter();
    on_cleanup(move || clock::forget(painter));
    let job: Rc<dyn Fn() -> bool> = Rc::new({
        let kept = kept.clone();
        move || {
            // Nothing else reads the picture while parameters change: it is computed once a frame, and only for one
            // who looks.
            let picture = picture.get_untracked();
            let why = picture.as_ref().and_then(|p| p.as_ref().err());
            let why = why.map(CoreError::to_string);
            if *error.read_untracked() != why {
                error.set(why);
            }
            let (Some(canvas), Some(Ok(picture))) = (canvas.get_untracked(), picture) else {
                return false;
            };
            let p = figure.shows(&store.params.read_untracked());
            let ahead = gone.get_untracked();
            let mut p = figure.film.at(&p, ahead);
            for (key, place) in pointed.get_untracked() {
                p.trace(key, place);
            }
            let dark = store.dark.get_untracked();
            let lang = store.lang.get_untracked();
            let (most, zoom) = room.get_untracked();
            let wide = width.get_untracked() / zoom;
            let best = picture.height(wide);
            let asked = veiled.get_untracked();
            if asked {
                store.guesses.offer(figure.id, picture.handles(&p));
            }
            let view = View {
                width: wide,
                height: best.min((most / zoom).max(LOWEST)),
                lang,
                colours: Colours::of(dark),
                reveal: !asked,
                guess: store.guesses.drawn(figure.id, asked, &p),
            };
            if let Some(name) = figure.told()
                && store.known_difference(&p).is_none()
            {
                let found = picture.readouts(&p, lang).into_iter();
                let found = found.filter(|r| r.name == name).find_map(|r| r.number);
                store.difference.set(found.map(|d| (figure.reads(&p), d)));
            }
            let size = (view.width, view.height);
            let scene = picture.draw(&p, &view);
            let ratio = ratio.get_untracked() * zoom;
            let mut kept = kept.borrow_mut();
            let painted_as = Some((size.0, size.1, ratio, dark));
            if kept.painted_as == painted_as && kept.scene == scene {
                return false;
            }
            for (signal, now) in [(height, size.1), (missing, best - size.1)] {
                if signal.get_untracked() != now * zoom {
                    signal.set(now * zoom);
                }
            }
            let done = kept.painter.paint(&canvas, &scene, size, ratio, dark);
            failed.set(done.is_none());
            kept.scene = scene;
            kept.zoom = zoom;
            kept.painted_as = painted_as.filter(|_| done.is_some());
            shown.update(|s| {
                s.readouts = picture.readouts(&p, lang);
                s.notes = picture.notes(&p, lang);
                s.sentence = picture.sentence(&p, lang);
                s.rev += 1;
                s.computed = computed.get_value();
            });
            true
        }
    });
    let ask = {
        let job = job.clone();
        move || clock::ask(painter, job.clone())
    };
    effect({
        let ask = ask.clone();
        move || {
            store.params.track();
            store.lang.track();
            store.dark.track();
            store.part.track();
            ratio.track();
            veiled.track();
            store.guesses.track();
            gone.track();
            pointed.track();
            if width.get() == 0.0 || room.get().0 == 0.0 {
                return;
            }
            if visible.get() || (first && shown.read_untracked().rev == 0) {
                ask();
            } else {
                clock::ask_later(painter, job.clone());
            }
        }
    });

    // What lies there, and whether it is hidden.
    let hit_at = move |x: i32, y: i32| -> (Option<Hit>, bool) {
        let kept = kept.borrow();
        let point = (f64::from(x) / kept.zoom, f64::from(y) / kept.zoom);
        (kept.scene.hit(point), kept.scene.veiled(point))
    };
    let say_hit = move |hit: Option<Hit>| {
        let text = match (hit, picture.get_untracked()) {
            // What lies there may be what is asked.
            (Some(_), _) if veiled.get_untracked() => store.say("app.tip_veiled"),
            (Some(hit), Some(Ok(picture))) => {
                let p = figure.shows(&store.params.read_untracked());
                picture.describe(hit, &p, store.lang.get_untracked())
            }
            _ => String::new(),
        };
        tip.set(text);
    };
    // What the pointer sets; what anything else sets is looked at instead of what the mouse still points at.
    let by_pointer = StoredValue::new(false);
    let set = move |values: Vec<(Key, Value)>| {
        let before = store.params.get_untracked();
        store.set(values);
        by_pointer.set_value(store.params.with_untracked(|now| *now != before));
    };
    effect(move || {
        store.params.track();
        let own = by_pointer
            .try_update_value(std::mem::take)
            .unwrap_or_default();
        if !own && !pointed.read_untracked().is_empty() {
            pointed.set(Vec::new());
        }
    });
    let pick = move |hit: Option<Hit>, hidden: bool| {
        if let (Some(hit), Some(Ok(picture))) = (hit, picture.get_untracked()) {
            let p = figure.shows(&store.params.read_untracked());
            let values = picture.picked(hit, &p);
            // Nobody changes what is not to be seen.
            if hidden && only_traced(values.clone()).is_empty() {
                return;
            }
            let values = unlocked(values, &p);
            set(values);
        }
    };
    // What is pointed at is traced as long as it is: in all of the figure, and nowhere else.
    let point_at = move |hit: Option<Hit>| {
        let places = match (hit, picture.get_untracked()) {
            (Some(hit), Some(Ok(picture))) => {
                let p = figure.shows(&store.params.read_untracked());
                picture.pointed(hit, &p)
            }
            _ => Vec::new(),
        };
        if pointed.get_untracked() != places {
            pointed.set(places);
        }
    };
    // Where what is being dragged was last.
    let held = StoredValue::new(None::<Hit>);
    // Puts what is asked for where the pointer is; says whether there is something to be put there.
    let put = move |hit: Option<Hit>| {
        let (Some(hit), true) = (hit, veiled.get_untracked()) else {
            return false;
        };
        let p = figure.shows(&store.params.read_untracked());
        let there = match picture.get_untracked() {
            Some(Ok(picture)) => picture.put(hit, &p),
            _ => None,
        };
        if let Some((which, at)) = there {
            store.guesses.put(figure.id, which, at);
        }
        there.is_some()
    };
    let on_down = {
        let hit_at = hit_at.clone();
        move |event: PointerEvent| {
            let (hit, hidden) = hit_at(event.offset_x(), event.offset_y());
            held.set_value(hit.filter(|_| !put(hit) && !hidden));
        }
    };
    let on_move = {
        let hit_at = hit_at.clone();
        move |event: PointerEvent| {
            let (hit, hidden) = hit_at(event.offset_x(), event.offset_y());
            say_hit(hit);
            if event.buttons() == 1 && put(hit) {
                return;
            }
            // A finger has nothing to point with before it touches.
            point_at(hit.filter(|_| event.pointer_type() == "mouse"));
            let (Some(from), Some(to)) = (held.get_value(), hit.filter(|_| !hidden)) else {
                return;
            };
            if event.buttons() != 1 {
                return held.set_value(None);
            }
            if let Some(Ok(picture)) = picture.get_untracked() {
                let p = figure.shows(&store.params.read_untracked());
                let values = unlocked(picture.dragged(from, to, &p), &p);
                if !values.is_empty() {
                    set(values);
                    held.set_value(Some(to));
                }
            }
        }
    };
    let on_click = move |event: leptos::ev::MouseEvent| {
        let (hit, hidden) = hit_at(event.offset_x(), event.offset_y());
        say_hit(hit);
        if !put(hit) {
            pick(hit, hidden);
        }
    };
    let on_key = move |event: KeyboardEvent| {
        let p = store.params.get_untracked();
        if let Some(values) = moved(figure, &p, &event.key(), event.shift_key()) {
            event.prevent_default();
            // The traced cell has gone on from where the mouse still points.
            point_at(None);
            store.set(unlocked(values, &p));
        }
    };
    let advice = match figure.arrows {
        Arrows::None => "app.tip_point",
        _ => "app.tip",
    };
    let name = reactive(move || {
        let title = store.say(&format!("figure.{}.title", figure.id));
        let stop = if store.lang.get() == Lang::Zh {
            "。"
        } else {
            ". "
        };
        if veiled.get() {
            return title;
        }
        format!("{title}{stop}{}", shown.read().sentence)
    });
    let own_height = move || match height.get() {
        0.0 => String::new(),
        h => format!("{h}px"),
    };
    let puts = reactive(move || veiled.get() && !store.guesses.handles(figure.id).is_empty());
    view! {
        <div class="stage" class:puts=puts node_ref=holder style:min-height=own_height>
            <span class="room" node_ref=probe aria-hidden="true"></span>
            <canvas
                data-drawing=""
                node_ref=canvas
                tabindex="0"
                role="img"
                aria-label=name
                style:height=move || format!("{}px", height.get())
                style:width=move || format!("{}px", width.get())
                on:pointerdown=on_down
                on:pointermove=on_move
                on:pointerleave=move |_| {
                    tip.set(String::new());
                    point_at(None);
                }
                on:click=on_click
                on:keydown=on_key
                on:contextrestored=move |_: leptos::ev::Event| ask()
            ></canvas>
            {move || {
                failed.get().then(|| {
                    view! { <p class="error" role="alert">{store.say("app.no_canvas")}</p> }
                        .into_any()
                })
            }}
            {move || {
                parts::failed(store, figure).then(|| parts::told(store))
            }}
            {move || {
                error.get().map(|e| {
                    view! {
                        <p class="error" role="alert">
                            {say!(store.lang.get(), "app.cannot_compute", why = e)}
                        </p>
                    }
                        .into_any()
                })
            }}
        </div>
        <p class="tip">
            {move || {
                let text = tip.get();
                if text.is_empty() { store.say(advice) } else { text }
            }}
        </p>
    }
}

/// Values without those that the address fixes.
fn unlocked(values: Vec<(Key, Value)>, p: &Params) -> Vec<(Key, Value)> {
    values
        .into_iter()
        .filter(|(key, _)| !p.locks(*key))
        .collect()
}
