package varvite.cpg

import java.nio.file.Path

import varvite.{Adjacency, Graph, IntProperty, LabelTest, Subtree, TextProperty}

/**
 * A code property graph. Traversals start here; this class also holds the columns that they read.
 *
 * {{{
 * Using(Cpg.open(path)): cpg =>
 *   cpg.method.name("(mem|str)cpy").callIn.argument(1).code.foreach(println)
 * }}}
 *
 * May be used by any number of threads while the graph is open, but each traversal only by one thread.
 */
final class Cpg(val graph: Graph) extends AutoCloseable:
  /** The nodes with a label. */
  def nodes(label: String): Nodes = Members(this, graph.nodes(label))

  /** Every node. */
  def all: Nodes = Ids(this, 0, graph.nodeCount)

  /** This node alone. */
  def node(node: NodeId): Nodes = Ids(this, node.id, node.id + 1)

  /** The nodes with these ids, in the order of the array. */
  def nodes(ids: Array[Int]): Nodes = Listed(this, ids)

  def block: Nodes = nodes("BLOCK")
  def call: Nodes = nodes("CALL")

  /** CALLs whose NAME, as a whole, matches a regular expression. */
  def call(name: String): Nodes = call.name(name)
  def controlStructure: Nodes = nodes("CONTROL_STRUCTURE")
  def file: Nodes = nodes("FILE")
  def identifier: Nodes = nodes("IDENTIFIER")
  def literal: Nodes = nodes("LITERAL")
  def local: Nodes = nodes("LOCAL")
  def member: Nodes = nodes("MEMBER")
  def method: Nodes = nodes("METHOD")

  /** METHODs whose NAME, as a whole, matches a regular expression. */
  def method(name: String): Nodes = method.name(name)
  def parameter: Nodes = nodes("METHOD_PARAMETER_IN")
  def ret: Nodes = nodes("RETURN")
  def typeDecl: Nodes = nodes("TYPE_DECL")

  private[cpg] lazy val parents: Adjacency = graph.in("AST")
  private[cpg] lazy val children: Adjacency = graph.out("AST")
  private[cpg] lazy val arguments: Adjacency = graph.out("ARGUMENT")
  private[cpg] lazy val argumentIndex: IntProperty = graph.ints("ARGUMENT_INDEX")
  private[cpg] lazy val index: IntProperty = graph.ints("INDEX")
  private[cpg] lazy val names: TextProperty = graph.texts("NAME")
  private[cpg] lazy val codes: TextProperty = graph.texts("CODE")
  private[cpg] lazy val isMethod: LabelTest = labelTest("METHOD")

  private[cpg] lazy val subtree: Subtree = graph.subtree.orElseThrow: () =>
    varvite.error.UnknownNameException("index", "of subtrees", null)

  private[cpg] def labelTest(label: String): LabelTest = graph.labelSets.test(graph.label(label))

  private[cpg] def isLabel(label: String): NodeTest =
    val test = labelTest(label)
    node => test.matches(node.id)

  /** Tests whether a node has a label and the steps give a result from this node. */
  private[cpg] def isLabel(label: String, steps: Nodes => Nodes): NodeTest =
    val (test, leadsOn) = (labelTest(label), leads(steps))
    node => test.matches(node.id) && leadsOn(node)

  /** Tests whether the steps give a result from a node. Calls `steps` again for each node. */
  private[cpg] def leads(steps: Nodes => Nodes): NodeTest = id => steps(node(id)).hasNext

  /** Closes the graph. */
  def close(): Unit = graph.close()

object Cpg:
  /** Opens a graph, as `Graph.open` does. */
  def open(path: Path): Cpg = Cpg(Graph.open(path))
