package varvite.cpg

/** The id of a node, which is below the node count of its graph, or [[NodeId.None]]. Compiles to an `Int`. */
opaque type NodeId = Int

object NodeId:
  /** Stands for no node. */
  val None: NodeId = -1

  /** The node with this id. Whether a graph has the node is checked when the graph is read. */
  inline def apply(id: Int): NodeId = id

  given Ordering[NodeId] = Ordering.Int

  extension (node: NodeId)
    /** The id as an `Int`. */
    inline def id: Int = node

    /** Whether this is a node and not [[NodeId.None]]. */
    inline def isNode: Boolean = node >= 0
