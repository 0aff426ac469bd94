package flatgraph.judge

import flatgraph.Graph

/** What flatgraph tells its own packages alone. */
object Places:
  /** How many places a kind has, those of deleted nodes included. */
  def count(graph: Graph, kind: Int): Int = graph.nodeCountByKind(kind)
