package varvite.cpg

import scala.util.Try

import org.junit.jupiter.api.Assertions.{assertEquals, assertFalse}
import org.junit.jupiter.api.DynamicTest.dynamicTest
import org.junit.jupiter.api.{DynamicTest, TestFactory}

import varvite.ffi.NativeGraph

/**
 * Compares each step of the table in `varvite-cpg`, as Scala implements it, with the plan that the engine
 * runs for this step.
 */
class TableTest:
  private val cpg = Zlib.cpg

  /**
   * A step: its name, the labels of the nodes that it starts from (empty for all nodes), its Scala form, and
   * its plan.
   */
  private case class Step(name: String, from: Set[String], inScala: Nodes => Nodes, plan: String)

  private val steps = Seq(
    // <steps> from the table in crates/varvite-cpg/src/steps/table.rs
    Step("ast", Set(), _.ast, """{"step":"descendants","with_self":true}"""),
    Step("ast_minus_root", Set(), _.astMinusRoot, """{"step":"descendants","with_self":false}"""),
    Step("in_ast", Set(), _.inAst, """{"step":"ancestors","with_self":true}"""),
    Step("in_ast_minus_leaf", Set(), _.inAstMinusLeaf, """{"step":"ancestors","with_self":false}"""),
    Step("ast_parent", Set(), _.astParent, """{"step":"in","labels":["AST"]}"""),
    Step("ast_children", Set(), _.astChildren, """{"step":"union","branches":[[{"step":"out","labels":["AST"]},{"step":"order","by":{"property":"ORDER"},"descending":false}]]}"""),
    Step("parent_block", Set(), _.parentBlock, """{"step":"nearest_ancestor","labels":["BLOCK"]}"""),
    Step("call_in", Set("METHOD"), _.callIn, """{"step":"in","labels":["CALL"]}"""),
    Step("callee", Set("CALL"), _.callee, """{"step":"out","labels":["CALL"]}"""),
    Step("calls", Set("METHOD"), _.call, """{"step":"out","labels":["CONTAINS"]},{"step":"has_label","labels":["CALL"]}"""),
    Step("callers", Set("METHOD"), _.caller, """{"step":"in","labels":["CALL"]},{"step":"nearest_ancestor","labels":["METHOD"]}"""),
    Step("callees", Set("METHOD"), _.callee, """{"step":"out","labels":["CONTAINS"]},{"step":"has_label","labels":["CALL"]},{"step":"out","labels":["CALL"]}"""),
    Step("transitive_callers", Set("METHOD"), _.transitiveCallers, """{"step":"repeat","body":[{"step":"in","labels":["CALL"]},{"step":"nearest_ancestor","labels":["METHOD"]}],"emit":"all_but_first","dedup":true,"order":"breadth"}"""),
    Step("transitive_callees", Set("METHOD"), _.transitiveCallees, """{"step":"repeat","body":[{"step":"out","labels":["CONTAINS"]},{"step":"has_label","labels":["CALL"]},{"step":"out","labels":["CALL"]}],"emit":"all_but_first","dedup":true,"order":"breadth"}"""),
    Step("method", Set(), _.method, """{"step":"coalesce","branches":[[{"step":"has_label","labels":["METHOD"]}],[{"step":"nearest_ancestor","labels":["METHOD"]}]]}"""),
    Step("argument", Set("CALL"), _.argument(2), """{"step":"out","labels":["ARGUMENT"]},{"step":"has","property":"ARGUMENT_INDEX","is":{"eq":2}}"""),
    Step("arguments", Set("CALL"), _.argument, """{"step":"out","labels":["ARGUMENT"]}"""),
    Step("receiver", Set("CALL"), _.receiver, """{"step":"out","labels":["RECEIVER"]}"""),
    Step("in_call", Set(), _.inCall, """{"step":"in","labels":["ARGUMENT"]},{"step":"has_label","labels":["CALL"]}"""),
    Step("parameters", Set("METHOD"), _.parameter, """{"step":"out","labels":["AST"]},{"step":"has_label","labels":["METHOD_PARAMETER_IN"]}"""),
    Step("parameter", Set("METHOD"), _.parameter(2), """{"step":"out","labels":["AST"]},{"step":"has_label","labels":["METHOD_PARAMETER_IN"]},{"step":"has","property":"INDEX","is":{"eq":2}}"""),
    Step("method_return", Set("METHOD"), _.methodReturn, """{"step":"out","labels":["AST"]},{"step":"has_label","labels":["METHOD_RETURN"]}"""),
    Step("method_refs", Set("METHOD"), _.methodRefs, """{"step":"in","labels":["REF"]},{"step":"has_label","labels":["METHOD_REF"]}"""),
    Step("is_call_to", Set(), _.isCallTo("memcpy", "memset", "<operator>.addition"), """{"step":"has_label","labels":["CALL"]},{"step":"has","property":"NAME","is":{"one_of":["memcpy","memset","<operator>.addition"]}}"""),
    Step("assignments", Set(), _.assignment, """{"step":"descendants","with_self":true},{"step":"has_label","labels":["CALL"]},{"step":"has","property":"NAME","is":{"one_of":["<operator>.assignment","<operator>.assignmentDivision","<operator>.assignmentMinus","<operator>.assignmentMultiplication","<operator>.assignmentPlus","<operators>.assignmentAnd","<operators>.assignmentArithmeticShiftRight","<operators>.assignmentExponentiation","<operators>.assignmentLogicalShiftRight","<operators>.assignmentModulo","<operators>.assignmentOr","<operators>.assignmentShiftLeft","<operators>.assignmentXor","<operator>.postDecrement","<operator>.postIncrement","<operator>.preDecrement","<operator>.preIncrement"]}}"""),
    Step("arithmetic", Set(), _.arithmetic, """{"step":"descendants","with_self":true},{"step":"has_label","labels":["CALL"]},{"step":"has","property":"NAME","is":{"one_of":["<operator>.addition","<operator>.division","<operator>.exponentiation","<operator>.modulo","<operator>.multiplication","<operator>.subtraction","<operator>.assignmentDivision","<operator>.assignmentMinus","<operator>.assignmentMultiplication","<operator>.assignmentPlus","<operators>.assignmentExponentiation","<operators>.assignmentModulo","<operator>.postDecrement","<operator>.postIncrement","<operator>.preDecrement","<operator>.preIncrement"]}}"""),
    Step("array_accesses", Set(), _.arrayAccess, """{"step":"descendants","with_self":true},{"step":"has_label","labels":["CALL"]},{"step":"has","property":"NAME","is":{"one_of":["<operator>.computedMemberAccess","<operator>.indexAccess","<operator>.indirectComputedMemberAccess","<operator>.indirectIndexAccess"]}}"""),
    Step("field_accesses", Set(), _.fieldAccess, """{"step":"descendants","with_self":true},{"step":"has_label","labels":["CALL"]},{"step":"has","property":"NAME","is":{"one_of":["<operator>.fieldAccess","<operator>.indirectFieldAccess"]}}"""),
    Step("in_assignment", Set(), _.inAssignment, """{"step":"ancestors","with_self":false},{"step":"has_label","labels":["CALL"]},{"step":"has","property":"NAME","is":{"one_of":["<operator>.assignment","<operator>.assignmentDivision","<operator>.assignmentMinus","<operator>.assignmentMultiplication","<operator>.assignmentPlus","<operators>.assignmentAnd","<operators>.assignmentArithmeticShiftRight","<operators>.assignmentExponentiation","<operators>.assignmentLogicalShiftRight","<operators>.assignmentModulo","<operators>.assignmentOr","<operators>.assignmentShiftLeft","<operators>.assignmentXor","<operator>.postDecrement","<operator>.postIncrement","<operator>.preDecrement","<operator>.preIncrement"]}}"""),
    Step("nearest_assignment", Set(), _.nearestAssignment, """{"step":"nearest_ancestor","labels":["CALL"],"where":[{"step":"has","property":"NAME","is":{"one_of":["<operator>.assignment","<operator>.assignmentDivision","<operator>.assignmentMinus","<operator>.assignmentMultiplication","<operator>.assignmentPlus","<operators>.assignmentAnd","<operators>.assignmentArithmeticShiftRight","<operators>.assignmentExponentiation","<operators>.assignmentLogicalShiftRight","<operators>.assignmentModulo","<operators>.assignmentOr","<operators>.assignmentShiftLeft","<operators>.assignmentXor","<operator>.postDecrement","<operator>.postIncrement","<operator>.preDecrement","<operator>.preIncrement"]}}]}"""),
    Step("in_arithmetic", Set(), _.inArithmetic, """{"step":"ancestors","with_self":false},{"step":"has_label","labels":["CALL"]},{"step":"has","property":"NAME","is":{"one_of":["<operator>.addition","<operator>.division","<operator>.exponentiation","<operator>.modulo","<operator>.multiplication","<operator>.subtraction","<operator>.assignmentDivision","<operator>.assignmentMinus","<operator>.assignmentMultiplication","<operator>.assignmentPlus","<operators>.assignmentExponentiation","<operators>.assignmentModulo","<operator>.postDecrement","<operator>.postIncrement","<operator>.preDecrement","<operator>.preIncrement"]}}"""),
    Step("in_array_access", Set(), _.inArrayAccess, """{"step":"ancestors","with_self":false},{"step":"has_label","labels":["CALL"]},{"step":"has","property":"NAME","is":{"one_of":["<operator>.computedMemberAccess","<operator>.indexAccess","<operator>.indirectComputedMemberAccess","<operator>.indirectIndexAccess"]}}"""),
    Step("in_field_access", Set(), _.inFieldAccess, """{"step":"ancestors","with_self":false},{"step":"has_label","labels":["CALL"]},{"step":"has","property":"NAME","is":{"one_of":["<operator>.fieldAccess","<operator>.indirectFieldAccess"]}}"""),
    Step("assigned", Set("CALL"), _.target, """{"step":"out","labels":["ARGUMENT"]},{"step":"has","property":"ARGUMENT_INDEX","is":{"eq":1}}"""),
    Step("assigned_from", Set("CALL"), _.source, """{"step":"coalesce","branches":[[{"step":"out","labels":["ARGUMENT"]},{"step":"has","property":"ARGUMENT_INDEX","is":{"eq":2}}],[{"step":"out","labels":["ARGUMENT"]},{"step":"has","property":"ARGUMENT_INDEX","is":{"eq":1}}]]}"""),
    Step("array", Set("CALL"), _.array, """{"step":"out","labels":["ARGUMENT"]},{"step":"has","property":"ARGUMENT_INDEX","is":{"eq":1}}"""),
    Step("subscript", Set("CALL"), _.offset, """{"step":"out","labels":["ARGUMENT"]},{"step":"has","property":"ARGUMENT_INDEX","is":{"eq":2}}"""),
    Step("structure", Set("CALL"), _.structure, """{"step":"out","labels":["ARGUMENT"]},{"step":"has","property":"ARGUMENT_INDEX","is":{"eq":1}}"""),
    Step("field", Set("CALL"), _.fieldIdentifier, """{"step":"out","labels":["ARGUMENT"]},{"step":"has","property":"ARGUMENT_INDEX","is":{"eq":2}}"""),
    Step("cfg_next", Set(), _.cfgNext, """{"step":"out","labels":["CFG"]}"""),
    Step("cfg_prev", Set(), _.cfgPrev, """{"step":"in","labels":["CFG"]}"""),
    Step("cfg_next_within", Set(), _.cfgNext(2), """{"step":"repeat","body":[{"step":"out","labels":["CFG"]}],"times":2,"emit":"all_but_first","dedup":false,"order":"depth"}"""),
    Step("cfg_prev_within", Set(), _.cfgPrev(2), """{"step":"repeat","body":[{"step":"in","labels":["CFG"]}],"times":2,"emit":"all_but_first","dedup":false,"order":"depth"}"""),
    Step("controls", Set(), _.controls, """{"step":"repeat","body":[{"step":"out","labels":["CDG"]}],"emit":"all_but_first","dedup":true,"order":"depth"}"""),
    Step("controlled_by", Set(), _.controlledBy, """{"step":"repeat","body":[{"step":"in","labels":["CDG"]}],"emit":"all_but_first","dedup":true,"order":"depth"}"""),
    Step("dominates", Set(), _.dominates, """{"step":"repeat","body":[{"step":"out","labels":["DOMINATE"]}],"emit":"all_but_first","dedup":true,"order":"depth"}"""),
    Step("dominated_by", Set(), _.dominatedBy, """{"step":"repeat","body":[{"step":"in","labels":["DOMINATE"]}],"emit":"all_but_first","dedup":true,"order":"depth"}"""),
    Step("post_dominates", Set(), _.postDominates, """{"step":"repeat","body":[{"step":"out","labels":["POST_DOMINATE"]}],"emit":"all_but_first","dedup":true,"order":"depth"}"""),
    Step("post_dominated_by", Set(), _.postDominatedBy, """{"step":"repeat","body":[{"step":"in","labels":["POST_DOMINATE"]}],"emit":"all_but_first","dedup":true,"order":"depth"}"""),
    Step("ddg_in", Set(), _.ddgIn, """{"step":"in","labels":["REACHING_DEF"]}"""),
    Step("ddg_out", Set(), _.ddgOut, """{"step":"out","labels":["REACHING_DEF"]}"""),
    Step("refs_to", Set("IDENTIFIER", "METHOD_REF"), _.refsTo, """{"step":"out","labels":["REF"]}"""),
    Step("referencing_identifiers", Set("LOCAL", "METHOD_PARAMETER_IN"), _.referencingIdentifiers, """{"step":"in","labels":["REF"]},{"step":"has_label","labels":["IDENTIFIER"]}"""),
    Step("eval_type", Set(), _.evalType, """{"step":"out","labels":["EVAL_TYPE"]}"""),
    Step("file", Set(), _.file, """{"step":"coalesce","branches":[[{"step":"has_label","labels":["FILE"]}],[{"step":"out","labels":["SOURCE_FILE"]}],[{"step":"nearest_ancestor","where":[{"step":"out","labels":["SOURCE_FILE"]}]},{"step":"out","labels":["SOURCE_FILE"]}]]}"""),
    Step("condition", Set("CONTROL_STRUCTURE"), _.condition, """{"step":"out","labels":["CONDITION"]}"""),
    Step("tags", Set(), _.tag, """{"step":"out","labels":["TAGGED_BY"]}"""),
    Step("is_block", Set(), _.isBlock, """{"step":"has_label","labels":["BLOCK"]}"""),
    Step("is_call", Set(), _.isCall, """{"step":"has_label","labels":["CALL"]}"""),
    Step("is_control_structure", Set(), _.isControlStructure, """{"step":"has_label","labels":["CONTROL_STRUCTURE"]}"""),
    Step("is_field_identifier", Set(), _.isFieldIdentifier, """{"step":"has_label","labels":["FIELD_IDENTIFIER"]}"""),
    Step("is_file", Set(), _.isFile, """{"step":"has_label","labels":["FILE"]}"""),
    Step("is_identifier", Set(), _.isIdentifier, """{"step":"has_label","labels":["IDENTIFIER"]}"""),
    Step("is_import", Set(), _.isImport, """{"step":"has_label","labels":["IMPORT"]}"""),
    Step("is_literal", Set(), _.isLiteral, """{"step":"has_label","labels":["LITERAL"]}"""),
    Step("is_local", Set(), _.isLocal, """{"step":"has_label","labels":["LOCAL"]}"""),
    Step("is_member", Set(), _.isMember, """{"step":"has_label","labels":["MEMBER"]}"""),
    Step("is_method", Set(), _.isMethod, """{"step":"has_label","labels":["METHOD"]}"""),
    Step("is_method_ref", Set(), _.isMethodRef, """{"step":"has_label","labels":["METHOD_REF"]}"""),
    Step("is_modifier", Set(), _.isModifier, """{"step":"has_label","labels":["MODIFIER"]}"""),
    Step("is_namespace_block", Set(), _.isNamespaceBlock, """{"step":"has_label","labels":["NAMESPACE_BLOCK"]}"""),
    Step("is_parameter", Set(), _.isParameter, """{"step":"has_label","labels":["METHOD_PARAMETER_IN"]}"""),
    Step("is_return", Set(), _.isReturn, """{"step":"has_label","labels":["RETURN"]}"""),
    Step("is_type_decl", Set(), _.isTypeDecl, """{"step":"has_label","labels":["TYPE_DECL"]}"""),
    // </steps>
  )

  @TestFactory
  def stepsAnswerAsTheirPlansDo(): Array[DynamicTest] = steps.toArray.map(step => dynamicTest(step.name, () => check(step)))

  private def check(step: Step): Unit =
    // The graph of zlib may lack a label, which then has no nodes.
    val labelled = step.from.toList.flatMap(label => Try(cpg.nodes(label).toIds.toList).getOrElse(Nil))
    val starts = labelled.sorted match
      case Nil => (0 until cpg.graph.nodeCount by 10).toArray
      case some => some.toArray
    val inScala = Try(step.inScala(cpg.nodes(starts)).toIds.sorted.toList)
    val inEngine = Try(answer(s"""{"step":"ids","ids":[${starts.mkString(",")}]},${step.plan}""").sorted)
    assertEquals(inEngine.isSuccess, inScala.isSuccess, s"$inEngine, $inScala")
    for expected <- inEngine do
      assertEquals(expected, inScala.get)
      assertFalse(expected.isEmpty, "is tested by something")

  private def answer(steps: String): List[Int] =
    val graph = NativeGraph.open(cpg.graph.path, false)
    try
      val run = graph.run(s"""{"version":1,"steps":[$steps]}""")
      try Iterator.continually(run).takeWhile(_.next()).flatMap(batch => batch.nodes().toArray).toList
      finally run.close()
    finally graph.close()
