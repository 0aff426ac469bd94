package varvite.joern.judge

import flatgraph.judge.Places
import flatgraph.{Accessors, Graph}
import io.shiftleft.codepropertygraph.generated.Cpg
import scala.util.Try

/**
 * Prints digests of the whole content of a graph, which are computed with every kind of read that generated
 * classes and Joern offer.
 */
object Digests:
  def print(cpg: Cpg): Unit =
    val graph = cpg.graph
    println(s"graph: ${graph.nodeCount} nodes, ${graph.edgeCount} edges, $graph")
    println(s"by label: ${graph.nodeCountByLabel.toSeq.sortBy(_._1)}")
    line("all nodes")(_.add(graph.allNodes))
    line("all edges")(_.add(graph.allEdges))
    graph.schema.nodeKinds.foreach(ofKind(graph, _))
    texts(graph)
    mistakes(graph)

  /** Prints a digest of the values that a function adds. */
  def line(name: String)(fill: Digest => Unit): Unit =
    val digest = Digest()
    fill(digest)
    println(s"$name: $digest")

  private def ofKind(graph: Graph, kind: Int): Unit =
    val schema = graph.schema
    val label = schema.getNodeLabel(kind)
    def nodes = graph._nodes(kind)
    line(s"$label, nodes"): digest =>
      digest.add(Places.count(graph, kind).toLong)
      digest.add(graph.nodeCount(label).toLong)
      digest.add(nodes.knownSize.toLong)
      for node <- nodes do
        digest.add(node)
        digest.add(node.getClass.getName)
        digest.add(node.label)
        digest.add(node.seq.toLong)
        digest.add((graph.node(node.id) eq node) && (graph.node(kind, node.seq) eq node))
    if nodes.nonEmpty then
      schema.propertyKinds.foreach(property => ofProperty(graph, kind, property, label))
      line(s"$label, all properties"): digest =>
        for node <- nodes do digest.add(Accessors.getNodeProperties(node))
      schema.edgeKinds.foreach(edgeKind => ofEdges(graph, kind, edgeKind, label))
      line(s"$label, all neighbours"): digest =>
        for node <- nodes do
          digest.add(Accessors.getNeighborsOut(node))
          digest.add(Accessors.getNeighborsIn(node))
          digest.add(Accessors.getNeighborsOut(graph, node.nodeKind, node.seq))
          digest.add(Accessors.getNeighborsIn(graph, node.nodeKind, node.seq))
          digest.add(Accessors.getEdgesOut(node))
          digest.add(Accessors.getEdgesIn(node))

  private def ofProperty(graph: Graph, kind: Int, property: Int, label: String): Unit =
    val name = graph.schema.getPropertyLabel(kind, property)
    line(s"$label.$name"): digest =>
      for node <- graph._nodes(kind) do
        val seq = node.seq
        digest.add(Accessors.getNodeProperty(node, property))
        digest.add(Accessors.getNodeProperty(graph, kind, property, seq))
        if Accessors.getNodeProperty(node, property).length < 2 then
          digest.add(Accessors.getNodePropertySingle[Any](graph, kind, property, seq, "absent"))
          digest.add(Accessors.getNodePropertyOption[Any](graph, kind, property, seq))
        digest.add(Accessors.getNodePropertyMulti[Any](graph, kind, property, seq))
        digest.add(Accessors.getNodePropertyOptionCompat(node, property))

  private def ofEdges(graph: Graph, kind: Int, edgeKind: Int, label: String): Unit =
    val name = graph.schema.getEdgeLabel(kind, edgeKind)
    line(s"$label, $name"): digest =>
      for node <- graph._nodes(kind) do
        digest.add(Accessors.getEdgesOut(node, edgeKind))
        digest.add(Accessors.getEdgesIn(node, edgeKind))
        digest.add(Accessors.getNeighborsOut(node, edgeKind))
        digest.add(Accessors.getNeighborsIn(node, edgeKind))
        digest.add(Accessors.getNeighborsOut(graph, kind, node.seq, edgeKind).knownSize.toLong)

  /**
   * Looks up every thousandth text of every property, and a text that no node has. Does this twice, because
   * results are cached.
   */
  private def texts(graph: Graph): Unit =
    val schema = graph.schema
    for property <- schema.propertyKinds; name <- schema.getPropertyLabelMaybe(0, property) do
      val values = graph.allNodes.flatMap(node => Accessors.getNodeProperty(node, property)).collect { case text: String => text }
      val some = values.zipWithIndex.collect { case (text, index) if index % 1000 == 0 => text }.toSet.toSeq.sorted
      if some.nonEmpty then
        line(s"texts of $name"): digest =>
          for _ <- 1 to 2; text <- some.take(200) :+ "of nobody \u0000" do
            digest.add(graph.nodesWithProperty(name, text))
            digest.add(graph.nodesWithProperty("METHOD", name, text))

  /** Prints the results of invalid calls, which must be the same for flatgraph and Varvite. */
  private def mistakes(graph: Graph): Unit =
    def tried(name: String)(answer: => Any): Unit =
      println(s"$name: ${Try(answer).fold(_ => "fails", String.valueOf)}")
    val node = graph.allNodes.next()
    tried("node behind the end")(graph.node(node.nodeKind, Int.MaxValue))
    tried("node before the start")(graph.node(node.nodeKind, -1))
    tried("node of no kind")(graph.node(1000, 0))
    tried("nodes of no label")(graph.nodes("NOBODY").size)
    tried("nodes of some labels")(graph.nodes("METHOD", "CALL").size)
    tried("count of no label")(graph.nodeCount("NOBODY"))
    tried("edges of no kind")(Accessors.getEdgesOut(node, -1).size)
    tried("neighbours of no kind")(Accessors.getNeighborsIn(node, -1).size)
    tried("property of no kind")(Accessors.getNodeProperty(node, -1).size)
    tried("nodes with no property")(graph.nodesWithProperty("NOTHING", "x").size)
    tried("nodes with no text")(graph.nodesWithProperty("NAME", null).size)
    tried("nodes with a number as text")(graph.nodesWithProperty("ORDER", "1").size)
    tried("next behind the last")(Accessors.getNeighborsOut(graph.allNodes.next(), 0).drop(Int.MaxValue).next())
    tried("virgin"):
      val nodes = graph._nodes(node.nodeKind)
      val before = (nodes.isVirgin, nodes.hasNext, nodes.isVirgin)
      nodes.next()
      (before, nodes.isVirgin)
