//! [`Names`]: what labels and properties of a profile are called in a graph.

/// Names of a layer that is made of a profile: `HEAP_CALLS` and so on, or `HEAP_BEFORE_CALLS` of a profile named `before`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names {
    prefix: String,
    /// The layer: `heap`, or `heap/before`.
    pub layer: String,
}

/// What is counted, by the end of its name: of a step, a METHOD or a CALL itself, and of it with all that it called.
pub(super) const COUNTS: [&str; 4] = ["CALLS", "TEMPORARY", "LEAKED_BYTES", "PEAK_BYTES"];

impl Names {
    /// The names of a profile, which has a name itself, or none.
    pub fn of(name: &str) -> Self {
        match name {
            "" => Self { prefix: "HEAP".to_owned(), layer: "heap".to_owned() },
            name => Self { prefix: format!("HEAP_{}", name.to_uppercase()), layer: format!("heap/{name}") },
        }
    }

    /// A label or property, by the end of its name: `PROFILE`, `STEP` and `PLACE` are labels, `AT`, `CALLED_AT` and `ALLOCATES_AT`
    /// edge labels.
    pub fn name(&self, end: &str) -> String {
        format!("{}_{end}", self.prefix)
    }

    /// The four counts of something itself: calls, temporary ones, bytes that leaked, and bytes at the peak.
    pub fn own(&self) -> [String; 4] {
        COUNTS.map(|end| self.name(end))
    }

    /// The same with all that it called, directly or not.
    pub fn all(&self) -> [String; 4] {
        COUNTS.map(|end| self.name(&format!("ALL_{end}")))
    }
}
