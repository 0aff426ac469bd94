//! [`Names`]: labels, as steps and walks are given them.

/// Every edge label, or every node: for steps that take labels.
pub const ALL: [&str; 0] = [];

/// One name or several.
pub trait Names {
    /// The names.
    fn names(self) -> Vec<String>;
}

impl Names for &str {
    fn names(self) -> Vec<String> {
        vec![self.to_owned()]
    }
}

impl Names for String {
    fn names(self) -> Vec<String> {
        vec![self]
    }
}

impl<const N: usize> Names for [&str; N] {
    fn names(self) -> Vec<String> {
        self.iter().map(|name| (*name).to_owned()).collect()
    }
}

impl Names for &[String] {
    fn names(self) -> Vec<String> {
        self.to_vec()
    }
}

impl Names for &[&str] {
    fn names(self) -> Vec<String> {
        self.iter().map(|name| (*name).to_owned()).collect()
    }
}
