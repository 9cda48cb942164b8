//! What cargo cannot see by itself.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::{env, fs};

fn main() {
    // The macro that makes the words a part of the program does not say so: a change of words alone was no reason to
    // build again.
    println!("cargo::rerun-if-changed=src/locales");
    println!("cargo::rerun-if-changed=src/build.rs");
    // Trunk names the page's files by what cargo makes, and then makes something else of it as these say (`dev` names the
    // versions of the tools): what they say is a part of the program, so that other files have other names.
    let mut made_by = DefaultHasher::new();
    for file in ["index.html", "src/web/split.mjs", "dev"] {
        println!("cargo::rerun-if-changed={file}");
        fs::read(file).unwrap_or_default().hash(&mut made_by);
    }
    println!("cargo::rustc-env=MADE_BY={:016x}", made_by.finish());
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
