//! Compares the symbols that a linker sees in the libraries with the functions of the headers.

use std::collections::BTreeSet;

use super::staged::{ADVICE, Staged};
use crate::process;
use crate::{Failure, Outcome};

/// Checks that both libraries have exactly the functions of the headers as symbols.
pub(crate) fn check(staged: &Staged) -> Outcome {
    let declared = staged.functions()?;
    for (library, kind) in [("libvarvite.so", "--dynamic"), ("libvarvite.a", "--extern-only")] {
        let mut nm = staged.tool("nm");
        nm.args([kind, "--defined-only", "--format=posix"]).arg(staged.lib().join(library));
        let found = symbols(&process::output(&mut nm, ADVICE)?);
        if found != declared {
            let odd: Vec<&String> = found.symmetric_difference(&declared).collect();
            return Err(Failure(format!(
                "header and {library} differ in {odd:?}: mend bindings/c/include/varvite.h or the exports"
            )));
        }
    }
    Ok(())
}

/// The names in the output of `nm`. A line without a blank is the name of a file in an archive.
fn symbols(told: &str) -> BTreeSet<String> {
    told.lines().filter_map(|line| line.split_once(' ')).map(|(name, _)| name.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_of_an_archive_are_told_below_its_files() {
        let told = "libvarvite.a[varvite.o]:\nvarvite_a T 10 8\nZSTD_x T 18 8\n";
        assert_eq!(symbols(told), BTreeSet::from(["varvite_a".to_owned(), "ZSTD_x".to_owned()]));
    }
}
