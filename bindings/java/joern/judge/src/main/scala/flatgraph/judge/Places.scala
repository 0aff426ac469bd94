package flatgraph.judge

import flatgraph.Graph

/** Access to members that flatgraph shows to its own packages alone. */
object Places:
  /** The number of places of a kind, those of deleted nodes included. */
  def count(graph: Graph, kind: Int): Int = graph.nodeCountByKind(kind)
