//! The rule on Markdown links: the target of a relative link exists in the repository, and the link's
//! fragment is a heading of the target.

use super::documents::{heading_level, prose};
use super::files::{File, Files, Finding};

/// The targets of all relative links in Markdown files exist.
pub(crate) fn links_resolve(files: &Files) -> Vec<Finding> {
    let pages = files.texts().filter(|(file, _)| file.extension() == "md");
    pages.flat_map(|(file, text)| broken_links(files, file, text)).collect()
}

fn broken_links(files: &Files, page: &File, text: &str) -> Vec<Finding> {
    let links = prose(text).flat_map(|(line, words)| targets(words).map(move |target| (line, target)));
    links.filter_map(|(line, target)| Some(page.finding(line, problem(files, page, target)?))).collect()
}

/// The targets of `[text](target)` in a line, except those in backticks.
fn targets(line: &str) -> impl Iterator<Item = &str> {
    let outside_backticks = line.split('`').step_by(2);
    let plain = outside_backticks.flat_map(|part| part.split("](").skip(1));
    plain.filter_map(|rest| rest.split([')', ' ']).next())
}

fn problem(files: &Files, page: &File, target: &str) -> Option<String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return None;
    }
    let (path, fragment) = target.split_once('#').unwrap_or((target, ""));
    let path = if path.is_empty() { Some(page.path.clone()) } else { resolve(&page.path, path) };
    let Some(path) = path else { return Some(format!("link to '{target}', outside the repository")) };
    if !files.exists(&path) {
        return Some(format!("link to '{target}', which does not exist"));
    }
    let missing = !fragment.is_empty() && !headings(files.text(&path)).any(|slug| slug == fragment);
    missing.then(|| format!("link to '{target}': no heading '{fragment}'"))
}

/// Converts a path relative to the page's folder to a path from the root; `None` if it leads out of the root.
fn resolve(page: &str, path: &str) -> Option<String> {
    let folder = page.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/').filter(|part| !part.is_empty() && *part != ".") {
        match part {
            ".." => parts.pop().map(drop)?,
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// The fragments by which links refer to headings: lower case, words joined by hyphens, no punctuation.
fn headings(text: &str) -> impl Iterator<Item = String> {
    let lines = prose(text).map(|(_, line)| line).filter(|line| heading_level(line) > 0);
    lines.map(|line| {
        let words = line.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
        words.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let files = Files::of_texts(&[
            ("docs/page.md", text),
            ("docs/other.md", "# Other page\n## What it *is*, in short\n"),
            ("README.md", "# Varvite\n"),
        ]);
        let found: Vec<String> = links_resolve(&files).into_iter().map(|finding| finding.what).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn links_to_files_folders_and_headings_resolve() {
        check("[a](other.md) [b](../README.md) [c](../docs) [d](other.md#what-it-is-in-short)\n", &[]);
        check("# Here\n[a](#here)\n", &[]);
    }

    #[test]
    fn broken_links_are_found() {
        check("[a](gone.md)\n", &["link to 'gone.md', which does not exist"]);
        check("[a](../../x.md)\n", &["link to '../../x.md', outside the repository"]);
        check("[a](other.md#gone)\n", &["link to 'other.md#gone': no heading 'gone'"]);
    }

    #[test]
    fn links_elsewhere_and_code_are_left_alone() {
        check("[a](https://example.org/x) [b](mailto:a@b.c) `[c](gone.md)`\n```\n[d](gone.md)\n```\n", &[]);
    }
}
