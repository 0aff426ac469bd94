//! Paths of source files, compared by their parts from the end, because tools know the same file below
//! different folders.

/// The parts of a path, the last part first.
pub(crate) fn parts_of(path: &str) -> Vec<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.into_iter().rev().map(str::to_owned).collect()
}

/// The number of equal trailing parts of two paths.
pub(super) fn common(one: &[String], other: &[String]) -> usize {
    one.iter().zip(other).take_while(|(one, other)| one == other).count()
}
