//! Reads facts from Markdown: sections, words in backticks, rows of tables.

/// The lines of the section whose heading contains `words`, up to the next heading of the same or a higher
/// level.
pub(crate) fn section<'a>(text: &'a str, words: &str) -> Vec<&'a str> {
    let mut lines = prose(text).map(|(_, line)| line).skip_while(|line| !is_heading_with(line, words));
    let Some(heading) = lines.next() else { return Vec::new() };
    let level = heading_level(heading);
    lines.take_while(|line| !(1..=level).contains(&heading_level(line))).collect()
}

/// The texts between single backticks on a line.
pub(crate) fn in_backticks(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// The cells of a table row; empty for any other line.
pub(crate) fn cells(line: &str) -> Vec<&str> {
    let inner = line.trim().strip_prefix('|').and_then(|line| line.strip_suffix('|'));
    inner.map_or_else(Vec::new, |inner| inner.split('|').map(str::trim).collect())
}

/// The lines outside of fenced blocks, each with its line number, from one.
pub(crate) fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    text.lines().enumerate().filter_map(move |(i, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        (!fence && !fenced).then_some((i + 1, line))
    })
}

/// The number of `#` at the beginning of a heading; zero for any other line.
pub(crate) fn heading_level(line: &str) -> usize {
    let marks = line.chars().take_while(|c| *c == '#').count();
    if line[marks..].starts_with(' ') { marks } else { 0 }
}

fn is_heading_with(line: &str, words: &str) -> bool {
    heading_level(line) > 0 && line.to_lowercase().contains(&words.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_ends_at_the_next_heading_of_its_level() {
        let text = "# A\n## Unsafe code\none\n### deeper\ntwo\n## Next\nthree\n";
        assert_eq!(section(text, "unsafe"), ["one", "### deeper", "two"]);
        assert_eq!(section(text, "absent"), <[&str; 0]>::default());
    }

    #[test]
    fn fenced_lines_are_not_prose() {
        let lines: Vec<_> = prose("a\n```\n# b\n```\nc\n").collect();
        assert_eq!(lines, [(1, "a"), (5, "c")]);
    }

    #[test]
    fn a_row_is_its_cells() {
        assert_eq!(cells("| a | `b` |"), ["a", "`b`"]);
        assert_eq!(cells("a | b"), <[&str; 0]>::default());
    }
}
