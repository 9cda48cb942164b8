//! One painter for the whole page: whatever asks to be painted is painted once in the next
//! animation frame.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use leptos::prelude::request_animation_frame;

/// Something to be done in the next frame; says whether it painted.
type Job = Rc<dyn Fn() -> bool>;

#[derive(Default)]
struct Clock {
    jobs: BTreeMap<usize, Job>,
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

/// Asks for `job` to be done in the next frame, once however often it is asked for.
pub fn ask(painter: usize, job: Job) {
    let first = CLOCK.with_borrow_mut(|c| {
        c.jobs.insert(painter, job);
        !std::mem::replace(&mut c.asked, true)
    });
    if first {
        request_animation_frame(frame);
    }
}

/// Forgets a painter that has gone.
pub fn forget(painter: usize) {
    CLOCK.with_borrow_mut(|c| c.jobs.remove(&painter));
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
    }
}
