package varvite.joern.judge

import io.joern.dataflowengineoss.layers.dataflows.{OssDataFlow, OssDataFlowOptions}
import io.joern.x2cpg.layers.{Base, CallGraph, ControlFlow, TypeRelations}
import io.joern.x2cpg.passes.controlflow.cfgdominator.CfgDominatorPass
import io.joern.x2cpg.passes.controlflow.codepencegraph.CdgPass
import io.shiftleft.codepropertygraph.generated.Cpg
import io.shiftleft.semanticcpg.layers.LayerCreatorContext

/** Passes of Joern's overlays, once more over a graph that had them: what they add lies behind what is there. */
object Passes:
  def apply(cpg: Cpg): Unit =
    new CfgDominatorPass(cpg).createAndApply()
    new CdgPass(cpg).createAndApply()
    new OssDataFlow(new OssDataFlowOptions()).create(new LayerCreatorContext(cpg))

  /** All passes that Joern applies to what a frontend makes, and data flow. */
  def defaults(cpg: Cpg): Unit =
    for passes <- Seq(Base.passes, ControlFlow.passes, TypeRelations.passes, CallGraph.passes); pass <- passes(cpg) do
      pass.createAndApply()
    new OssDataFlow(new OssDataFlowOptions()).create(new LayerCreatorContext(cpg))
