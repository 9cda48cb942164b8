//! Sound that the visitor opens or records: decoded by the browser, kept as an envelope.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use js_sys::ArrayBuffer;
use leptos::prelude::{set_timeout, window};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{
    AudioBuffer, Blob, BlobEvent, MediaRecorder, MediaStream, MediaStreamConstraints,
    MediaStreamTrack, OfflineAudioContext, RecordingState,
};

use crate::core::sound::Envelope;

/// Largest file that is decoded; its samples need many times as much room for a moment.
pub const MAX_MEGABYTES: u32 = 48;
/// Samples a second that the browser decodes to; the least that every browser has to offer.
const RATE: f32 = 8000.0;
/// Longest recording that is looked at, in seconds.
const MAX_SECONDS: usize = 7200;
/// Samples that are looked at in one go.
const PIECE: usize = 1 << 16;
/// The microphone is left alone after so long.
const LISTENS: Duration = Duration::from_secs(60);

/// Why there is no sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The file is larger than is decoded.
    TooLarge,
    /// The browser cannot make sound of it.
    NoAudio,
    /// There is sound, but nothing to be heard.
    Silent,
    /// There is no microphone, or the visitor or the browser does not allow its use.
    NoMicrophone,
}

/// What can be drawn of a file or a recording.
pub async fn decode(blob: &Blob) -> Result<Envelope, Fault> {
    if blob.size() > f64::from(MAX_MEGABYTES) * 1e6 {
        return Err(Fault::TooLarge);
    }
    let audio = decoded(blob).await.map_err(|_| Fault::NoAudio)?;
    let rate = f64::from(audio.sample_rate());
    let length = (audio.length() as usize).min(MAX_SECONDS * rate as usize);
    let mut envelope = Envelope::new(length, rate);
    let mut piece = vec![0.0; PIECE.min(length)];
    for start in (0..length).step_by(PIECE) {
        let piece = &mut piece[..PIECE.min(length - start)];
        audio
            .copy_from_channel_with_start_in_channel(piece, 0, start as u32)
            .map_err(|_| Fault::NoAudio)?;
        envelope.push(piece);
    }
    if envelope.is_silent() {
        return Err(Fault::Silent);
    }
    Ok(envelope)
}

async fn decoded(blob: &Blob) -> Result<AudioBuffer, JsValue> {
    let bytes: ArrayBuffer = JsFuture::from(blob.array_buffer()).await?.dyn_into()?;
    // One that plays nothing: no gesture is needed, and no device.
    let context =
        OfflineAudioContext::new_with_number_of_channels_and_length_and_sample_rate(1, 1, RATE)?;
    JsFuture::from(context.decode_audio_data(&bytes)?)
        .await?
        .dyn_into()
}

/// A recording under way.
#[derive(Debug, Clone)]
pub struct Listening {
    recorder: MediaRecorder,
    stream: MediaStream,
}

impl Listening {
    /// Asks for the microphone and records, a minute at most; `then` gets the recording when it ends.
    pub async fn start(then: impl FnOnce(Blob) + 'static) -> Result<Self, Fault> {
        Self::recording(then).await.map_err(|_| Fault::NoMicrophone)
    }

    async fn recording(then: impl FnOnce(Blob) + 'static) -> Result<Self, JsValue> {
        let wanted = MediaStreamConstraints::new();
        wanted.set_audio(&JsValue::TRUE);
        let devices = window().navigator().media_devices()?;
        // Absent on pages that are not served over https.
        if devices.is_undefined() {
            return Err(JsValue::UNDEFINED);
        }
        let asked = devices.get_user_media_with_constraints(&wanted)?;
        let stream: MediaStream = JsFuture::from(asked).await?.dyn_into()?;
        let listening = Self {
            recorder: MediaRecorder::new_with_media_stream(&stream)
                .inspect_err(|_| quiet(&stream))?,
            stream,
        };
        let then = Rc::new(Cell::new(Some(then)));
        let arrived = Closure::<dyn FnMut(BlobEvent)>::new(move |event: BlobEvent| {
            if let (Some(then), Some(blob)) = (then.take(), event.data()) {
                then(blob);
            }
        });
        let recorder = &listening.recorder;
        recorder.set_ondataavailable(Some(arrived.as_ref().unchecked_ref()));
        // It is called once, after the recorder has gone from the page.
        arrived.forget();
        recorder.start().inspect_err(|_| quiet(&listening.stream))?;
        let kept = listening.clone();
        set_timeout(move || kept.stop(), LISTENS);
        Ok(listening)
    }

    /// Ends the recording and gives the microphone back.
    pub fn stop(&self) {
        if self.recorder.state() != RecordingState::Inactive {
            // It may have stopped by itself in the meantime.
            let _ = self.recorder.stop();
        }
        quiet(&self.stream);
    }
}

/// Gives the microphone back.
fn quiet(stream: &MediaStream) {
    for track in stream.get_tracks().iter() {
        if let Ok(track) = track.dyn_into::<MediaStreamTrack>() {
            track.stop();
        }
    }
}
