//! [`ColumnEngine`]: a peer for questions about columns. Its row in [`ENGINES`] is all that the benchmark
//! contains about an engine: sides, options, file names, versions and the columns of pages follow from the
//! row.

/// The row of an engine.
#[derive(Debug)]
pub struct ColumnEngine {
    /// The name of the engine, of its option, its script and its list of packages.
    pub name: &'static str,
    /// The title of the engine, for people.
    pub title: &'static str,
    /// The form of the engine's queries, for pages.
    pub asks: &'static str,
    /// The extension of the engine's file.
    pub ending: &'static str,
    /// The names of its sides in results, each with its number of threads.
    pub sides: &'static [(&'static str, u32)],
}

impl ColumnEngine {
    /// The side that stands for the engine's file, which all its sides share.
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
