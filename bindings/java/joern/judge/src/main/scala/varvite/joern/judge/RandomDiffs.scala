package varvite.joern.judge

import flatgraph.judge.Places
import flatgraph.{Accessors, DiffGraphApplier, DiffGraphBuilder, Edge, GNode}
import io.shiftleft.codepropertygraph.generated.nodes.*
import io.shiftleft.codepropertygraph.generated.{Cpg, EdgeTypes, PropertyNames}
import scala.util.Random

/**
  * Applies random diffs with every kind of operation, one after the other.
  */
object RandomDiffs:
  private val diffs = 6
  private val updates = 150
  private val labels = Array(EdgeTypes.AST, EdgeTypes.CALL, EdgeTypes.CFG, EdgeTypes.REACHING_DEF, EdgeTypes.REF)

  def apply(cpg: Cpg, seed: Long): Unit =
    val random = Random(seed)
    for number <- 0 until diffs do
      val diff = Cpg.newDiffGraphBuilder
      val step = Step(cpg, diff, random)
      for _ <- 0 until updates do step.add()
      println(s"diff $number of seed $seed: ${DiffGraphApplier.applyDiff(cpg.graph, diff)} changes")

  private final class Step(cpg: Cpg, diff: DiffGraphBuilder, random: Random):
    private val graph = cpg.graph
    private val kinds = graph.schema.nodeKinds.filter(Places.count(graph, _) > 0).toArray
    private var removed = Set.empty[GNode]

    def add(): Unit = random.nextInt(13) match
      case 0     => diff.addNode(newNode())
      case 1     => diff.addNode(NewFinding().evidence(Iterator(node().asInstanceOf[StoredNode])).keyValuePairs(Iterator(NewKeyValuePair().key("k"), NewKeyValuePair().value("v"))))
      case 2 | 3 => diff.addEdge(node(), node(), label())
      case 4     => diff.addEdge(node(), newNode(), EdgeTypes.REACHING_DEF, text())
      case 5     => diff.addEdge(newNode(), node(), label())
      case 6     => edge().foreach(diff.removeEdge)
      case 7     => edge().filter(_.propertyName.isDefined).foreach(diff.setEdgeProperty(_, text()))
      case 8     => diff.setNodeProperty(stays(), PropertyNames.CODE, text())
      case 9     => diff.setNodeProperty(stays(), PropertyNames.LINE_NUMBER, if random.nextBoolean() then null else random.nextInt(99))
      case 10    => diff.setNodeProperty(stays(), PropertyNames.DYNAMIC_TYPE_HINT_FULL_NAME, Seq.fill(random.nextInt(4))(text()))
      case 11    => halfEdges()
      case _     => removeNode()

    /** Adds an edge as two half edges, each after all other edges of its node. */
    private def halfEdges(): Unit =
      val (source, target) = (node(), node())
      val kind = graph.schema.getEdgeKindByLabel(EdgeTypes.REACHING_DEF)
      diff.unsafeAddHalfEdgeBackward(source, target, kind, "half")
      diff.unsafeAddHalfEdgeForward(source, target, kind, "half")

    private def removeNode(): Unit =
      val node = stays()
      removed += node
      diff.removeNode(node)

    private def node(): GNode =
      val kind = kinds(random.nextInt(kinds.length))
      Iterator.continually(graph.node(kind, random.nextInt(Places.count(graph, kind)))).take(100).find(_ != null).getOrElse(node())

    /** A CALL that this diff does not remove, because the values of a removed node can't be set. */
    private def stays(): Call =
      val kind = graph.schema.getNodeKindByLabel("CALL")
      val call = Iterator.continually(graph.node(kind, random.nextInt(Places.count(graph, kind)))).find(_ != null).get
      if removed(call) then stays()
      else
        removed += call
        call.asInstanceOf[Call]

    private def edge(): Option[Edge] =
      val one = node()
      val edges = if random.nextBoolean() then Accessors.getEdgesOut(one) else Accessors.getEdgesIn(one)
      if edges.isEmpty then None else Some(edges(random.nextInt(edges.length)))

    private def newNode(): NewNode = random.nextInt(3) match
      case 0 => NewTag().name(text()).value(text())
      case 1 => NewCall().name(text()).code(text()).order(random.nextInt(9)).dynamicTypeHintFullName(Seq(text(), text()))
      case _ => NewTagNodePair().tag(NewTag().name(text())).node(node().asInstanceOf[StoredNode])

    private def label(): String = labels(random.nextInt(labels.length))
    private def text(): String = s"text ${random.nextInt(50)}"
