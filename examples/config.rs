//! Prints what a model's `config.json` says about positions as one JSON object:
//! `cargo run --release --example config -- FILE`, or `-` for standard input.

use std::io::{self, Read, Write};
use std::process::ExitCode;

use posenc_lab::state::{Lang, config_text};

fn main() -> ExitCode {
    // The first is the name of the program.
    let mut arguments = std::env::args_os().skip(1);
    let (Some(file), None) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: config FILE, or - for standard input");
        return ExitCode::from(2);
    };
    let mut bytes = Vec::new();
    let read = if file == "-" {
        io::stdin().lock().read_to_end(&mut bytes).map(|_| ())
    } else {
        std::fs::read(&file).map(|all| bytes = all)
    };
    if let Err(error) = read {
        eprintln!("cannot read {}: {error}", file.display());
        return ExitCode::FAILURE;
    }
    let object = posenc_lab::config::object(&config_text::read_bytes(&bytes), Lang::En);
    match writeln!(io::stdout().lock(), "{object}") {
        Ok(()) => ExitCode::SUCCESS,
        // The reader closed the pipe, as `head` does.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("cannot write: {error}");
            ExitCode::FAILURE
        }
    }
}
