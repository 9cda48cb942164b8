//! What cargo cannot see by itself.

use std::env;

fn main() {
    // The macro that makes the words a part of the program does not say so: a change of words alone was no reason to
    // build again.
    println!("cargo::rerun-if-changed=src/locales");
    println!("cargo::rerun-if-changed=src/build.rs");
    println!("cargo::rustc-check-cfg=cfg(split)");
    // `dev` asks for a page in two parts; the splitter needs to know what refers to what. What is made natively on
    // the way has nothing to do with it.
    if env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        println!("cargo::rerun-if-env-changed=SPLIT");
        if env::var_os("SPLIT").is_some() {
            println!("cargo::rustc-cfg=split");
            println!("cargo::rustc-link-arg-bins=--emit-relocs");
        }
    }
}
