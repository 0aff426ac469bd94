package varvite.joern.judge

import flatgraph.DiffGraphApplier
import flatgraph.storage.Serialization
import io.shiftleft.codepropertygraph.generated.nodes.*
import io.shiftleft.codepropertygraph.generated.{Cpg, EdgeTypes, PropertyNames}
import io.shiftleft.semanticcpg.language.*
import java.nio.file.Path

/**
 * Adds to a graph some features that no frontend produces: deleted nodes, cleared values, lists, and
 * properties that refer to nodes.
 */
object Change:
  def write(cpg: Cpg, target: Path): Unit =
    apply(cpg)
    Serialization.writeGraph(cpg.graph, target)

  /** Applies the changes to the graph in memory. */
  def apply(cpg: Cpg): Unit =
    val diff = Cpg.newDiffGraphBuilder
    every(cpg.identifier.l, 50).foreach(diff.removeNode(_))
    every(cpg.literal.l, 13).foreach(diff.removeNode(_))
    cpg.local.lastOption.foreach(diff.removeNode(_))
    // The number of changes includes the removal once. It does not include the edge, because one of the
    // edge's nodes is removed.
    cpg.local.lastOption.foreach(diff.removeNode(_))
    for gone <- cpg.local.lastOption; call <- cpg.call.headOption do diff.addEdge(call, gone, EdgeTypes.REF)
    every(cpg.call.l, 7).foreach(call => diff.setNodeProperty(call, PropertyNames.LINE_NUMBER, null))
    every(cpg.call.l, 11).foreach: call =>
      diff.setNodeProperty(call, PropertyNames.DYNAMIC_TYPE_HINT_FULL_NAME, Seq("one", call.name, "one"))
    val calls = every(cpg.call.l, 100).take(5)
    for call <- calls do
      val pair = NewKeyValuePair().key("place").value(call.code)
      diff.addNode(NewFinding().evidence(Iterator(call)).keyValuePairs(Iterator(pair)))
      diff.addEdge(call, call, EdgeTypes.REACHING_DEF, call.name)
      diff.addEdge(call, call, EdgeTypes.REACHING_DEF)
      diff.addNode(NewTagNodePair().tag(NewTag().name("slow").value("")).node(call))
    println(s"${DiffGraphApplier.applyDiff(cpg.graph, diff)} changes")

  /** Adds edges of a new label between existing nodes. */
  def addTags(cpg: Cpg): Unit =
    val diff = Cpg.newDiffGraphBuilder
    every(cpg.call.l, 1000).foreach(call => diff.addEdge(call, call.method, EdgeTypes.TAGGED_BY))
    println(s"${DiffGraphApplier.applyDiff(cpg.graph, diff)} changes")

  private def every[A](all: List[A], step: Int): List[A] = all.zipWithIndex.collect { case (item, index) if index % step == 0 => item }
