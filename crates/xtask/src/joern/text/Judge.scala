/** Asks Joern all queries about graphs, and writes the rows of each answer in the normal form that
  * conformance/joern-text/README.md describes. The queries follow: a function for each.
  */
object NormalForm {
  import scala.util.{Failure, Success, Try}

  private val CodeUnits = 60

  /** The rows of an answer: the items of a collection, or the only value. */
  def rows(graph: flatgraph.Graph, answer: Any): Seq[String] = answer match {
    case text: String => Seq(escaped(text))
    case map: collection.Map[?, ?] => map.toSeq.map(row(graph, _))
    case items: IterableOnce[?] => items.iterator.map(row(graph, _)).toSeq
    case value => Seq(row(graph, value))
  }

  /** A row as text. A tuple in a tuple counts as its parts. */
  private def row(graph: flatgraph.Graph, value: Any): String = value match {
    case node: StoredNode => of(node)
    case place: NewLocation => parts(location(place)).map(row(graph, _)).mkString("[", ", ", "]")
    case option: Option[?] => option.map(row(graph, _)).mkString
    case id: Long => Option(graph.node(id)).collect { case node: StoredNode => of(node) }.getOrElse(id.toString)
    case map: collection.Map[?, ?] => map.toSeq.map(row(graph, _)).sorted.mkString("[", ", ", "]")
    case set: collection.Set[?] => set.toSeq.map(row(graph, _)).sorted.mkString("[", ", ", "]")
    case tuple: Product if isTuple(tuple) => parts(tuple).map(row(graph, _)).mkString("[", ", ", "]")
    case items: IterableOnce[?] => items.iterator.map(row(graph, _)).mkString("[", ", ", "]")
    case value => escaped(value.toString)
  }

  private def location(place: NewLocation): Product =
    (place.filename, place.lineNumber, place.methodFullName, place.symbol, place.methodShortName, place.nodeLabel)

  private def isTuple(value: Product): Boolean = value.productPrefix.startsWith("Tuple")

  private def parts(tuple: Product): Iterator[Any] = tuple.productIterator.flatMap {
    case inner: Product if isTuple(inner) => parts(inner)
    case part => Iterator.single(part)
  }

  private def of(node: StoredNode): String = {
    def property(name: String) = node.properties.get(name).map(_.toString).filter(_ != "<empty>").getOrElse("")
    val place = node.id & 0xffffffffL
    val code = escaped(cut(property("CODE")))
    s"(${node.label} $place ${property("LINE_NUMBER")} ${property("COLUMN_NUMBER")} $code)"
  }

  /** The first units of a text, without half of a pair at its end. */
  private def cut(text: String): String = {
    val first = text.take(CodeUnits)
    if (first.lastOption.exists(Character.isHighSurrogate)) first.init else first
  }

  private def escaped(text: String): String = text.flatMap {
    case '\n' => "\\n"
    case control if Character.isISOControl(control) => f"\\u${control.toInt}%04x"
    case other => other.toString
  }
}

/** Gets all queries about a graph, by their ids. */
trait Asked {
  def cpg: Cpg
  def apply(id: String, answer: => Any): Unit
}

/** Writes a line of JSON for each answer. */
class Answers(val cpg: Cpg, to: java.io.PrintWriter) extends Asked {
  def apply(id: String, answer: => Any): Unit = {
    val rows = try Right(NormalForm.rows(cpg.graph, answer))
    catch {
      case error: Exception => Left(error)
      case error: StackOverflowError => Left(error)
    }
    val (name, value) = rows match {
      case Right(rows) => ("rows", ujson.write(rows))
      case Left(error) => ("failed", ujson.write(error.getClass.getSimpleName))
    }
    to.println(s"""{"id":${ujson.write(id)},"$name":$value}""")
    to.flush()
  }
}

/** Pairs of arguments: a graph, and the file for the answers about it. */
@main def ask(paths: String*): Unit =
  for (case Seq(graph, to) <- paths.grouped(2)) {
    val writer = java.io.PrintWriter(to)
    askAll(Answers(CpgLoader.load(graph), writer))
    writer.close()
  }

/** Adds the passes that Joern's importCode runs after a frontend: the default overlays, and data flow. */
@main def overlay(graph: String): Unit = {
  val cpg = Cpg.withStorage(java.nio.file.Path.of(graph))
  _root_.io.joern.x2cpg.X2Cpg.applyDefaultOverlays(cpg)
  import _root_.io.joern.dataflowengineoss.layers.dataflows.OssDataFlow
  val options = OssDataFlow.defaultOpts
  OssDataFlow(options).run(_root_.io.shiftleft.semanticcpg.layers.LayerCreatorContext(cpg))
  cpg.close()
}
