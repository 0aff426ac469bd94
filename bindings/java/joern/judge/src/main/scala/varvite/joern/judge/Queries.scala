package varvite.joern.judge

import io.shiftleft.codepropertygraph.generated.Cpg
import io.shiftleft.semanticcpg.language.*

/** Twelve queries in Joern's query language. */
object Queries:
  given ICallResolver = NoResolve

  private val common = Seq("kfree", "memcpy", "free", "snd_printk", "deflate", "schedule")

  /** All queries, each with its name. */
  val all: List[(String, Cpg => List[String])] = List(
    "callers of a name"             -> (_.method.name("(mem|str)n?(cpy|cmp|set)").caller.fullName.l),
    "exact name, in-calls"          -> exactNames,
    "calls with literal argument"   -> (_.call.name("mem(cpy|set)|str.*").where(_.argument.isLiteral).code.l),
    "methods by size of AST"        -> largeMethods,
    "pointer parameters, their uses" -> (_.parameter.typeFullName(".*\\*").referencingIdentifiers.inCall.name.toSet.toList.sorted),
    "if that returns: its condition" -> conditionsOfReturns,
    "what follows a free"           -> (_.call.name(".*free").cfgNext.isCall.name.l),
    "dominators of returns"         -> dominatorsOfReturns,
    "callers to depth 4"            -> callersToDepth4,
    "fields accessed"               -> (_.fieldAccess.fieldIdentifier.canonicalName.toSet.toList.sorted),
    "locals by type"                -> (_.local.evalType.groupCount.toList.map(_.toString).sorted),
    "size of the whole AST"         -> (cpg => List(cpg.file.ast.size.toString))
  )

  private def exactNames(cpg: Cpg): List[String] =
    common.toList.flatMap: name =>
      cpg.method.nameExact(name).callIn.map(call => s"${call.method.name}:${call.lineNumber.getOrElse(-1)} ${call.code}")

  private def largeMethods(cpg: Cpg): List[String] =
    cpg.method
      .filter(_.ast.size > 2000)
      .map(method => s"${method.name} ${method.ast.isCallTo("<operator>.assignment").size}")
      .l

  private def conditionsOfReturns(cpg: Cpg): List[String] =
    cpg.controlStructure.controlStructureType("IF").where(_.whenTrue.ast.isReturn).condition.code.l

  private def dominatorsOfReturns(cpg: Cpg): List[String] =
    cpg.method.name("[a-m].*").methodReturn.dominatedBy.isCall.map(call => s"${call.name}${call.id}").l

  private def callersToDepth4(cpg: Cpg): List[String] =
    cpg.method
      .nameExact("kfree", "memcpy", "schedule", "deflate")
      .repeat(_.caller)(_.maxDepth(4).emit.dedup)
      .dedup
      .name
      .l

  def print(cpg: Cpg): Unit =
    for (name, query) <- all do
      val digest = Digest()
      digest.add(query(cpg))
      println(s"$name: $digest")
