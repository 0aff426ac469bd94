"""Nodes, edges and layers as tables for SQL and for data frames, with columns and filters pushed down.

`conditions` describes filters, and turns them into steps of pipelines. `tables` has the tables by their names.
`arrow_filters` and `dataset` connect them to pyarrow, `sql` to DuckDB, and `polars_filters` and `frames` to Polars: the
package imports these five only when they are used.
"""
