//! [`ColumnEngine`]: a peer for questions about columns, as results and pages know it. Its row in [`ENGINES`]
//! is all that the benchmark knows of it: sides, options, file names, versions and columns of pages follow.

/// An engine as this program knows it.
#[derive(Debug)]
pub struct ColumnEngine {
    /// Its name, which is that of its option, its script and its list of packages.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// What it asks.
    pub asks: &'static str,
    /// How the name of its file ends.
    pub ending: &'static str,
    /// The names of its sides in results, each with its number of threads.
    pub sides: &'static [(&'static str, u32)],
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
