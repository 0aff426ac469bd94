package varvite.bench.joern

import flatgraph.storage.{Deserialization, Serialization}
import io.shiftleft.codepropertygraph.generated.{Cpg, GraphSchema}
import io.shiftleft.semanticcpg.language.*
import java.nio.file.{Files, NoSuchFileException, Path}
import java.util.{LinkedHashMap, Map as JavaMap}
import varvite.bench.protocol.{Engine, Workload}
import varvite.bench.protocol.Workload.{Answer, Round}

/**
 * The peer `joern`, which answers questions by the steps that Joern's users write: steps generated for the
 * schema of code property graphs, and steps composed of them.
 */
object Steps extends Engine[Cpg]:
  override def name: String = "joern"

  override def version: String = s"${versionOf(classOf[NodeSteps[?]])}, flatgraph ${versionOf(classOf[flatgraph.Graph])}"

  private def versionOf(known: Class[?]): String = known.getPackage.getImplementationVersion

  /** Loads a graph. Unlike a `Cpg` with storage, it is never written back to its file. */
  override def load(path: Path): Cpg =
    if !Files.isRegularFile(path) then throw NoSuchFileException(path.toString)
    Cpg(Deserialization.readGraph(path, Some(GraphSchema), persistOnClose = false))

  override def countMethods(cpg: Cpg): Long = cpg.method.size

  override def save(cpg: Cpg, target: Path): Unit = Serialization.writeGraph(cpg.graph, target)

  override val workloads: JavaMap[String, Workload[Cpg]] =
    val byName = LinkedHashMap[String, Workload[Cpg]]()
    Traversals.all.foreach(byName.put(_, _))
    Queries.all.foreach((name, query) => byName.put(s"query_$name", asked(query)))
    byName

  /**
   * A workload whose answer is the number of found nodes and the sums of their line and column numbers,
   * because node ids differ between peers.
   */
  private def asked(query: Query): Workload[Cpg] = cpg =>
    val round: Round = () =>
      val found = query(cpg).l
      Answer(1, found.size, found.flatMap(_.lineNumber).map(_.toLong).sum, found.flatMap(_.columnNumber).map(_.toLong).sum)
    round
