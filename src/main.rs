//! Starts the page, nothing else.

fn main() {
    console_error_panic_hook::set_once();
    leptos::task::spawn_local(posenc_lab::app::start());
}
