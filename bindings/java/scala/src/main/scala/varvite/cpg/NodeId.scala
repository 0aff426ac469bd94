package varvite.cpg

/**
  * The id of a node, which is below the number of nodes of its graph, or [[NodeId.None]]. It compiles to an
  * `Int`.
  */
opaque type NodeId = Int

object NodeId:
  /** No node. */
  val None: NodeId = -1

  /** The node with this id. Reads of a graph check whether the graph has it. */
  inline def apply(id: Int): NodeId = id

  given Ordering[NodeId] = Ordering.Int

  extension (node: NodeId)
    /** The id as an `Int`. */
    inline def id: Int = node

    /** Whether this is a node and not [[NodeId.None]]. */
    inline def isNode: Boolean = node >= 0
