//! Signals that live as long as the page. Leptos leaves whatever has read a signal in the signal's list of readers when
//! the reader goes without running again: a signal that outlives its readers grows with each of them, and takes
//! longer to set. These ones strike their readers off.

use std::ops::DerefMut;
use std::panic::Location;

use leptos::prelude::*;
use leptos::reactive::computed::ArcMemo;
use leptos::reactive::graph::{AnySource, Observer, Source, ToAnySource};
use leptos::reactive::traits::UntrackableGuard;

/// A signal or memo of the whole page: read and written as the one in it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lasting<S>(S);

impl<T: Send + Sync + 'static> Lasting<RwSignal<T>> {
    /// A signal with its first value.
    pub fn new(value: T) -> Self {
        Self(RwSignal::new(value))
    }
}

impl<T: PartialEq + Send + Sync + 'static> Lasting<Memo<T>> {
    /// A value computed from others.
    pub fn memo(compute: impl Fn() -> T + Send + Sync + 'static) -> Self {
        Self(Memo::new(move |_| compute()))
    }
}

impl<S: DefinedAt> DefinedAt for Lasting<S> {
    fn defined_at(&self) -> Option<&'static Location<'static>> {
        self.0.defined_at()
    }
}

/// What has a list of readers.
pub trait Listed {
    /// The list.
    fn list(&self) -> AnySource;
}

impl<T: Send + Sync + 'static> Listed for RwSignal<T> {
    fn list(&self) -> AnySource {
        self.to_any_source()
    }
}

impl<T: Send + Sync + 'static> Listed for Memo<T> {
    fn list(&self) -> AnySource {
        ArcMemo::from(*self).to_any_source()
    }
}

impl<S: Track + Listed> Track for Lasting<S> {
    fn track(&self) {
        self.0.track();
        // The reader's owner is cleaned before each run of the reader, and when it goes.
        if let Some(reader) = Observer::get() {
            let list = self.0.list();
            on_cleanup(move || list.remove_subscriber(&reader));
        }
    }
}

impl<S: ReadUntracked> ReadUntracked for Lasting<S> {
    type Value = S::Value;

    fn try_read_untracked(&self) -> Option<S::Value> {
        self.0.try_read_untracked()
    }
}

impl<S: IsDisposed> IsDisposed for Lasting<S> {
    fn is_disposed(&self) -> bool {
        self.0.is_disposed()
    }
}

impl<S: Notify> Notify for Lasting<S> {
    fn notify(&self) {
        self.0.notify();
    }
}

impl<S: Write> Write for Lasting<S> {
    type Value = S::Value;

    fn try_write(&self) -> Option<impl UntrackableGuard<Target = S::Value>> {
        self.0.try_write()
    }

    fn try_write_untracked(&self) -> Option<impl DerefMut<Target = S::Value>> {
        self.0.try_write_untracked()
    }
}
