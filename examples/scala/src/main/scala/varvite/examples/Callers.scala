package varvite.examples

import java.nio.file.Path

import scala.util.Using

import varvite.cpg.*

/** Prints the calls that may reach the METHODs with a given name, with file and line. */
object Callers:
  def main(args: Array[String]): Unit = Using.resource(Cpg.open(Path.of(args(0)))): cpg =>
    val fileNames = cpg.graph.texts("FILENAME")
    for call <- cpg.method.nameExact(args(1)).callIn do
      def node = cpg.node(call)
      val caller = node.in("CONTAINS").isMethod
      for method <- caller; line <- node.lineNumber; code <- node.code do
        println(s"${fileNames.get(method.id)}:$line\t${cpg.node(method).fullName.mkString}\t$code")
