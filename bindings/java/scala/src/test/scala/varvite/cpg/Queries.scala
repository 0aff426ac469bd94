package varvite.cpg

/**
 * The ten questions of the crate `varvite-cpg`, in Scala; that crate describes each question in words. A
 * question that is a traversal is written with steps. A question that compares two places in the code is
 * written with closures over columns.
 */
final class Queries(cpg: Cpg):
  private val FALLIBLE = "(?i)(read|recv|(sqlite3_?|sqlite3Db)?malloc(64|Raw|Zero)?|k[mvz]*alloc|zalloc|vmalloc|alloc_skb|" +
    "netdev_alloc_skb|dev_alloc_skb)"
  private val OPERATIONS: Map[String, Set[Int]] =
    Seq("access", "chdir", "chmod", "chown", "creat", "fopen", "lchown", "lstat", "mkdir", "mkfifo", "mknod", "open", "readlink", "rmdir",
      "stat", "unlink", "free", "kfree", "kvfree", "sqlite3_free", "vfree").map(_ -> Set(1)).toMap
      ++ Seq("faccessat", "fchmodat", "fstatat", "mkdirat", "mkfifoat", "mknodat", "openat", "readlinkat", "unlinkat", "sqlite3DbFree",
        "TRY_FREE", "ZFREE").map(_ -> Set(2))
      ++ Seq("link", "rename").map(_ -> Set(1, 2)) ++ Seq("linkat", "renameat").map(_ -> Set(2, 4))
  private val SOURCES = Seq("be16_to_cpu", "be32_to_cpu", "get_unaligned_le16", "le16_to_cpu", "le32_to_cpu", "ntohl", "ntohs", "read",
    "readl", "recv", "sqlite3Strlen30", "strlen")

  /** All questions by name. The answers are rows of nodes. */
  val all: Map[String, () => List[List[NodeId]]] = Map(
    "dangerous_calls" -> (() => rows(dangerousCalls)),
    "format_strings" -> (() => rows(formatStrings)),
    "complex_methods" -> (() => rows(complexMethods)),
    "truncated_lengths" -> (() => rows(truncatedLengths)),
    "copy_loops" -> (() => rows(copyLoops)),
    "calls_without_guard" -> (() => rows(callsWithoutGuard)),
    "shared_arguments" -> (() => rows(sharedArguments)),
    "unchecked_results" -> (() => rows(uncheckedResults)),
    "freed_fields" -> (() => rows(freedFields)),
    "tainted_arguments" -> (() => taintedArguments)
  )

  private def rows(nodes: Iterator[NodeId]): List[List[NodeId]] = nodes.map(List(_)).toList

  private def dangerousCalls: Nodes =
    cpg.method("(?i)(gets|getwd|scanf|strcat|strcpy|strncat|strncpy|strtok|v?s?n?printf)").callIn

  private def formatStrings: Iterator[NodeId] =
    Iterator(
      1 -> Seq("printf", "printk", "sqlite3_mprintf", "vprintf"),
      2 -> Seq("dev_err", "dev_info", "dev_warn", "fprintf", "gzprintf", "sprintf", "sqlite3MPrintf", "vsprintf"),
      3 -> Seq("scnprintf", "snprintf", "sqlite3_snprintf", "vsnprintf")
    ).flatMap: (index, names) =>
      cpg.method.nameExact(names*).callIn.whereNot(_.argument(index).isLiteral)

  private def complexMethods: Nodes =
    cpg.method.isExternal(false).keep: method =>
      def from = cpg.node(method)
      from.parameter.count > 4 || from.astMinusRoot.isControlStructure.count > 4 || from.astMinusRoot.isReturn.count > 1

  private def truncatedLengths: Nodes =
    val isAssignment = assignment
    cpg.method("(?i)(strlen|sqlite3Strlen30)").callIn
      .nearest(isAssignment(_))
      .argument(1)
      .where(_.evalType.name("(g?)int|unsigned|unsigned int|u?int32_t|u32"))

  private def callsWithoutGuard: Iterator[NodeId] =
    Iterator(
      "(?i)set(res|re|e|)uid" -> "set(res|re|e)?gid",
      "sqlite3_mutex_leave|mutex_unlock|spin_unlock.*" -> "sqlite3_mutex_enter|mutex_lock.*|spin_lock.*",
      "close" -> "open"
    ).flatMap: (called, guard) =>
      cpg.method(called).callIn.whereNot(_.dominatedBy.isCall.name(guard))

  private def copyLoops: Iterator[NodeId] =
    val isAssignment = assignment
    for
      access <- cpg.call.isCallTo(Operators.Assignments*).argument(1).isCallTo(Operators.ArrayAccesses*)
      array <- cpg.node(access).argument(1).take(1)
      subscripts = codes(cpg.node(access).argument(2).take(1).flatMap(cpg.node(_).ast.isIdentifier))
      if cpg.node(access).inAstMinusLeaf.isControlStructure.exists: loop =>
        val heads = cpg.node(loop).astChildren.filterNot(cpg.node(_).isBlock.hasNext)
        heads.exists(cpg.node(_).ast.exists(node => isAssignment(node) && code(argument(node, 1)).exists(subscripts)))
    yield array

  private def sharedArguments: Iterator[NodeId] =
    val things = for
      call <- cpg.call.nameExact(OPERATIONS.keys.toSeq*).l
      indexes = OPERATIONS(cpg.node(call).name.next())
      method <- container(call)
      argument <- cpg.node(call).argument.l
      if indexes(cpg.argumentIndex.get(argument.id, -1)) && !cpg.node(argument).isLiteral.hasNext
      text <- code(argument)
    yield (method, text, call)
    things.distinct.groupBy((method, text, _) => (method, text)).values.filter(_.size > 1).flatten.map(_._3).toList.distinct.iterator

  private def uncheckedResults: Iterator[NodeId] =
    val isAssignment = assignment
    val checked = scala.collection.mutable.Map.empty[NodeId, Set[Int]]
    cpg.method(FALLIBLE).callIn.whereNot(_.inAst.in("CONDITION")).whereNot(_.inAstMinusLeaf.isReturn).filterNot: call =>
      container(call).exists: method =>
        val codesOfConditions = checked.getOrElseUpdate(method, codes(asked(method)))
        cpg.node(call).inAstMinusLeaf.filter(isAssignment(_)).exists(node => code(argument(node, 1)).exists(codesOfConditions))

  private def asked(method: NodeId): Iterator[NodeId] =
    val conditions = cpg.node(method).ast.isControlStructure.condition.ast
    conditions.filter(node => cpg.node(node).isIdentifier.hasNext || cpg.node(node).isCall.hasNext)

  private def freedFields: Iterator[NodeId] =
    val freed = Iterator(
      1 -> Seq("free", "kfree", "kvfree", "sqlite3_free", "vfree"),
      2 -> Seq("TRY_FREE", "ZFREE", "sqlite3DbFree")
    ).flatMap((index, names) => cpg.method.nameExact(names*).callIn.argument(index).isCallTo(Operators.FieldAccesses*))
    val cleared = cpg.call(".*free|memset|bzero").argument(1)
      .flatMap(node => code(node).iterator.flatMap(text => cpg.node(node).inAstMinusLeaf.isMethod.map((text, _)))).toSet
    for
      field <- freed
      structure = argument(field, 1)
      method <- container(field)
      text <- cpg.node(structure).code.take(1).toList
      if cpg.node(method).parameter.name.contains(text) && !code(structure).exists(code => cleared((code, method)))
      if reachesReturn(field)
    yield field

  private def reachesReturn(field: NodeId): Boolean =
    val definitions = cpg.graph.out("REACHING_DEF").cursor()
    val variable = cpg.graph.edgeProperty("REACHING_DEF", "VARIABLE").asInstanceOf[varvite.TextProperty]
    val isReturn = cpg.labelTest("METHOD_RETURN")
    val wanted = cpg.node(field).code.next()
    val reached = scala.collection.mutable.LinkedHashSet(field.id)
    var queue = List(field.id)
    while queue.nonEmpty do
      val node = queue.head
      queue = queue.tail
      definitions.of(node)
      while definitions.next() do
        if wanted == variable.get(definitions.rank.toInt) then
          if isReturn.matches(definitions.node) then return true
          if reached.add(definitions.node) then queue = definitions.node :: queue
    false

  private def taintedArguments: List[List[NodeId]] =
    val fullName = cpg.graph.texts("METHOD_FULL_NAME")
    val isSource = OneOf(fullName, SOURCES)
    val sinks = List(
      1 -> Seq("kmalloc", "kzalloc", "malloc", "sqlite3_malloc", "sqlite3_malloc64", "vmalloc"),
      3 -> Seq("copy_from_user", "copy_to_user", "memcpy", "memmove", "memset", "zmemcpy")
    ).flatMap((index, names) => cpg.call.oneOf(fullName, names).argument(index).l)
    sinks.flatMap(sink => sourcesOf(sink, isSource).map(List(sink, _)))

  /** The sources that are found by going backwards from a sink. The search does not go beyond a source. */
  private def sourcesOf(sink: NodeId, isSource: NodeTest): List[NodeId] =
    val seen = scala.collection.mutable.HashSet.empty[NodeId]
    var queue = List(sink)
    var found = List.empty[NodeId]
    while queue.nonEmpty do
      val node = queue.head
      queue = queue.tail
      for before <- cpg.node(node).ddgIn if seen.add(before) do
        if isSource(before) then found = before :: found else queue = before :: queue
    found

  /** Whether a node is an assignment. */
  private def assignment: NodeTest =
    val isCall = cpg.labelTest("CALL")
    val names = OneOf(cpg.names, Operators.Assignments)
    node => isCall.matches(node.id) && names(node)

  private def argument(call: NodeId, index: Int): NodeId = cpg.node(call).argument(index).nextOption.getOrElse(NodeId.None)

  private def code(node: NodeId): Option[Int] = Option.when(node.isNode)(cpg.codes.code(node.id)).filter(_ >= 0)

  private def codes(nodes: Iterator[NodeId]): Set[Int] = nodes.flatMap(code(_)).toSet

  /** The METHOD that contains an expression, along its edge CONTAINS. */
  private def container(node: NodeId): List[NodeId] =
    cpg.node(node).in("CONTAINS").take(1).filter(above => cpg.isMethod.matches(above.id)).toList
