package varvite.joern.judge

import io.joern.dataflowengineoss.layers.dataflows.{OssDataFlow, OssDataFlowOptions}
import io.joern.x2cpg.passes.controlflow.cfgdominator.CfgDominatorPass
import io.joern.x2cpg.passes.controlflow.codepencegraph.CdgPass
import io.shiftleft.codepropertygraph.generated.Cpg
import io.shiftleft.semanticcpg.layers.LayerCreatorContext

/** Passes of Joern's overlays, once more over a graph that had them: what they add lies behind what is there. */
object Passes:
  def apply(cpg: Cpg): Unit =
    new CfgDominatorPass(cpg).createAndApply()
    new CdgPass(cpg).createAndApply()
    new OssDataFlow(new OssDataFlowOptions()).run(new LayerCreatorContext(cpg))
