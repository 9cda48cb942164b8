//! Tells cargo that the words of this folder are part of the program: the macro that reads them does not, so that a
//! change of words alone was no reason to build again.

fn main() {
    println!("cargo::rerun-if-changed=src/locales");
}
