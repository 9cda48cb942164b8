//! Starts the page, nothing else.

fn main() {
    console_error_panic_hook::set_once();
    wasm_bindgen_futures::spawn_local(posenc_lab::app::start());
}
