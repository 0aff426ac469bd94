//! [`TakenNames`]: gives each column a name that differs from all others by more than case.

use std::collections::{HashMap, HashSet};

/// The names that were given, compared without case.
#[derive(Debug)]
pub(super) struct TakenNames {
    /// The names in lower case.
    taken: HashSet<String>,
    /// The next number for names that are taken, by their lower case. Smaller numbers stay taken.
    next: HashMap<String, u64>,
    /// The text between a name and its number.
    mark: &'static str,
    /// The first number.
    first: u64,
}

impl TakenNames {
    pub(super) fn new(mark: &'static str, first: u64) -> Self {
        Self { taken: HashSet::new(), next: HashMap::new(), mark, first }
    }

    /// Takes a name. Returns false if it was taken before.
    pub(super) fn take(&mut self, name: &str) -> bool {
        self.taken.insert(name.to_lowercase())
    }

    /// Takes a name with the first free number after it. The cost for all names together is a few steps for
    /// each.
    pub(super) fn take_numbered(&mut self, name: &str) -> String {
        let next = self.next.entry(name.to_lowercase()).or_insert(self.first);
        loop {
            let numbered = format!("{name}{}{next}", self.mark);
            *next += 1;
            if self.taken.insert(numbered.to_lowercase()) {
                return numbered;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn given<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
        let mut taken = TakenNames::new("_", 1);
        let name = |name: &str| if taken.take(name) { name.to_owned() } else { taken.take_numbered(name) };
        names.into_iter().map(name).collect()
    }

    #[test]
    fn numbers_are_those_that_are_free() {
        let names = given(["a", "A", "a_2", "A", "a", "\u{c9}", "\u{e9}", "A_1"]);
        assert_eq!(names, ["a", "A_1", "a_2", "A_3", "a_4", "\u{c9}", "\u{e9}_1", "A_1_1"]);
    }

    #[test]
    fn many_names_that_differ_in_case_alone_take_a_few_steps_each() {
        let names: Vec<String> = (0..1 << 14)
            .map(|number| (0..14).map(|bit| if number >> bit & 1 == 0 { 'a' } else { 'A' }).collect())
            .collect();
        let began = Instant::now();
        let given = given(names.iter().map(String::as_str));
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
        let lower: HashSet<String> = given.iter().map(|name| name.to_lowercase()).collect();
        assert_eq!(lower.len(), 1 << 14);
    }
}
