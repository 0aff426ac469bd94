package varvite.joern.judge

import flatgraph.storage.Serialization
import io.shiftleft.codepropertygraph.generated.Cpg
import io.shiftleft.semanticcpg.language.*
import java.nio.channels.FileChannel
import java.nio.file.{Path, StandardOpenOption}
import scala.util.Using

/**
 * The entry point, which prints answers about a graph, line by line. A test runs this program with flatgraph
 * and with Varvite, and compares the lines.
 */
object Main:
  import Reading.{printAfter, withGraph}

  private val usage =
    """usage: Main digest FILE    a digest for each kind of nodes, property and edge label
      |       Main queries FILE   a digest for the answer of each query
      |       Main threads FILE   nodes that eight threads make at once are one object each
      |       Main flows FILE     a digest of data flow
      |       Main measure FILE   times and memory
      |       Main measure-flows FILE   how long data flow takes
      |       Main overlays FILE  applies the overlays of the graph once more, in memory
      |       Main changed FILE   digests once a diff with what is rare was applied in memory
      |       Main passes FILE    digests once passes of overlays were applied in memory
      |       Main random FILE SEED   digests once random diffs were applied in memory
      |       Main change FILE TARGET   writes a graph with what is rare
      |       Main empty TARGET   writes a graph without nodes
      |       Main keep FILE changed|passes|random [SEED]   does the same to the file, which keeps it when it is closed
      |       Main keep FILE tags         the same with edges of a label that no frontend writes
      |       Main twice FILE             the same by two who have the file open at once
      |       Main cut FILE               digests while the file is cut short""".stripMargin

  def main(arguments: Array[String]): Unit = arguments match
    case Array("digest", file) =>
      withGraph(file): cpg =>
        Digests.print(cpg)
        Newer.print(cpg)
    case Array("queries", file) => withGraph(file)(Queries.print)
    case Array("threads", file) => withGraph(file)(Threads.check)
    case Array("flows", file)   => withGraph(file)(Flows.print)
    case Array("measure", file) => Measure.print(Path.of(file))
    case Array("measure-flows", file) => Measure.flows(Path.of(file))
    case Array("overlays", file) => withGraph(file)(Passes.again)
    case Array(what @ ("changed" | "passes" | "random"), file, words*) =>
      withGraph(file)(printAfter(changeOf(what, words)))
    case Array("twice", file) => twice(file)
    case Array("cut", file)   => withGraph(file)(cut(file))
    case Array("keep", file, what, words*) => withGraph(file, isKept = true)(changeOf(what, words))
    case Array("change", file, target) => withGraph(file)(Change.write(_, Path.of(target)))
    case Array("empty", target) => Serialization.writeGraph(Cpg.empty.graph, Path.of(target))
    case _ =>
      System.err.println(usage)
      System.exit(2)

  private def changeOf(what: String, words: Seq[String]): Cpg => Unit = (what, words) match
    case ("changed", Seq())     => Change.apply
    case ("passes", Seq())      => Passes.apply
    case ("tags", Seq())        => Change.addTags
    case ("random", Seq(seed)) => RandomDiffs(_, seed.toLong)
    case _ => throw IllegalArgumentException(usage)

  /**
   * Opens a file twice. The graph that is closed last must not overwrite the changes that the other graph has
   * written.
   */
  private def twice(file: String): Unit =
    withGraph(file, isKept = true): late =>
      withGraph(file, isKept = true)(Change.addTags)
      Change.addTags(late)

  /** Shortens the file to a few pages while the graph is open, and then reads the graph. */
  private def cut(file: String)(cpg: Cpg): Unit =
    println(s"${cpg.method.size} methods")
    Using.resource(FileChannel.open(Path.of(file), StandardOpenOption.WRITE))(_.truncate(3 * 4096))
    Digests.print(cpg)
