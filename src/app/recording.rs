//! The recording of `audio-frames`: a file, the microphone, or the drum that the page makes. It never
//! leaves the browser, and the address knows nothing of it.

use std::sync::Arc;

use leptos::ev::Event;
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::Blob;

use super::reactive::reactive;
use super::store::Store;
use crate::say;
use crate::state::{Key, Value};
use crate::web::sound::{Fault, Listening, MAX_MEGABYTES, decode};

/// What is going on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Idle,
    Listening,
    Decoding,
    Failed(Fault),
}

/// The controls of the recording.
#[component]
pub fn Recording() -> impl IntoView {
    let store = Store::get();
    let state = RwSignal::new(State::Idle);
    // Of what was chosen, the last counts.
    let turn = StoredValue::new(0u32);
    let listening = StoredValue::new_local(None::<Listening>);
    // None once the figure has gone.
    let next_turn = move || {
        turn.try_update_value(|n| {
            *n += 1;
            *n
        })
    };
    let hush = move || {
        if let Some(Some(running)) = listening.try_update_value(Option::take) {
            running.stop();
        }
    };
    on_cleanup(hush);
    let take = move |blob: Blob| {
        let Some(mine) = next_turn() else {
            return;
        };
        state.set(State::Decoding);
        spawn_local(async move {
            let result = decode(&blob).await;
            if turn.try_get_value() != Some(mine) {
                return;
            }
            state.set(match result {
                Ok(envelope) => {
                    let seconds = envelope.seconds().ceil().clamp(1.0, 7200.0);
                    store.recording.set(Some(Arc::new(envelope)));
                    if !store.params.read_untracked().locks(Key::Seconds) {
                        store.set(vec![(Key::Seconds, Value::Int(seconds as i64))]);
                    }
                    State::Idle
                }
                Err(fault) => State::Failed(fault),
            });
        });
    };
    let opened = move |event: Event| {
        let input = event_target::<web_sys::HtmlInputElement>(&event);
        if let Some(file) = input.files().and_then(|files| files.get(0)) {
            hush();
            take(file.into());
        }
        // The same file may be chosen again.
        input.set_value("");
    };
    let microphone = move |_| {
        if state.get_untracked() == State::Listening {
            hush();
            return;
        }
        let Some(mine) = next_turn() else {
            return;
        };
        state.set(State::Listening);
        spawn_local(async move {
            let result = Listening::start(take).await;
            let current = turn.try_get_value() == Some(mine);
            match result {
                Ok(started) if current => listening.set_value(Some(started)),
                Ok(late) => late.stop(),
                Err(fault) if current => state.set(State::Failed(fault)),
                Err(_) => {}
            }
        });
    };
    let drum = move |_| {
        next_turn();
        hush();
        store.recording.set(None);
        state.set(State::Idle);
    };
    let said = reactive(move || {
        let key = match state.get() {
            State::Idle => return String::new(),
            State::Listening => "app.sound_listening",
            State::Decoding => "app.sound_decoding",
            State::Failed(Fault::TooLarge) => "app.sound_too_large",
            State::Failed(Fault::NoAudio) => "app.sound_no_audio",
            State::Failed(Fault::Silent) => "app.sound_silent",
            State::Failed(Fault::NoMicrophone) => "app.sound_no_microphone",
        };
        say!(store.lang.get(), key, size = MAX_MEGABYTES)
    });
    let failed = reactive(move || matches!(state.get(), State::Failed(_)));
    view! {
        <div class="recording" hidden=move || store.params.read().hides("controls")>
            <label class="open">
                <span>{store.word("app.sound_open")}</span>
                <input type="file" accept="audio/*" data-sound="file" on:change=opened />
            </label>
            <button type="button" data-sound="microphone" on:click=microphone>
                {move || {
                    let on = state.get() == State::Listening;
                    let key = if on { "app.sound_stop" } else { "app.sound_record" };
                    store.say(key)
                }}
            </button>
            <button
                type="button"
                data-sound="drum"
                disabled=move || store.recording.read().is_none()
                on:click=drum
            >
                {store.word("app.sound_drum")}
            </button>
            <small>{store.word("app.sound_stays")}</small>
            <p role="status" data-sound="said" class:wrong=failed>
                {said}
            </p>
        </div>
    }
}
