package varvite.joern.judge

import io.joern.dataflowengineoss.language.*
import io.joern.dataflowengineoss.queryengine.{EngineConfig, EngineContext}
import io.shiftleft.codepropertygraph.generated.Cpg
import io.shiftleft.codepropertygraph.generated.nodes.{AstNode, CfgNode}
import io.shiftleft.semanticcpg.language.*

/** Data flow from parameters to copied data, through one call at most. */
object Flows:
  private given EngineContext = EngineContext(config = EngineConfig(maxCallDepth = 1))

  /** Each takes a second or so. */
  private val sinksMax = 10

  /** The nodes on the way of each flow, in the order in which Joern has them. */
  def all(cpg: Cpg): List[List[AstNode]] =
    def sinks: Iterator[CfgNode] = cpg.call.name("mem(cpy|move)").argument(2).take(sinksMax)
    sinks.reachableByFlows(cpg.method.parameter).map(_.elements).l

  def print(cpg: Cpg): Unit =
    val flows = all(cpg)
    val digest = Digest()
    digest.add(flows)
    println(s"${flows.size} flows: $digest")
