package varvite.examples

import java.nio.file.Path

import scala.util.Using

import varvite.cpg.*

/** Prints the ten METHODs with the most calls, leaving out operators of the language. */
object MostCalled:
  def main(args: Array[String]): Unit = Using.resource(Cpg.open(Path.of(args(0)))): cpg =>
    val counts = cpg.call.out("CALL").fullName.filterNot(_.startsWith("<operator")).toList.groupMapReduce(identity)(_ => 1)(_ + _)
    for (name, count) <- counts.toList.sortBy((name, count) => (-count, name)).take(10) do println(s"$count\t$name")
