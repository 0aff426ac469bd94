package varvite.examples

import java.nio.file.Path

import scala.util.Using

import varvite.{Cardinality, ValueType}
import varvite.change.Diff
import varvite.cpg.*
import varvite.ffi.{GraphChange, LayerSpec}

/** Marks the calls to a METHOD in a layer of their own, and prints the marked calls. */
object MarkCalls:
  def main(args: Array[String]): Unit =
    val path = Path.of(args(0))
    val diff = Diff()
    diff.declareProperty("MARKED", ValueType.BOOL, Cardinality.OPTIONAL)
    Using.resource(Cpg.open(path)): cpg =>
      cpg.method.nameExact(args(1)).callIn.foreach(call => diff.set(call.id, "MARKED", true))
    // Replaces the layer of an earlier run.
    GraphChange.of(path).addLayer(LayerSpec.of("marks", "mark_calls", "1"), diff)
    Using.resource(Cpg.open(path)): cpg =>
      val codes = cpg.graph.texts("CODE")
      cpg.graph.property("MARKED").owners.forEach(call => println(s"$call\t${codes.get(call)}"))
