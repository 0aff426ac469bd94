//! The queries that the guide shows: lines `$ varvite ask zlib.varvite 'QUERY'`.

use std::fs;
use std::path::Path;

use crate::{Outcome, cannot};

const GUIDE: &str = "docs/guide/from-joern.md";
const BEGIN: &str = "$ varvite ask zlib.varvite '";

/// A query of the guide.
pub(super) struct Shown {
    /// `guide/` and the line.
    pub(super) id: String,
    pub(super) text: String,
}

/// The queries of the guide, without the misspelt one that shows an error.
pub(super) fn queries(root: &Path) -> Outcome<Vec<Shown>> {
    let path = root.join(GUIDE);
    let page = fs::read_to_string(&path).map_err(|error| cannot("read", &path, &error))?;
    Ok(shown(&page))
}

fn shown(page: &str) -> Vec<Shown> {
    let lines: Vec<&str> = page.lines().collect();
    let numbered = lines.iter().enumerate();
    let queries = numbered.filter_map(|(index, line)| {
        let (text, _) = line.strip_prefix(BEGIN)?.split_once('\'')?;
        let is_wrong = lines.get(index + 1).is_some_and(|answer| answer.starts_with("varvite: "));
        (!is_wrong).then(|| Shown { id: format!("guide/{}", index + 1), text: text.to_owned() })
    });
    queries.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_query_of_the_guide_is_named_by_its_line() {
        let page = "text\n$ varvite ask zlib.varvite 'cpg.call.size' --limit 3\n7\n\
                    $ varvite ask zlib.varvite 'cpg.cal'\nvarvite: no step\n";
        let queries: Vec<_> = shown(page).into_iter().map(|query| (query.id, query.text)).collect();
        assert_eq!(queries, [("guide/2".to_owned(), "cpg.call.size".to_owned())]);
    }
}
