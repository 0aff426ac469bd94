package varvite.bench.joern

import io.shiftleft.codepropertygraph.generated.{Cpg, EdgeTypes, Operators}
import io.shiftleft.codepropertygraph.generated.nodes.*
import io.shiftleft.semanticcpg.language.*
import io.shiftleft.semanticcpg.language.operatorextension.{allArrayAccessTypes, allAssignmentTypes, allFieldAccessTypes}
import scala.collection.mutable

/** A question, as a function that returns the nodes found in a graph. */
type Query = Cpg => Iterator[AstNode]

/** Ten questions of Joern's own scanners, written as an author of such rules would write them: only with lazy
  * steps, and with closures where the rules have closures. Values that are the same for all rows are made
  * only once. README.md describes the questions.
  */
object Queries:
  given ICallResolver = NoResolve

  /** All questions, each with its name. */
  val all: Seq[(String, Query)] = Seq(
    "dangerous_calls"     -> dangerousCalls,
    "format_strings"      -> formatStrings,
    "complex_methods"     -> complexMethods,
    "truncated_lengths"   -> truncatedLengths,
    "copy_loops"          -> copyLoops,
    "calls_without_guard" -> callsWithoutGuard,
    "shared_arguments"    -> sharedArguments,
    "unchecked_results"   -> uncheckedResults,
    "freed_fields"        -> freedFields,
    "tainted_arguments"   -> taintedArguments
  )

  /**
   * The names of operators that assign. Joern's list has `postIncrement` twice and lacks `postDecrement`,
   * which is added here.
   */
  private val assignments = allAssignmentTypes + Operators.postDecrement

  extension (call: Call)
    private def isAssignment: Boolean = assignments(call.name)

  private def dangerousCalls(cpg: Cpg): Iterator[Call] =
    cpg.method.name("(?i)(gets|getwd|scanf|strcat|strcpy|strncat|strncpy|strtok|v?s?n?printf)").callIn

  private val formats = Seq(
    1 -> Seq("printf", "printk", "sqlite3_mprintf", "vprintf"),
    2 -> Seq("dev_err", "dev_info", "dev_warn", "fprintf", "gzprintf", "sprintf", "sqlite3MPrintf", "vsprintf"),
    3 -> Seq("scnprintf", "snprintf", "sqlite3_snprintf", "vsnprintf")
  )

  private def formatStrings(cpg: Cpg): Iterator[Call] =
    formats.iterator.flatMap: (index, names) =>
      cpg.method.nameExact(names*).callIn.whereNot(_.argument(index).isLiteral)

  private def complexMethods(cpg: Cpg): Iterator[Method] =
    cpg.method.internal.filter: method =>
      method.parameter.size > 4 || method.controlStructure.size > 4 || method.ast.isReturn.size > 1

  private val narrow = "(g?)int|unsigned|unsigned int|u?int32_t|u32".r

  private def truncatedLengths(cpg: Cpg): Iterator[Expression] =
    cpg.method
      .name("(?i)(strlen|sqlite3Strlen30)")
      .callIn
      .flatMap(_.inAstMinusLeaf.isCall.find(_.isAssignment))
      .argument(1)
      .where(_.typ.filter(kind => narrow.matches(kind.name)))

  private def copyLoops(cpg: Cpg): Iterator[Expression] =
    cpg.call
      .filter(_.isAssignment)
      .argument(1)
      .isCall
      .filter(access => allArrayAccessTypes(access.name))
      .map(access => (access.argument(1), access.argument(2).ast.isIdentifier.code.toSet))
      .filter: (array, subscripts) =>
        array.inAst.isControlStructure.astChildren
          .filterNot(_.isBlock)
          .ast
          .isCall
          .filter(_.isAssignment)
          .argument(1)
          .code
          .exists(subscripts)
      .map(_._1)

  private val guards = Seq(
    "(?i)set(res|re|e|)uid"                          -> "set(res|re|e)?gid".r,
    "sqlite3_mutex_leave|mutex_unlock|spin_unlock.*" -> "sqlite3_mutex_enter|mutex_lock.*|spin_lock.*".r,
    "close"                                          -> "open".r
  )

  private def callsWithoutGuard(cpg: Cpg): Iterator[Call] =
    guards.iterator.flatMap: (called, guard) =>
      cpg.method.name(called).callIn.whereNot(_.dominatedBy.isCall.filter(call => guard.matches(call.name)))

  private val operations: Map[String, Set[Int]] =
    Seq("access", "chdir", "chmod", "chown", "creat", "fopen", "lchown", "lstat", "mkdir", "mkfifo", "mknod", "open", "readlink", "rmdir",
      "stat", "unlink", "free", "kfree", "kvfree", "sqlite3_free", "vfree").map(_ -> Set(1)).toMap
      ++ Seq("faccessat", "fchmodat", "fstatat", "mkdirat", "mkfifoat", "mknodat", "openat", "readlinkat", "unlinkat", "sqlite3DbFree",
        "TRY_FREE", "ZFREE").map(_ -> Set(2))
      ++ Seq("link", "rename").map(_ -> Set(1, 2))
      ++ Seq("linkat", "renameat").map(_ -> Set(2, 4))

  private def sharedArguments(cpg: Cpg): Iterator[Call] =
    def subjects(call: Call) = call.argument.whereNot(_.isLiteral).filter(argument => operations(call.name)(argument.argumentIndex)).code
    cpg.call
      .nameExact(operations.keys.toSeq*)
      .groupBy(_.method)
      .valuesIterator
      .flatMap: calls =>
        val counts = calls.iterator.flatMap(call => subjects(call).toSet).groupCount
        calls.filter(call => subjects(call).exists(counts(_) > 1))

  private val fallible = "(?i)(read|recv|(sqlite3_?|sqlite3Db)?malloc(64|Raw|Zero)?|k[mvz]*alloc|zalloc|vmalloc|alloc_skb|" +
    "netdev_alloc_skb|dev_alloc_skb)"

  private def uncheckedResults(cpg: Cpg): Iterator[Call] =
    val checked = mutable.Map.empty[Method, Set[String]]
    cpg.method
      .name(fallible)
      .callIn
      .whereNot(_.inAst._conditionIn)
      .whereNot(_.inAstMinusLeaf.isReturn)
      .filterNot: call =>
        val codes = checked.getOrElseUpdate(call.method, checkedIn(call.method))
        call.inAstMinusLeaf.isCall.filter(_.isAssignment).argument(1).code.exists(codes)

  private def checkedIn(method: Method): Set[String] =
    method.controlStructure.condition.ast.collect { case node: (Identifier | Call) => node.code }.toSet

  private val freeing = Seq(
    1 -> Seq("free", "kfree", "kvfree", "sqlite3_free", "vfree"),
    2 -> Seq("TRY_FREE", "ZFREE", "sqlite3DbFree")
  )
  private val clearing = ".*free|memset|bzero".r

  private def freedFields(cpg: Cpg): Iterator[Call] =
    freeing.iterator
      .flatMap((index, names) => cpg.method.nameExact(names*).callIn.argument(index).isCall)
      .filter(field => allFieldAccessTypes(field.name))
      .filter(field => field.method.parameter.name.contains(field.argument(1).code))
      .filterNot: field =>
        val clears = field.method.ast.isCall.filter(call => clearing.matches(call.name))
        clears.argument(1).codeExact(field.argument(1).code).nonEmpty
      .filter(reachesReturn)

  private def reachesReturn(field: Call): Boolean =
    Iterator(field: StoredNode)
      .repeat(_.outE(EdgeTypes.REACHING_DEF).filter(_.property == field.code).dst.cast[StoredNode])(_.emit.dedup)
      .collectAll[MethodReturn]
      .nonEmpty

  private val sinks = Seq(
    1 -> Seq("kmalloc", "kzalloc", "malloc", "sqlite3_malloc", "sqlite3_malloc64", "vmalloc"),
    3 -> Seq("copy_from_user", "copy_to_user", "memcpy", "memmove", "memset", "zmemcpy")
  )
  private val sources = Set("be16_to_cpu", "be32_to_cpu", "get_unaligned_le16", "le16_to_cpu", "le32_to_cpu", "ntohl", "ntohs", "read",
    "readl", "recv", "sqlite3Strlen30", "strlen")

  private def taintedArguments(cpg: Cpg): Iterator[AstNode] =
    sinks.iterator
      .flatMap((index, names) => cpg.call.methodFullNameExact(names*).argument(index))
      .flatMap: sink =>
        Iterator(sink: StoredNode)
          .repeat(_._reachingDefIn)(_.until(_.collectAll[Call].filter(call => sources(call.methodFullName))).dedup)
          .cast[AstNode]
          .flatMap(source => Iterator(sink, source))
