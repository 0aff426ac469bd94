package varvite.joern.judge

import flatgraph.storage.Serialization
import io.shiftleft.codepropertygraph.generated.Cpg
import java.nio.file.Path

/** The way in: what a graph says, line by line. The same program runs on flatgraph and on Varvite, and whoever started both compares the
  * lines.
  */
object Main:
  private val usage =
    """usage: Main digest FILE    a digest for each kind of nodes, property and edge label
      |       Main queries FILE   a digest for the answer of each query
      |       Main threads FILE   nodes that eight threads make at once are one object each
      |       Main flows FILE     a digest of data flow
      |       Main measure FILE   times and memory
      |       Main measure-flows FILE   how long data flow takes
      |       Main overlays FILE  applies all default overlays in memory
      |       Main changed FILE   digests once a diff with what is rare was applied in memory
      |       Main passes FILE    digests once passes of overlays were applied in memory
      |       Main random FILE SEED   digests once random diffs were applied in memory
      |       Main change FILE TARGET   writes a graph with what is rare
      |       Main empty TARGET   writes a graph without nodes""".stripMargin

  def main(arguments: Array[String]): Unit = arguments match
    case Array("digest", file)  => withGraph(file)(Digests.print)
    case Array("queries", file) => withGraph(file)(Queries.print)
    case Array("threads", file) => withGraph(file)(Threads.check)
    case Array("flows", file)   => withGraph(file)(Flows.print)
    case Array("measure", file) => Measure.print(Path.of(file))
    case Array("measure-flows", file) => Measure.flows(Path.of(file))
    case Array("overlays", file) => withGraph(file)(Passes.defaults)
    case Array("changed", file) => withGraph(file)(printAfter(Change.apply))
    case Array("passes", file)  => withGraph(file)(printAfter(Passes.apply))
    case Array("random", file, seed) => withGraph(file)(printAfter(RandomDiffs(_, seed.toLong)))
    case Array("change", file, target) => withGraph(file)(Change.write(_, Path.of(target)))
    case Array("empty", target) => Serialization.writeGraph(Cpg.empty.graph, Path.of(target))
    case _ =>
      System.err.println(usage)
      System.exit(2)

  private def printAfter(change: Cpg => Unit)(cpg: Cpg): Unit =
    change(cpg)
    Digests.print(cpg)
    Queries.print(cpg)

  private def withGraph(file: String)(use: Cpg => Unit): Unit =
    val cpg = Cpg.withStorage(Path.of(file), persistOnClose = false)
    try use(cpg)
    finally cpg.close()
