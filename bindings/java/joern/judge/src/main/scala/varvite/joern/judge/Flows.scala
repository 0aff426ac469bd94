package varvite.joern.judge

import io.joern.dataflowengineoss.language.*
import io.joern.dataflowengineoss.queryengine.{EngineConfig, EngineContext}
import io.shiftleft.codepropertygraph.generated.Cpg
import io.shiftleft.codepropertygraph.generated.nodes.{AstNode, CfgNode}
import io.shiftleft.semanticcpg.language.*

/** Computes data flow from parameters to the arguments of copy functions, through at most one call. */
object Flows:
  private given EngineContext = EngineContext(config = EngineConfig(maxCallDepth = 1))

  /** The maximum number of sinks. The flows to one sink take about a second. */
  private val sinksMax = 10

  /** The nodes of each flow, in the order in which Joern returns them. */
  def all(cpg: Cpg): List[List[AstNode]] =
    def sinks: Iterator[CfgNode] = cpg.call.name("mem(cpy|move)").argument(2).take(sinksMax)
    sinks.reachableByFlows(cpg.method.parameter).map(_.elements).l

  def print(cpg: Cpg): Unit =
    val flows = all(cpg)
    val digest = Digest()
    digest.add(flows)
    println(s"${flows.size} flows: $digest")
