package flatgraph.judge

import flatgraph.Graph

/** Access to members that are visible only in flatgraph's packages. */
object Places:
  /** The number of nodes of a kind, deleted nodes included. */
  def count(graph: Graph, kind: Int): Int = graph.nodeCountByKind(kind)
