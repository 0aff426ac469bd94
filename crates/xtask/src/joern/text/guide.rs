//! The queries that the guide shows: lines `$ varvite ask zlib.varvite 'QUERY'`.

use std::fs;
use std::path::Path;

use crate::{Outcome, cannot};

use super::queries::Query;

const GUIDE: &str = "docs/guide/from-joern.md";
const BEGIN: &str = "$ varvite ask zlib.varvite '";

/// The queries of the guide, named by their lines, without the misspelt one that shows an error.
pub(super) fn queries(root: &Path) -> Outcome<Vec<Query>> {
    let path = root.join(GUIDE);
    let page = fs::read_to_string(&path).map_err(|error| cannot("read", &path, &error))?;
    Ok(shown(&page))
}

fn shown(page: &str) -> Vec<Query> {
    let lines: Vec<&str> = page.lines().collect();
    let numbered = lines.iter().enumerate();
    let queries = numbered.filter_map(|(index, line)| {
        let (text, _) = line.strip_prefix(BEGIN)?.split_once('\'')?;
        let is_wrong = lines.get(index + 1).is_some_and(|answer| answer.starts_with("varvite: "));
        let id = format!("guide/{}", index + 1);
        let (source, class) = ("guide".to_owned(), "core".to_owned());
        (!is_wrong).then(|| Query { id, source, class, text: text.to_owned() })
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
