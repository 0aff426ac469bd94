package flatgraph.judge

import flatgraph.Graph

/** Gives access to members that are visible only in flatgraph's packages. */
object Places:
  /** The number of nodes of a kind, including deleted nodes. */
  def count(graph: Graph, kind: Int): Int = graph.nodeCountByKind(kind)
