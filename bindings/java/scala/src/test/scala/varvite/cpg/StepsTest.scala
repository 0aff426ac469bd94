package varvite.cpg

import org.junit.jupiter.api.Assertions.{assertArrayEquals, assertEquals, assertFalse, assertThrows, assertTrue}
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.Test

import varvite.IntList
import varvite.error.{GraphClosedException, UnknownNameException}
import varvite.testing.Allocation

/** Compares steps with loops over the columns that the steps read. */
class StepsTest:
  private val cpg = Zlib.cpg
  private val graph = cpg.graph

  /** The results of `step`, called for every METHOD in a loop. */
  private def fromMethods(step: (Int, IntList) => Unit): Array[Int] =
    val found = IntList()
    graph.nodes("METHOD").forEach(method => step(method, found))
    found.toArray

  @Test
  def hopsFollowEdges(): Unit =
    val callers = graph.in("CALL")
    assertArrayEquals(fromMethods(callers.append(_, _)), cpg.method.callIn.toIds)
    val contained = fromMethods(graph.out("CONTAINS").append(_, _))
    val calls = contained.filter(graph.nodes("CALL").contains(_))
    assertArrayEquals(calls, cpg.method.call.toIds)
    val callees = calls.flatMap(call => graph.out("CALL").neighbors(call).toArray)
    assertArrayEquals(callees, cpg.method.callee.toIds)
    assertArrayEquals(callees, cpg.nodes(calls).callee.toIds)

  @Test
  def treesAreRangesOrWalks(): Unit =
    val subtree = graph.subtree.get
    assertArrayEquals(fromMethods((node, found) => (node until subtree.end(node)).foreach(found.add)), cpg.method.ast.toIds)
    assertEquals(cpg.method.ast.count - cpg.method.count, cpg.method.astMinusRoot.count)
    val parents = graph.in("AST")
    for literal <- cpg.literal.take(500) do
      val above = Iterator.iterate(literal.id)(parents.first(_)).takeWhile(_ >= 0).toList
      assertEquals(above, cpg.node(literal).inAst.map(_.id).toList)
      assertEquals(above.tail, cpg.node(literal).inAstMinusLeaf.map(_.id).toList)
      assertEquals(above.find(graph.nodes("METHOD").contains(_)), cpg.node(literal).method.map(_.id).nextOption)
    assertArrayEquals(graph.nodes("METHOD").toArray, cpg.method.method.toIds)

  @Test
  def closuresGiveEveryNodeOncePerStart(): Unit =
    val back = graph.in("DOMINATE")
    for call <- cpg.call.take(300) do
      var (seen, next) = (Set.empty[Int], List(call.id))
      while next.nonEmpty do
        next = next.flatMap(back.neighbors(_).toArray).distinct.filterNot(node => seen(node) || node == call.id)
        seen ++= next
      assertEquals(seen, cpg.node(call).dominatedBy.map(_.id).toSet)
      assertEquals(seen.size, cpg.node(call).dominatedBy.count)

  @Test
  def textsAreMatchedWhole(): Unit =
    assertEquals(List("inflate"), cpg.method("inflate").name.toList)
    assertEquals(List.empty, cpg.method("nflat").l)
    assertEquals(cpg.method.name.count(_.startsWith("inflate")), cpg.method("inflate.*").count)
    assertEquals(cpg.method("inflate").toIds.toList, cpg.method.nameExact("inflate", "nobody").toIds.toList)
    assertEquals(cpg.call.nameExact("memcpy").count, cpg.call.name.count(_ == "memcpy"))
    assertTrue(cpg.call("memcpy").code.forall(_.contains("memcpy")))
    assertTrue(cpg.method("inflate").lineNumber.forall(_ > 0))
    assertEquals(cpg.call.toIds.flatMap(call => Option(graph.texts("CODE").get(call))).toList, cpg.call.code.toList)

  @Test
  def argumentsHaveTheirIndex(): Unit =
    val arguments = cpg.call.argument.toIds
    val index = graph.ints("ARGUMENT_INDEX")
    for wanted <- 1 to 3 do
      assertArrayEquals(arguments.filter(index.get(_, -1) == wanted), cpg.call.argument(wanted).toIds)
    assertArrayEquals(cpg.call.toIds.filter(graph.out("ARGUMENT").degree(_) > 0), cpg.call.where(_.argument).toIds)
    assertEquals(cpg.call.count, cpg.call.where(_.argument).count + cpg.call.whereNot(_.argument).count)
    assertArrayEquals(cpg.method.parameter.toIds.filter(graph.ints("INDEX").get(_, -1) == 2), cpg.method.parameter(2).toIds)

  @Test
  def iteratorsOfScalaAreAllThere(): Unit =
    assertEquals(cpg.method.toIds.toList, cpg.method.map(_.id).toList)
    assertEquals(3, cpg.method.take(3).size)
    assertArrayEquals(cpg.method.callee.toIds.distinct, cpg.method.callee.dedup.toIds)
    val none = cpg.method("nobody")
    assertFalse(none.hasNext)
    assertThrows(classOf[NoSuchElementException], () => none.next())
    assertThrows(classOf[UnknownNameException], () => cpg.method.out("NO_SUCH_EDGE"))

  /**
   * Counts the allocations of a thread that has already run the same code, so that all of the code is linked.
   */
  @Test
  def aHopAllocatesNothing(): Unit =
    assumeTrue(Allocation.isCounted)
    val traversals = Seq(
      () => cpg.call.argument(1).isCall.callee.callIn,
      () => cpg.method.ast.isIdentifier.refsTo,
      () => cpg.identifier.inAst.isControlStructure,
      () => cpg.call.nameExact("memcpy", "memset").method
    )
    for traversal <- traversals do
      var least = Long.MaxValue
      var sum = 0L
      for _ <- 1 to 3 do
        val nodes = traversal()
        sum += nodes.next().id
        val before = Allocation.ofThisThread
        nodes.each(node => sum += node.id)
        least = least min Allocation.ofThisThread - before
      assertTrue(least < 512, s"$least bytes for a whole traversal")
      assertTrue(sum != 0)

  @Test
  def aClosedGraphSaysSo(): Unit =
    val closed = Cpg.open(graph.path)
    val nodes = closed.method.callee
    closed.close()
    assertThrows(classOf[GraphClosedException], () => nodes.count)
    assertThrows(classOf[GraphClosedException], () => closed.method)
