package varvite.cpg

import scala.compiletime.uninitialized

import varvite.{Adjacency, IntList}

/**
 * All nodes that repeated hops reach from each start node, breadth first. Each node is returned once per
 * start node; the start node itself is not returned.
 */
private[cpg] abstract class Closure(source: Nodes) extends Nodes(source.cpg):
  private val reached = IntList()
  private val seen = new Array[Long]((source.cpg.graph.nodeCount + 63) / 64)
  /**
   * The index in `reached` of the next node to return, and that of the next node to expand. Index 0 is the
   * start node, which is not returned.
   */
  private var handedOut = 1
  private var expanded = 0

  /** Visits every node that a hop from `node` leads to. */
  protected def hop(node: Int): Unit

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
    expanded += 1
    hop(reached.get(expanded - 1))

  protected final def visit(node: Int): Unit =
    val bit = 1L << node
    if (seen(node >> 6) & bit) == 0 then
      seen(node >> 6) |= bit
      reached.add(node)

  def next(): NodeId =
    if !hasNext then Iterator.empty.next()
    handedOut += 1
    NodeId(reached.get(handedOut - 1))

/** The nodes that are reached by hops along an adjacency. */
private[cpg] final class Reached(source: Nodes, adjacency: Adjacency) extends Closure(source):
  private val cursor = adjacency.cursor()

  protected def hop(node: Int): Unit =
    cursor.of(node)
    while cursor.next() do visit(cursor.node)

/** The nodes that are reached by steps. Calls `steps` again for each node. */
private[cpg] final class ReachedBy(source: Nodes, steps: Nodes => Nodes) extends Closure(source):
  protected def hop(node: Int): Unit = steps(cpg.node(NodeId(node))).each(reached => visit(reached.id))

/**
 * The nodes that are reached in 1 to `depthMax` hops along an adjacency, depth first. A node is returned once
 * for each path to it.
 */
private[cpg] final class Within(source: Nodes, adjacency: Adjacency, depthMax: Int) extends Nodes(source.cpg):
  private val cursor = adjacency.cursor()
  /** The nodes that will be returned next, and the number of hops to each of them. */
  private val (ahead, depths) = (IntList(), IntList())

  def hasNext: Boolean =
    while ahead.isEmpty && source.hasNext do expand(source.next().id, 1)
    !ahead.isEmpty

  private def expand(node: Int, depth: Int): Unit =
    if depth <= depthMax then
      cursor.of(node)
      while cursor.next() do
        ahead.add(cursor.node)
        depths.add(depth)

  def next(): NodeId =
    if !hasNext then Iterator.empty.next()
    val node = ahead.pop()
    expand(node, depths.pop() + 1)
    NodeId(node)

/**
 * For each node, the results of the first branch that has a result. Calls the branches again for each node.
 */
private[cpg] final class FirstOf(source: Nodes, branches: Seq[Nodes => Nodes]) extends Nodes(source.cpg):
  private var ahead: Nodes = uninitialized

  def hasNext: Boolean =
    while (ahead == null || !ahead.hasNext) && source.hasNext do start(source.next())
    ahead != null && ahead.hasNext

  private def start(node: NodeId): Unit =
    val left = branches.iterator
    ahead = left.next()(cpg.node(node))
    while !ahead.hasNext && left.hasNext do ahead = left.next()(cpg.node(node))

  def next(): NodeId =
    if !hasNext then Iterator.empty.next()
    ahead.next()
