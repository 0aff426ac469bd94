package varvite.joern.judge

import flatgraph.judge.Places
import flatgraph.{Accessors, GNode}
import io.shiftleft.codepropertygraph.generated.Cpg
import java.util.concurrent.{Callable, CyclicBarrier, Executors}
import scala.jdk.CollectionConverters.*

/** Eight threads that create a graph's node objects at the same time, each thread in a different order. */
object Threads:
  private val threads = 8

  def check(cpg: Cpg): Unit =
    val graph = cpg.graph
    val places = graph.schema.nodeKinds.map(kind => Places.count(graph, kind))
    val barrier = CyclicBarrier(threads)
    def read(thread: Int): Callable[Array[Array[GNode]]] = () =>
      val seen = places.map(count => new Array[GNode](count)).toArray
      barrier.await()
      for step <- seen.indices do
        val kind = (step + thread * 5) % seen.length
        for i <- seen(kind).indices do
          val seq = if thread % 2 == 0 then i else seen(kind).length - 1 - i
          val node = graph.node(kind, seq)
          seen(kind)(seq) = node
          if node != null then
            val back = Accessors.getNeighborsOut(node).forall(next => graph.node(next.id) eq next)
            if !back then throw AssertionError(s"two objects for a neighbour of $node")
      seen
    val pool = Executors.newFixedThreadPool(threads)
    try
      val all = pool.invokeAll((0 until threads).map(read).asJava).asScala.map(_.get)
      for seen <- all.tail; kind <- seen.indices; seq <- seen(kind).indices do
        if !(seen(kind)(seq) eq all.head(kind)(seq)) then throw AssertionError(s"two objects for node $seq of kind $kind")
      println(s"$threads threads: ${all.head.map(_.count(_ != null)).sum} nodes, one object each")
    finally pool.shutdown()
