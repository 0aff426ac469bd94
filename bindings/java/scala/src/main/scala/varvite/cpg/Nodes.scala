package varvite.cpg

import scala.collection.AbstractIterator
import scala.collection.mutable.ArrayBuilder

import varvite.{Adjacency, NodeSet}

/**
 * An iterator over nodes, with steps that lead from these nodes to others.
 *
 * This is a Scala iterator with all methods of iterators. If the static type is this class, `next` returns an
 * unboxed `Int`. Steps call each other's `next` in its unboxed form, so that following an edge allocates
 * nothing. Steps are lazy, and each can be used only once and by one thread.
 *
 * Exceptions are those of the Java binding: `varvite.error.GraphClosedException` once the graph is closed,
 * `DamagedFileException` for a damaged file, `UnknownNameException` for names that the graph lacks.
 */
abstract class Nodes(val cpg: Cpg) extends AbstractIterator[NodeId]:
  def hasNext: Boolean

  /** The next node, unboxed if the static type is this class. */
  def next(): NodeId

  /** Runs `action` for every remaining node. The call is compiled to a loop. */
  inline def each(inline action: NodeId => Unit): Unit =
    while hasNext do action(next())

  /** Keeps nodes that pass a test, which is inlined into the step. */
  inline def keep(inline test: NodeId => Boolean): Nodes =
    val isKept: NodeTest = node => test(node)
    Kept(this, isKept)

  /** The neighbours of each node along an adjacency, in the order of the graph. */
  def along(adjacency: Adjacency): Nodes = Hop(this, adjacency)

  /** The targets of each node's out-edges with a label. */
  def out(edgeLabel: String): Nodes = along(cpg.graph.out(edgeLabel))

  /** The sources of each node's in-edges with a label. */
  def in(edgeLabel: String): Nodes = along(cpg.graph.in(edgeLabel))

  /** Keeps nodes that have a label. */
  def label(label: String): Nodes =
    val isLabel = cpg.labelTest(label)
    keep(node => isLabel.matches(node.id))

  /** Keeps nodes that are members of a set. */
  def within(set: NodeSet): Nodes = keep(node => set.contains(node.id))

  /** Keeps the first occurrence of each node. Takes a bit for each node of the graph. */
  def dedup: Nodes =
    val seen = new Array[Long]((cpg.graph.nodeCount + 63) / 64)
    keep: node =>
      val (word, bit) = (node.id >> 6, 1L << node.id)
      val isNew = (seen(word) & bit) == 0
      seen(word) |= bit
      isNew

  /** Keeps nodes from which the steps give a result. Calls `steps` again for each node. */
  def where(steps: Nodes => Nodes): Nodes = keep(node => steps(cpg.node(node)).hasNext)

  /** Keeps nodes from which the steps give no result. Calls `steps` again for each node. */
  def whereNot(steps: Nodes => Nodes): Nodes = keep(node => !steps(cpg.node(node)).hasNext)

  /** The number of remaining nodes. Consumes the iterator. */
  def count: Int =
    var count = 0
    each(_ => count += 1)
    count

  /** The remaining nodes as ids. */
  def toIds: Array[Int] =
    val ids = ArrayBuilder.ofInt()
    each(node => ids += node.id)
    ids.result()

  /** The remaining nodes as a list. */
  def l: List[NodeId] = toList

/** A condition on a node. */
trait NodeTest:
  def apply(node: NodeId): Boolean

/** The nodes that pass a test. */
private[cpg] final class Kept(source: Nodes, isKept: NodeTest) extends Nodes(source.cpg):
  private var ahead = NodeId.None

  def hasNext: Boolean =
    while !ahead.isNode && source.hasNext do
      val node = source.next()
      if isKept(node) then ahead = node
    ahead.isNode

  def next(): NodeId =
    if !hasNext then Iterator.empty.next()
    val node = ahead
    ahead = NodeId.None
    node

object Kept:
  def apply(source: Nodes, isKept: NodeTest): Nodes = new Kept(source, isKept)

/** The neighbours of each node along an adjacency. */
private[cpg] final class Hop(source: Nodes, adjacency: Adjacency) extends Nodes(source.cpg):
  private val cursor = adjacency.cursor()
  private var isInList = false
  private var isAhead = false

  def hasNext: Boolean =
    while !isAhead && (isInList || source.hasNext) do
      if !isInList then cursor.of(source.next().id)
      isInList = cursor.next()
      isAhead = isInList
    isAhead

  def next(): NodeId =
    if !hasNext then Iterator.empty.next()
    isAhead = false
    NodeId(cursor.node)

/** For each METHOD, the CALLs that it contains, along CONTAINS. Other nodes are passed on unchanged. */
private[cpg] final class CallsOf(source: Nodes) extends Nodes(source.cpg):
  private val contained = cpg.graph.out("CONTAINS").cursor()
  private val isMethod = cpg.isMethod
  private val isCall = cpg.labelTest("CALL")
  private var isInList = false
  private var ahead = NodeId.None

  def hasNext: Boolean =
    while !ahead.isNode && (isInList || source.hasNext) do if isInList then goOn() else start(source.next())
    ahead.isNode

  private def start(node: NodeId): Unit =
    isInList = isMethod.matches(node.id)
    if isInList then contained.of(node.id) else ahead = node

  private def goOn(): Unit =
    isInList = contained.next()
    if isInList && isCall.matches(contained.node) then ahead = NodeId(contained.node)

  def next(): NodeId =
    if !hasNext then Iterator.empty.next()
    val node = ahead
    ahead = NodeId.None
    node

/** The members of a set. */
private[cpg] final class Members(cpg: Cpg, set: NodeSet) extends Nodes(cpg):
  private var ahead = set.next(0)

  def hasNext: Boolean = ahead >= 0

  def next(): NodeId =
    if ahead < 0 then Iterator.empty.next()
    val node = ahead
    ahead = set.next(node + 1)
    NodeId(node)

/** All nodes whose ids are in a range. */
private[cpg] final class Ids(cpg: Cpg, start: Int, end: Int) extends Nodes(cpg):
  private var ahead = start

  def hasNext: Boolean = ahead < end

  def next(): NodeId =
    if ahead >= end then Iterator.empty.next()
    ahead += 1
    NodeId(ahead - 1)

/** The nodes whose ids are in an array. */
private[cpg] final class Listed(cpg: Cpg, ids: Array[Int]) extends Nodes(cpg):
  private var at = 0

  def hasNext: Boolean = at < ids.length

  def next(): NodeId =
    if at >= ids.length then Iterator.empty.next()
    at += 1
    NodeId(ids(at - 1))
