//! [`Answer`]: what is kept of an answer.

/// The number of digits that are kept of a hash.
const DIGITS: usize = 32;

/// The number of an answer's rows, and the hash of the rows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) rows: usize,
    pub(crate) digest: String,
}

impl Answer {
    /// The digest is the begin of the BLAKE3 hash over all rows, each followed by a line end. Rows are sorted
    /// by their bytes unless the query [`promises_order`].
    pub(crate) fn of(query: &str, rows: &[String]) -> Self {
        let mut sorted: Vec<&String> = rows.iter().collect();
        if !promises_order(query) {
            sorted.sort();
        }
        let mut hash = blake3::Hasher::new();
        sorted.iter().for_each(|row| {
            hash.update(row.as_bytes());
            hash.update(b"\n");
        });
        let digest = hash.finalize().to_hex()[..DIGITS].to_owned();
        Self { rows: rows.len(), digest }
    }
}

/// Steps whose results are in order, and those that give up the order of what comes in.
const SORTS: [&str; 2] = ["sorted", "sortBy"];
const FORGETS: [&str; 4] = ["groupBy", "groupCount", "toSet", "repeat"];

/// Whether Joern promises the order of a query's rows: the query sorts, outside of all brackets.
pub(crate) fn promises_order(query: &str) -> bool {
    outer_words(query).iter().fold(false, |is_sorted, word| {
        SORTS.contains(&word.as_str()) || is_sorted && !FORGETS.contains(&word.as_str())
    })
}

/// The words of a query that are neither in brackets nor in texts.
fn outer_words(query: &str) -> Vec<String> {
    let (mut depth, mut in_text, mut previous) = (0, false, ' ');
    let mut outer = String::new();
    for character in query.chars() {
        match character {
            '"' if previous != '\\' => in_text = !in_text,
            '(' | '[' | '{' if !in_text => depth += 1,
            ')' | ']' | '}' if !in_text => depth -= 1,
            _ => {}
        }
        let is_word = depth == 0 && !in_text && character.is_alphanumeric();
        outer.push(if is_word { character } else { ' ' });
        previous = if previous == '\\' { ' ' } else { character };
    }
    outer.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn an_order_is_promised_by_a_sort_outside_of_brackets() {
    assert!(promises_order("cpg.call.name.sorted.take(3)"));
    assert!(promises_order("(cpg.call ++ cpg.call).sortBy(c => -c.order).map(_.name).l"));
    assert!(!promises_order("cpg.method.map(m => m.call.name.sorted).l"));
    assert!(!promises_order("cpg.call.code(\"a.sorted\").l"));
    assert!(!promises_order("cpg.call.sortBy(_.name).groupCount(_.name)"));
}

#[test]
fn the_order_of_rows_counts_if_it_is_promised() {
    let [one, other] = [["a", "b"], ["b", "a"]].map(|rows| rows.map(str::to_owned));
    let digest = |query, rows: &[String]| Answer::of(query, rows).digest;
    assert_eq!(digest("cpg.call.name.l", &one), digest("cpg.call.name.l", &other));
    assert_ne!(digest("cpg.call.name.sorted", &one), digest("cpg.call.name.sorted", &other));
}
