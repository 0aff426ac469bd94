package varvite.examples

import java.nio.file.Path

import scala.util.Using

import varvite.cpg.*

/** Prints the calls to a METHOD that are statements, so that the program drops their results. */
object UncheckedResults:
  def main(args: Array[String]): Unit = Using.resource(Cpg.open(Path.of(args(0)))): cpg =>
    val fileNames = cpg.graph.texts("FILENAME")
    // A child of a BLOCK is a statement: the program does not use its value.
    for call <- cpg.method.nameExact(args(1)).callIn.where(_.astParent.isBlock) do
      def node = cpg.node(call)
      for method <- node.in("CONTAINS").isMethod; line <- node.lineNumber; code <- node.code do
        println(s"${fileNames.get(method.id)}:$line\t$code")
