package varvite.bench.joern

import io.shiftleft.codepropertygraph.generated.Cpg
import io.shiftleft.codepropertygraph.generated.nodes.Method
import io.shiftleft.semanticcpg.language.*
import scala.collection.mutable
import varvite.bench.protocol.Workload
import varvite.bench.protocol.Workload.{Answer, Round}

/**
 * Searches in texts, counts by label and transitive closures, written as users type them into Joern's shell.
 */
object Traversals:
  given ICallResolver = NoResolve

  /** All workloads, each with its name. */
  val all: Seq[(String, Workload[Cpg])] = Seq(
    "code_contains"        -> codeContains,
    "method_name_regex"    -> methodNameRegex,
    "callee_names"         -> calleeNames,
    "descendants_by_label" -> descendantsByLabel,
    "identifier_method"    -> identifierMethod,
    "transitive_callers"   -> transitiveCallers
  )

  private def codeContains(cpg: Cpg): Round = () => Answer(cpg.call.size, cpg.call.code(".*skb.*").size)

  private def methodNameRegex(cpg: Cpg): Round = () => Answer(cpg.method.size, cpg.method.name("(?i).*(alloc|free).*").size)

  private def calleeNames(cpg: Cpg): Round = () =>
    val (callees, units) = cpg.call.callee.fullName.foldLeft((0L, 0L)):
      case ((callees, units), name) => (callees + 1, units + name.length)
    Answer(callees, units)

  private def descendantsByLabel(cpg: Cpg): Round = () =>
    val counts = cpg.method.ast.groupCount(_.label).toSeq.sorted.map(_._2.toLong)
    Answer(counts.sum, counts*)

  /** Counts the IDENTIFIERs that have a METHOD, with one hop along CONTAINS to the nearest METHOD above. */
  private def identifierMethod(cpg: Cpg): Round = () => Answer(cpg.identifier.size, cpg.identifier.method.size)

  private def transitiveCallers(cpg: Cpg): Round = () =>
    val depths = cpg.method.nameExact("memcpy").flatMap(depthsOfCallers).l
    Answer(depths.size, depths.size, depths.sum)

  /** Visits callers level by level, so that a METHOD is first visited at its least depth. */
  private def depthsOfCallers(start: Method): Iterator[Long] =
    val seen = mutable.Set(start)
    val levels = Iterator.iterate(List(start))(_.caller.filter(seen.add).l).drop(1).takeWhile(_.nonEmpty)
    levels.zipWithIndex.flatMap((level, index) => level.map(_ => index + 1L))
