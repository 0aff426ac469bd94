package varvite.cpg

import org.junit.jupiter.api.Assertions.{assertEquals, assertTrue}
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.{DynamicTest, Test, TestFactory}

/** Compares the answers to the ten questions with those of plain loops in Rust. */
class QueriesTest:
  @TestFactory
  def tenQueriesAnswerAsPlainLoopsDo(): Array[DynamicTest] =
    val queries = Queries(Zlib.cpg)
    Zlib.answers.toArray.sortBy(_._1).map: (name, expected) =>
      dynamicTest(
        name,
        () =>
          val answer = queries.all(name)().map(_.map(_.id)).sorted(using Ordering.Implicits.seqOrdering)
          assertEquals(expected, answer)
      )

  @Test
  def noneIsLeftOut(): Unit =
    assertEquals(Zlib.answers.keySet, Queries(Zlib.cpg).all.keySet)
    assertEquals(10, Zlib.answers.size)
    assertTrue(Zlib.answers.values.count(_.nonEmpty) >= 7)
