package varvite.joern.judge

import flatgraph.Accessors
import io.shiftleft.codepropertygraph.generated.Cpg

/** Prints digests of reads that not every version of flatgraph offers. */
object Newer:
  def print(cpg: Cpg): Unit =
    Digests.line("properties by number")(digest => cpg.graph.allNodes.foreach(node => digest.add(Accessors._getNodeProperties(node))))
