package varvite.joern.judge

import io.joern.dataflowengineoss.layers.dataflows.{OssDataFlow, OssDataFlowOptions}
import io.joern.x2cpg.X2Cpg
import io.joern.x2cpg.passes.controlflow.cfgdominator.CfgDominatorPass
import io.joern.x2cpg.passes.controlflow.codepencegraph.CdgPass
import io.shiftleft.codepropertygraph.generated.Cpg
import io.shiftleft.semanticcpg.language.*
import io.shiftleft.semanticcpg.layers.LayerCreatorContext

/**
 * Runs passes of Joern's overlays again on a graph that already has these overlays. The nodes and edges that
 * they add follow the existing ones.
 */
object Passes:
  def apply(cpg: Cpg): Unit =
    new CfgDominatorPass(cpg).createAndApply()
    new CdgPass(cpg).createAndApply()
    new OssDataFlow(new OssDataFlowOptions()).create(new LayerCreatorContext(cpg))

  /** Applies once more the default overlays with which a graph was made, including data flow. */
  def again(cpg: Cpg): Unit =
    val overlays = cpg.metaData.overlays.toSet
    val creators = X2Cpg.defaultOverlayCreators() :+ new OssDataFlow(new OssDataFlowOptions())
    for creator <- creators if overlays(creator.overlayName) do creator.create(new LayerCreatorContext(cpg))
