//! Writes the tables of README.md and README.zh.md that the program knows: figures, parameters,
//! notices, arrays. `cargo run --example readme`; `./dev fmt` calls it.

mod tables;

use std::fs;
use std::process::ExitCode;

rust_i18n::i18n!("src/locales");

fn write() -> Result<(), String> {
    for (file, lang) in tables::READMES {
        let told = |e: std::io::Error| format!("{file}: {e}");
        let old = fs::read_to_string(file).map_err(told)?;
        let new = tables::filled(&old, lang).map_err(|e| format!("{file}: {e}"))?;
        if new != old {
            fs::write(file, new).map_err(told)?;
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    match write() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
