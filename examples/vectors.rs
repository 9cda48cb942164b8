//! Prints the arrays behind a query string of the page as one JSON object:
//! `cargo run --release --example vectors -- "scheme=rope&d_model=8&seq_len=4"`.

use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    // The first is the name of the program.
    let mut arguments = std::env::args().skip(1);
    let (Some(query), None) = (arguments.next(), arguments.next()) else {
        eprintln!("usage: vectors QUERY, for example \"scheme=rope&d_model=8&seq_len=4\"");
        return ExitCode::from(2);
    };
    let object = posenc_lab::vectors::vectors(&query);
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
