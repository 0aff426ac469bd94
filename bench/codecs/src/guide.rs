//! Puts the measured values into the guide, between two marks.

use std::path::Path;

use varvite_bench::Failure;

const BEGIN: &str = "<!-- measured by make bench-codecs: begin -->\n";
const END: &str = "<!-- measured by make bench-codecs: end -->";

pub(crate) fn put(path: &Path, text: &str) -> Result<(), Failure> {
    let page = std::fs::read_to_string(path)?;
    let changed = replaced(&page, text)
        .ok_or_else(|| Failure(format!("varvite: {} has lost its marks", path.display())))?;
    Ok(std::fs::write(path, changed)?)
}

fn replaced(page: &str, text: &str) -> Option<String> {
    let (before, rest) = page.split_once(BEGIN)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{BEGIN}\n{}\n\n{END}{after}", text.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_between_the_marks_changes() {
        let page = format!("a\n{BEGIN}old\n{END}\nb\n");
        let new = replaced(&page, "new\n").unwrap();
        assert_eq!(new, format!("a\n{BEGIN}\nnew\n\n{END}\nb\n"));
        assert_eq!(replaced(&new, "new").unwrap(), new);
        assert_eq!(replaced("no marks", "new"), None);
    }
}
