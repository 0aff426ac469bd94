package varvite.cpg

import varvite.{Adjacency, Subtree}

/** Each node, if `withSelf`, and everything below it in the syntax tree: a range of ids. */
private[cpg] final class Below(source: Nodes, subtree: Subtree, withSelf: Boolean) extends Nodes(source.cpg):
  private var ahead = 0
  private var end = 0

  def hasNext: Boolean =
    while ahead >= end && source.hasNext do
      val node = source.next().id
      ahead = if withSelf then node else node + 1
      end = subtree.end(node)
    ahead < end

  def next(): NodeId =
    if !hasNext then Iterator.empty.next()
    ahead += 1
    NodeId(ahead - 1)

/** Each node, if `withSelf`, and everything above it in the syntax tree, the nearest first. */
private[cpg] final class Above(source: Nodes, parents: Adjacency, withSelf: Boolean) extends Nodes(source.cpg):
  private var ahead = -1

  def hasNext: Boolean =
    while ahead < 0 && source.hasNext do
      val node = source.next().id
      ahead = if withSelf then node else parents.first(node)
    ahead >= 0

  def next(): NodeId =
    if !hasNext then Iterator.empty.next()
    val node = ahead
    ahead = parents.first(node)
    NodeId(node)

/** For each node the nearest one above it that passes; the node itself too, if `withSelf`. */
private[cpg] final class Nearest(source: Nodes, parents: Adjacency, isWanted: NodeTest, withSelf: Boolean)
    extends Nodes(source.cpg):
  private var ahead = -1

  def hasNext: Boolean =
    while ahead < 0 && source.hasNext do
      val node = source.next().id
      ahead = if withSelf then node else parents.first(node)
      while ahead >= 0 && !isWanted(NodeId(ahead)) do ahead = parents.first(ahead)
    ahead >= 0

  def next(): NodeId =
    if !hasNext then Iterator.empty.next()
    val node = ahead
    ahead = -1
    NodeId(node)

/** Everything that is reached along an adjacency, once for each start, without the start itself: breadth first. */
private[cpg] final class Reached(source: Nodes, adjacency: Adjacency) extends Nodes(source.cpg):
  private val cursor = adjacency.cursor()
  private val reached = varvite.IntList()
  private val seen = new Array[Long]((source.cpg.graph.nodeCount + 63) / 64)
  /** Nodes of `reached` before it were handed out; those before `expanded` were gone on from. Number 0 is the start. */
  private var handedOut = 1
  private var expanded = 0

  def hasNext: Boolean =
    while handedOut >= reached.size && (expanded < reached.size || source.hasNext) do
      if expanded < reached.size then expand() else start(source.next().id)
    handedOut < reached.size

  private def start(node: Int): Unit =
    reached.forEach(old => seen(old >> 6) = 0)
    reached.clear()
    visit(node)
    handedOut = 1
    expanded = 0

  private def expand(): Unit =
    cursor.of(reached.get(expanded))
    expanded += 1
    while cursor.next() do visit(cursor.node)

  private def visit(node: Int): Unit =
    val bit = 1L << node
    if (seen(node >> 6) & bit) == 0 then
      seen(node >> 6) |= bit
      reached.add(node)

  def next(): NodeId =
    if !hasNext then Iterator.empty.next()
    handedOut += 1
    NodeId(reached.get(handedOut - 1))
