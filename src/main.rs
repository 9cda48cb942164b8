//! Mounts the page, nothing else.
fn main() {
    leptos::mount::mount_to_body(posenc_lab::App);
}
