//! [`ColumnEngine`]: a peer for questions about columns. To add an engine to the harness, add a row to
//! [`ENGINES`]: sides, options, file names, versions and the columns of pages follow from it.

/// A column engine, as a row of [`ENGINES`].
#[derive(Debug)]
pub struct ColumnEngine {
    /// The name of the engine; its option, its script and its list of packages are named after it.
    pub name: &'static str,
    /// The human-readable name of the engine.
    pub title: &'static str,
    /// The form in which the engine gets its queries, as pages name it.
    pub asks: &'static str,
    /// The extension of the engine's file.
    pub ending: &'static str,
    /// The names of the engine's sides in results, each with its number of threads.
    pub sides: &'static [(&'static str, u32)],
}

impl ColumnEngine {
    /// The side under which results list the engine's file, which all its sides share.
    pub fn main_side(&self) -> &'static str {
        self.sides.last().map_or(self.name, |(side, _)| side)
    }
}

/// Every engine.
pub const ENGINES: &[ColumnEngine] = &[
    ColumnEngine {
        name: "duckdb",
        title: "DuckDB",
        asks: "its database file",
        ending: "duckdb",
        sides: &[("duckdb_1", 1), ("duckdb_2", 2)],
    },
    ColumnEngine {
        name: "polars",
        title: "Polars",
        asks: "Parquet",
        ending: "parquet",
        sides: &[("polars_2", 2)],
    },
];
