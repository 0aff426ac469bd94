"""The backend of NetworkX: `graph.networkx("CALL")` is a graph for its functions.

`views` has these graphs, which read a file lazily, and `converted` has graphs of NetworkX as lists of edges. `backend`
is what NetworkX loads: it finds the functions in `traversal`, `paths`, `components`, `ordered`, `dominance`, `ranks` and
`matrices`, each named and typed as NetworkX's. All other functions are NetworkX's own, over the mappings of `views`.

Nothing here is imported by `import varvite`, because NetworkX is not needed otherwise.
"""
