//! One painter for the whole page: whatever asks to be painted is painted once in the next
//! animation frame.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use leptos::leptos_dom::helpers::TimeoutHandle;
use leptos::prelude::{request_animation_frame, set_timeout_with_handle, window};

/// How long parameters must have been at rest before figures off the screen follow.
const REST: Duration = Duration::from_millis(300);

/// Something to be done in the next frame; says whether it painted.
type Job = Rc<dyn Fn() -> bool>;

#[derive(Default)]
struct Clock {
    jobs: BTreeMap<usize, Job>,
    /// What is not on the screen, to be done one a frame when nothing has changed for a while.
    resting: BTreeMap<usize, Job>,
    rest: Option<TimeoutHandle>,
    next_id: usize,
    asked: bool,
    ready: bool,
}

thread_local! {
    static CLOCK: RefCell<Clock> = RefCell::default();
}

/// A number by which one painter is known.
pub fn new_painter() -> usize {
    CLOCK.with_borrow_mut(|c| {
        c.next_id += 1;
        c.next_id
    })
}

/// The painter whose job is done after all others of a frame.
pub const LAST: usize = usize::MAX;
/// The one before: what it does is not of the drawings either.
pub const LINKS: usize = LAST - 1;

/// Asks for `job` to be done in the next frame, once however often it is asked for.
pub fn ask(painter: usize, job: Job) {
    let first = CLOCK.with_borrow_mut(|c| {
        c.resting.remove(&painter);
        c.jobs.insert(painter, job);
        !std::mem::replace(&mut c.asked, true)
    });
    if first {
        request_animation_frame(frame);
    }
}

/// Asks for `job` to be done once things have come to rest: for figures that are not on the
/// screen, so that their numbers are right when they are read, searched or printed.
pub fn ask_later(painter: usize, job: Job) {
    CLOCK.with_borrow_mut(|c| {
        if let Some(handle) = c.rest.take() {
            handle.clear();
        }
        c.resting.insert(painter, job);
        c.rest = set_timeout_with_handle(one_resting, REST).ok();
    });
}

/// Moves one job into the next frame, and so on until none is left.
fn one_resting() {
    let next = CLOCK.with_borrow_mut(|c| {
        c.rest = None;
        c.resting.pop_first()
    });
    if let Some((painter, job)) = next {
        ask(painter, job);
        request_animation_frame(one_resting);
    }
}

/// Forgets a painter that has gone.
pub fn forget(painter: usize) {
    CLOCK.with_borrow_mut(|c| {
        c.jobs.remove(&painter);
        c.resting.remove(&painter);
    });
}

/// Milliseconds, to tell how much time has passed.
pub fn now() -> f64 {
    js_sys::Date::now()
}

/// Whether the visitor prefers that nothing moves.
pub fn still() -> bool {
    let asked = window().match_media("(prefers-reduced-motion: reduce)");
    asked.ok().flatten().is_some_and(|m| m.matches())
}

/// Calls `step` in each frame as long as it says so.
pub fn each_frame(step: Rc<dyn Fn() -> bool>) {
    request_animation_frame(move || {
        if step() {
            each_frame(step);
        }
    });
}

/// Calls `step` in each frame with the part of the time that has passed, last with 1. Who prefers no motion
/// gets the last call alone.
pub fn run(time: Duration, step: impl Fn(f64) + 'static) {
    if still() {
        return step(1.0);
    }
    let began = now();
    each_frame(Rc::new(move || {
        let way = ((now() - began) / (time.as_secs_f64() * 1e3)).min(1.0);
        step(way);
        way < 1.0
    }));
}

fn frame() {
    let jobs = CLOCK.with_borrow_mut(|c| {
        c.asked = false;
        std::mem::take(&mut c.jobs)
    });
    let mut painted = false;
    for job in jobs.into_values() {
        painted |= job();
    }
    let first = painted && CLOCK.with_borrow_mut(|c| !std::mem::replace(&mut c.ready, true));
    if first {
        super::page::root_attribute("data-ready", "true");
        super::page::remove_shell();
    }
}
