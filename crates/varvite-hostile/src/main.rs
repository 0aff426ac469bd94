//! `varvite-hostile FOLDER`: writes every file into the folder as `NAME.EXTENSION`, and prints the names.
#![forbid(unsafe_code)]

use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        eprintln!("usage: varvite-hostile FOLDER");
        return ExitCode::FAILURE;
    };
    for file in varvite_hostile::all() {
        let name = format!("{}.{}", file.name, file.kind.ending());
        if let Err(error) = std::fs::write(folder.join(&name), &file.bytes) {
            eprintln!("varvite: cannot write {}: {error}", folder.join(name).display());
            return ExitCode::FAILURE;
        }
        println!("{name}");
    }
    ExitCode::SUCCESS
}
