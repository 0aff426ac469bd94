// Queries that load the classes of most programs into Java's cache: the steps that users take most.
@main def exec(graph: String) = {
  def questions(cpg: Cpg): List[Int] = List(
    cpg.method.name("(mem|str|[a-m]).*").caller.fullName.size,
    cpg.method.fullName.l.take(50).flatMap(name => cpg.method.fullNameExact(name).callIn.code.l).size,
    cpg.call.name(".*").where(_.argument.isLiteral).code.size,
    cpg.call.nameExact("<operator>.assignment").argument(1).code.size,
    cpg.method.filter(_.ast.size > 10).map(method => method.name + method.ast.isCallTo("<operator>.assignment").size).size,
    cpg.parameter.typeFullName(".*").referencingIdentifiers.inCall.name.toSet.size,
    cpg.controlStructure.controlStructureType("IF").where(_.whenTrue.ast.isReturn).condition.code.size,
    cpg.call.cfgNext.isCall.name.size,
    cpg.methodReturn.dominatedBy.isCall.map(call => call.name + call.id).size,
    cpg.method.repeat(_.caller)(_.maxDepth(4).emit.dedup).dedup.name.size,
    cpg.fieldAccess.fieldIdentifier.canonicalName.toSet.size,
    cpg.local.evalType.groupCount.size,
    cpg.identifier.refsTo.collectAll[Local].typeFullName.size,
    cpg.literal.code.dedup.size,
    cpg.call.controlledBy.code.size,
    cpg.method.parameter.map(parameter => (parameter.name, parameter.index, parameter.lineNumber)).size,
    cpg.typeDecl.member.name.size,
    cpg.file.ast.size
  )
  def flows(cpg: Cpg): Int = {
    def source = cpg.method.parameter
    def sink = cpg.call.argument
    sink.reachableBy(source).size + sink.take(20).reachableByFlows(source).size
  }
  for (_ <- 1 to 3) {
    val cpg = Cpg.withStorage(java.nio.file.Path.of(graph), false)
    val counts = (1 to 40).map(_ => questions(cpg)).last
    println(counts.mkString("answers: ", ", ", ""))
    println("flows: " + flows(cpg))
    cpg.close()
  }
}
