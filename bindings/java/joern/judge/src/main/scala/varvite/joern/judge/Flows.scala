package varvite.joern.judge

import io.joern.dataflowengineoss.language.*
import io.joern.dataflowengineoss.queryengine.EngineContext
import io.shiftleft.codepropertygraph.generated.Cpg
import io.shiftleft.codepropertygraph.generated.nodes.{AstNode, CfgNode}
import io.shiftleft.semanticcpg.language.*

/** Data flow from parameters to the arguments of functions that copy, and of those that free. */
object Flows:
  private given EngineContext = EngineContext()

  /** The nodes on the way of each flow, in the order in which Joern has them. */
  def all(cpg: Cpg): List[List[AstNode]] =
    def sinks: Iterator[CfgNode] = cpg.call.name("mem(cpy|set|move)|.*free").argument
    sinks.reachableByFlows(cpg.method.parameter).map(_.elements).l

  def print(cpg: Cpg): Unit =
    val flows = all(cpg)
    val digest = Digest()
    digest.add(flows)
    println(s"${flows.size} flows: $digest")
