package varvite.joern.judge

import io.shiftleft.codepropertygraph.generated.Cpg
import java.nio.file.Path

/**
 * The questions of [[Main]] that need only Joern's library for queries. For some versions of Joern nothing
 * else is on Maven Central, so this part is also compiled for each of them (`versions/pom.xml`).
 */
object Reading:
  private val usage =
    """usage: Reading answers FILE   a digest for each kind of nodes, property and edge label, and for the answer of
      |                              each query; then the same once a diff with what is rare was applied in memory
      |       Reading keep FILE      applies the diff to the file, which keeps it when it is closed""".stripMargin

  def main(arguments: Array[String]): Unit = arguments match
    case Array("answers", file) =>
      withGraph(file): cpg =>
        print(cpg)
        printAfter(Change.apply)(cpg)
    case Array("keep", file) => withGraph(file, isKept = true)(Change.apply)
    case _ =>
      System.err.println(usage)
      System.exit(2)

  /** Prints the content and the answers of queries after a change. */
  def printAfter(change: Cpg => Unit)(cpg: Cpg): Unit =
    change(cpg)
    print(cpg)

  private def print(cpg: Cpg): Unit =
    Digests.print(cpg)
    Queries.print(cpg)

  /** Opens a graph, and closes it again after its use. */
  def withGraph(file: String, isKept: Boolean = false)(use: Cpg => Unit): Unit =
    val cpg = Cpg.withStorage(Path.of(file), persistOnClose = isKept)
    try use(cpg)
    finally cpg.close()
