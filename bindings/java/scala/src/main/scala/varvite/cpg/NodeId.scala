package varvite.cpg

/**
  * A node: an id below the number of nodes of its graph, or [[NodeId.None]]. An `Int` and nothing else once
  * it is compiled.
  */
opaque type NodeId = Int

object NodeId:
  /** No node. */
  val None: NodeId = -1

  /** The node of this id. Whether a graph has it is checked where it is used. */
  inline def apply(id: Int): NodeId = id

  given Ordering[NodeId] = Ordering.Int

  extension (node: NodeId)
    /** Its number. */
    inline def id: Int = node

    /** Whether it is one. */
    inline def isNode: Boolean = node >= 0
