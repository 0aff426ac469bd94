//! [`Names`]: the names of labels, as arguments of steps and walks.

/// An empty list of names. If a step gets this list as its labels, it follows every edge label, or keeps the
/// nodes of every label.
pub const ALL: [&str; 0] = [];

/// An argument that is one name or several names.
pub trait Names {
    /// Returns the names.
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
