package varvite.joern.judge

import io.joern.dataflowengineoss.layers.dataflows.{OssDataFlow, OssDataFlowOptions}
import io.joern.x2cpg.X2Cpg
import io.joern.x2cpg.passes.controlflow.cfgdominator.CfgDominatorPass
import io.joern.x2cpg.passes.controlflow.codepencegraph.CdgPass
import io.shiftleft.codepropertygraph.generated.Cpg
import io.shiftleft.semanticcpg.language.*
import io.shiftleft.semanticcpg.layers.LayerCreatorContext

/**
  * Runs passes of Joern's overlays again on a graph that already has them: their additions follow the
  * existing ones.
  */
object Passes:
  def apply(cpg: Cpg): Unit =
    new CfgDominatorPass(cpg).createAndApply()
    new CdgPass(cpg).createAndApply()
    new OssDataFlow(new OssDataFlowOptions()).create(new LayerCreatorContext(cpg))

  /** Applies the default overlays that a graph was made with, data flow among them, once more. */
  def again(cpg: Cpg): Unit =
    val overlays = cpg.metaData.overlays.toSet
    val creators = X2Cpg.defaultOverlayCreators() :+ new OssDataFlow(new OssDataFlowOptions())
    for creator <- creators if overlays(creator.overlayName) do creator.create(new LayerCreatorContext(cpg))
