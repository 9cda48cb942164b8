//! Live parts of a view without a type of their own. Leptos compiles all of its rendering anew for
//! each type that it meets, and every closure is one. The macro `view!` boxes the closures that are
//! written in it; those that have a name are boxed here, into the same types.

use leptos::ev::{KeyboardEvent, MouseEvent, click, keydown};
use leptos::prelude::*;
use leptos::tachys::reactive_graph::{ReactiveFunction, SharedReactiveFunction};

/// What is computed again when a signal that it read has changed.
pub type Reactive<T> = SharedReactiveFunction<T>;

/// A closure for a view: its text, an attribute, a class or a property.
pub fn reactive<T: 'static>(get: impl FnMut() -> T + Send + 'static) -> Reactive<T> {
    get.into_shared()
}

/// A signal that is computed from others.
pub fn derived<T: Send + Sync + 'static>(get: impl Fn() -> T + Send + Sync + 'static) -> Signal<T> {
    let get: Box<dyn Fn() -> T + Send + Sync> = Box::new(get);
    Signal::derive(get)
}

/// An effect of one type. What it has to know of its last run it keeps itself.
pub fn effect(run: impl FnMut() + 'static) {
    let run: Box<dyn FnMut()> = Box::new(run);
    Effect::new(run);
}

/// Hears the keys of the whole page, as long as the component is there.
pub fn on_key(hear: impl Fn(KeyboardEvent) + 'static) {
    let hear: Box<dyn Fn(KeyboardEvent)> = Box::new(hear);
    let keys = window_event_listener(keydown, hear);
    on_cleanup(move || keys.remove());
}

/// Hears the clicks of the whole page, as long as the component is there.
pub fn on_click(hear: impl Fn(MouseEvent) + 'static) {
    let hear: Box<dyn Fn(MouseEvent)> = Box::new(hear);
    let clicks = window_event_listener(click, hear);
    on_cleanup(move || clicks.remove());
}
