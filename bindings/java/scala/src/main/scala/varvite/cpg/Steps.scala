package varvite.cpg

import varvite.{IntProperty, TextProperty}

// <operators> from crates/varvite-cpg/src/operators.rs

/** Names of operators, which are CALLs. */
object Operators:
  val Assignments: Seq[String] = Seq(
    "<operator>.assignment",
    "<operator>.assignmentDivision",
    "<operator>.assignmentMinus",
    "<operator>.assignmentMultiplication",
    "<operator>.assignmentPlus",
    "<operators>.assignmentAnd",
    "<operators>.assignmentArithmeticShiftRight",
    "<operators>.assignmentExponentiation",
    "<operators>.assignmentLogicalShiftRight",
    "<operators>.assignmentModulo",
    "<operators>.assignmentOr",
    "<operators>.assignmentShiftLeft",
    "<operators>.assignmentXor",
    "<operator>.postDecrement",
    "<operator>.postIncrement",
    "<operator>.preDecrement",
    "<operator>.preIncrement"
  )
  val Arithmetic: Seq[String] = Seq(
    "<operator>.addition",
    "<operator>.division",
    "<operator>.exponentiation",
    "<operator>.modulo",
    "<operator>.multiplication",
    "<operator>.subtraction",
    "<operator>.assignmentDivision",
    "<operator>.assignmentMinus",
    "<operator>.assignmentMultiplication",
    "<operator>.assignmentPlus",
    "<operators>.assignmentExponentiation",
    "<operators>.assignmentModulo",
    "<operator>.postDecrement",
    "<operator>.postIncrement",
    "<operator>.preDecrement",
    "<operator>.preIncrement"
  )
  val ArrayAccesses: Seq[String] = Seq(
    "<operator>.computedMemberAccess",
    "<operator>.indexAccess",
    "<operator>.indirectComputedMemberAccess",
    "<operator>.indirectIndexAccess"
  )
  val FieldAccesses: Seq[String] = Seq(
    "<operator>.fieldAccess",
    "<operator>.indirectFieldAccess"
  )

// </operators>

/** Steps under the names that users of Joern know. The comment of each step says which edges it follows. */
extension (nodes: Nodes)
  // <steps> from the table in crates/varvite-cpg/src/steps/table.rs

  // Tree

  /** From a node to itself and all nodes below it, depth first: AST out, any number of times. */
  def ast: Nodes = Below(nodes, nodes.cpg.subtree, withSelf = true)

  /** From a node to all nodes below it: `ast` without the node itself. */
  def astMinusRoot: Nodes = Below(nodes, nodes.cpg.subtree, withSelf = false)

  /** From a node to itself and all nodes above it, the nearest first: AST in, any number of times. */
  def inAst: Nodes = Above(nodes, nodes.cpg.parents, withSelf = true)

  /** From a node to all nodes above it, the nearest first: `inAst` without the node itself. */
  def inAstMinusLeaf: Nodes = Above(nodes, nodes.cpg.parents, withSelf = false)

  /** From a node to its parent: AST in. */
  def astParent: Nodes = nodes.along(nodes.cpg.parents)

  /** From a node to the nearest BLOCK above it: AST in, up to the BLOCK. */
  def parentBlock: Nodes = Nearest(nodes, nodes.cpg.parents, nodes.cpg.isLabel("BLOCK"), withSelf = false)

  // Calls

  /** From a METHOD to the CALLs that may reach it: CALL in. */
  def callIn: Nodes = nodes.in("CALL")

  /** From a METHOD to the CALLs in it: CONTAINS out. */
  def call: Nodes = nodes.out("CONTAINS").label("CALL")

  /** From a METHOD to the METHODs that contain a CALL to it, once for each CALL: CALL in, then AST in up to the
    * METHOD. */
  def caller: Nodes = Nearest(nodes.in("CALL"), nodes.cpg.parents, nodes.cpg.isLabel("METHOD"), withSelf = false)

  /** From a METHOD to all METHODs that may call it, directly or through other METHODs, each of them once, the
    * nearest first: `caller` any number of times. */
  def transitiveCallers: Nodes =
    ReachedBy(nodes, from => Nearest(from.in("CALL"), nodes.cpg.parents, nodes.cpg.isLabel("METHOD"), withSelf = false))

  /** From a METHOD to all METHODs that it may call, directly or through other METHODs, each of them once, the
    * nearest first: `callee` any number of times. */
  def transitiveCallees: Nodes = ReachedBy(nodes, from => from.out("CONTAINS").label("CALL").out("CALL"))

  /** From a node to the METHOD that contains it, and from a METHOD to itself: AST in, up to the METHOD. CONTAINS in
    * leads to the same METHOD, but some nodes lack that edge. */
  def method: Nodes = Nearest(nodes, nodes.cpg.parents, nodes.cpg.isLabel("METHOD"), withSelf = true)

  /** From a CALL to one of its arguments, numbered from 1, or with 0 to its receiver: ARGUMENT out, by
    * ARGUMENT_INDEX. */
  def argument(index: Int): Nodes = nodes.along(nodes.cpg.arguments).numbered(nodes.cpg.argumentIndex, index)

  /** From a CALL to all arguments: ARGUMENT out. */
  def argument: Nodes = nodes.along(nodes.cpg.arguments)

  /** From a CALL to the object on which it is made: RECEIVER out. */
  def receiver: Nodes = nodes.out("RECEIVER")

  /** From an argument to the CALL to which it is passed: ARGUMENT in. */
  def inCall: Nodes = nodes.in("ARGUMENT").label("CALL")

  /** From a METHOD to its parameters: AST out. */
  def parameter: Nodes = nodes.along(nodes.cpg.children).label("METHOD_PARAMETER_IN")

  /** From a METHOD to one of its parameters, numbered from 1: AST out, by INDEX. */
  def parameter(index: Int): Nodes =
    nodes.along(nodes.cpg.children).label("METHOD_PARAMETER_IN").numbered(nodes.cpg.index, index)

  /** From a METHOD to its METHOD_RETURN, which has the type of the returned value: AST out. */
  def methodReturn: Nodes = nodes.along(nodes.cpg.children).label("METHOD_RETURN")

  /** From a METHOD to the METHOD_REFs that use it as a value: REF in. */
  def methodRefs: Nodes = nodes.in("REF").label("METHOD_REF")

  // Operators

  /** Keeps CALLs whose NAME is one of `names`. */
  def isCallTo(names: String*): Nodes = nodes.label("CALL").oneOf(nodes.cpg.names, names)

  /** From a node to the assignments in its subtree, the node itself included: AST out, any number of times. */
  def assignment: Nodes =
    Below(nodes, nodes.cpg.subtree, withSelf = true).label("CALL").oneOf(nodes.cpg.names, Operators.Assignments)

  /** From a node to the arithmetic operations in its subtree, the node itself included: AST out, any number of
    * times. */
  def arithmetic: Nodes =
    Below(nodes, nodes.cpg.subtree, withSelf = true).label("CALL").oneOf(nodes.cpg.names, Operators.Arithmetic)

  /** From a node to the array accesses in its subtree, the node itself included: AST out, any number of times. */
  def arrayAccess: Nodes =
    Below(nodes, nodes.cpg.subtree, withSelf = true).label("CALL").oneOf(nodes.cpg.names, Operators.ArrayAccesses)

  /** From a node to the field accesses in its subtree, the node itself included: AST out, any number of times. */
  def fieldAccess: Nodes =
    Below(nodes, nodes.cpg.subtree, withSelf = true).label("CALL").oneOf(nodes.cpg.names, Operators.FieldAccesses)

  /** From a node to all assignments above it: AST in, any number of times. */
  def inAssignment: Nodes =
    Above(nodes, nodes.cpg.parents, withSelf = false).label("CALL").oneOf(nodes.cpg.names, Operators.Assignments)

  /** From a node to the nearest assignment above it: AST in, up to the assignment. */
  def nearestAssignment: Nodes =
    Nearest(nodes, nodes.cpg.parents, nodes.cpg.isLabel("CALL", from => from.oneOf(nodes.cpg.names, Operators.Assignments)), withSelf = false)

  /** From a node to all arithmetic operations above it: AST in, any number of times. */
  def inArithmetic: Nodes =
    Above(nodes, nodes.cpg.parents, withSelf = false).label("CALL").oneOf(nodes.cpg.names, Operators.Arithmetic)

  /** From a node to all array accesses above it: AST in, any number of times. */
  def inArrayAccess: Nodes =
    Above(nodes, nodes.cpg.parents, withSelf = false).label("CALL").oneOf(nodes.cpg.names, Operators.ArrayAccesses)

  /** From a node to all field accesses above it: AST in, any number of times. */
  def inFieldAccess: Nodes =
    Above(nodes, nodes.cpg.parents, withSelf = false).label("CALL").oneOf(nodes.cpg.names, Operators.FieldAccesses)

  /** From an assignment to the variable, field or element that it changes: argument 1. */
  def target: Nodes = nodes.along(nodes.cpg.arguments).numbered(nodes.cpg.argumentIndex, 1)

  /** From an assignment to the expression whose value it assigns: argument 2 or, if there is none, argument 1, as in
    * `i++`. */
  def source: Nodes =
    FirstOf(nodes, Seq(from => from.along(nodes.cpg.arguments).numbered(nodes.cpg.argumentIndex, 2), from => from.along(nodes.cpg.arguments).numbered(nodes.cpg.argumentIndex, 1)))

  /** From an array access to its array: argument 1. */
  def array: Nodes = nodes.along(nodes.cpg.arguments).numbered(nodes.cpg.argumentIndex, 1)

  /** From an array access to its index: argument 2. */
  def offset: Nodes = nodes.along(nodes.cpg.arguments).numbered(nodes.cpg.argumentIndex, 2)

  /** From a field access to its structure: argument 1. */
  def structure: Nodes = nodes.along(nodes.cpg.arguments).numbered(nodes.cpg.argumentIndex, 1)

  /** From a field access to the FIELD_IDENTIFIER with the name of the field: argument 2. */
  def fieldIdentifier: Nodes = nodes.along(nodes.cpg.arguments).numbered(nodes.cpg.argumentIndex, 2)

  // Flow

  /** From a node to the nodes that may run right after it: CFG out. */
  def cfgNext: Nodes = nodes.out("CFG")

  /** From a node to the nodes that may run right before it: CFG in. */
  def cfgPrev: Nodes = nodes.in("CFG")

  /** From a node to the nodes that may run within the next `steps` steps, each of them once for each path to it: CFG
    * out, 1 to `steps` times. */
  def cfgNext(steps: Int): Nodes = Within(nodes, nodes.cpg.graph.out("CFG"), steps)

  /** From a node to the nodes that may run within the `steps` steps before it, each of them once for each path from
    * it: CFG in, 1 to `steps` times. */
  def cfgPrev(steps: Int): Nodes = Within(nodes, nodes.cpg.graph.in("CFG"), steps)

  /** From a node to the nodes whose execution depends on it, directly or not: CDG out, any number of times. */
  def controls: Nodes = Reached(nodes, nodes.cpg.graph.out("CDG"))

  /** From a node to the nodes on which its execution depends, directly or not: CDG in, any number of times. */
  def controlledBy: Nodes = Reached(nodes, nodes.cpg.graph.in("CDG"))

  /** From a node to the nodes that it dominates, which can run only after it: DOMINATE out, any number of times. */
  def dominates: Nodes = Reached(nodes, nodes.cpg.graph.out("DOMINATE"))

  /** From a node to its dominators, through which every path to it leads: DOMINATE in, any number of times. */
  def dominatedBy: Nodes = Reached(nodes, nodes.cpg.graph.in("DOMINATE"))

  /** From a node to the nodes that it post-dominates, from which every path leads through it: POST_DOMINATE out, any
    * number of times. */
  def postDominates: Nodes = Reached(nodes, nodes.cpg.graph.out("POST_DOMINATE"))

  /** From a node to its post-dominators, through which every path from it leads: POST_DOMINATE in, any number of
    * times. */
  def postDominatedBy: Nodes = Reached(nodes, nodes.cpg.graph.in("POST_DOMINATE"))

  /** From a node to the definitions of the values that it uses: REACHING_DEF in. This step follows single edges;
    * Joern's step with this name skips some nodes on the way. */
  def ddgIn: Nodes = nodes.in("REACHING_DEF")

  /** From a definition to the nodes that use its value: REACHING_DEF out. */
  def ddgOut: Nodes = nodes.out("REACHING_DEF")

  // References

  /** From an IDENTIFIER or METHOD_REF to the declaration that it names: REF out. */
  def refsTo: Nodes = nodes.out("REF")

  /** From a LOCAL or parameter to the IDENTIFIERs that name it: REF in. */
  def referencingIdentifiers: Nodes = nodes.in("REF").label("IDENTIFIER")

  /** From an expression or declaration to its TYPE: EVAL_TYPE out. */
  def evalType: Nodes = nodes.out("EVAL_TYPE")

  /** From a node to the FILE that contains it, and from a FILE to itself: SOURCE_FILE out from the node, or from the
    * nearest node above it with such an edge. */
  def file: Nodes =
    FirstOf(nodes, Seq(from => from.label("FILE"), from => from.out("SOURCE_FILE"), from => Nearest(from, nodes.cpg.parents, nodes.cpg.leads(from => from.out("SOURCE_FILE")), withSelf = false).out("SOURCE_FILE")))

  /** From a CONTROL_STRUCTURE to its condition: CONDITION out. */
  def condition: Nodes = nodes.out("CONDITION")

  /** From a node to its TAGs: TAGGED_BY out. */
  def tag: Nodes = nodes.out("TAGGED_BY")

  // Kinds

  /** Keeps BLOCKs. */
  def isBlock: Nodes = nodes.label("BLOCK")

  /** Keeps CALLs, including operators. */
  def isCall: Nodes = nodes.label("CALL")

  /** Keeps CONTROL_STRUCTUREs: loops, conditions and jumps. */
  def isControlStructure: Nodes = nodes.label("CONTROL_STRUCTURE")

  /** Keeps FIELD_IDENTIFIERs. */
  def isFieldIdentifier: Nodes = nodes.label("FIELD_IDENTIFIER")

  /** Keeps FILEs. */
  def isFile: Nodes = nodes.label("FILE")

  /** Keeps IDENTIFIERs. */
  def isIdentifier: Nodes = nodes.label("IDENTIFIER")

  /** Keeps IMPORTs. */
  def isImport: Nodes = nodes.label("IMPORT")

  /** Keeps LITERALs. */
  def isLiteral: Nodes = nodes.label("LITERAL")

  /** Keeps LOCALs. */
  def isLocal: Nodes = nodes.label("LOCAL")

  /** Keeps MEMBERs. */
  def isMember: Nodes = nodes.label("MEMBER")

  /** Keeps METHODs. */
  def isMethod: Nodes = nodes.label("METHOD")

  /** Keeps METHOD_REFs. */
  def isMethodRef: Nodes = nodes.label("METHOD_REF")

  /** Keeps MODIFIERs. */
  def isModifier: Nodes = nodes.label("MODIFIER")

  /** Keeps NAMESPACE_BLOCKs. */
  def isNamespaceBlock: Nodes = nodes.label("NAMESPACE_BLOCK")

  /** Keeps parameters: METHOD_PARAMETER_INs. */
  def isParameter: Nodes = nodes.label("METHOD_PARAMETER_IN")

  /** Keeps RETURNs. */
  def isReturn: Nodes = nodes.label("RETURN")

  /** Keeps TYPE_DECLs. */
  def isTypeDecl: Nodes = nodes.label("TYPE_DECL")

  // </steps>

  // Steps that are not in the table or have another meaning here.

  /** From a node to its children, in the order of the graph: AST out. */
  def astChildren: Nodes = nodes.along(nodes.cpg.children)

  /**
   * From a METHOD to the METHODs that it may call: CONTAINS out, then CALL out. From a CALL to the METHODs
   * that it may reach: CALL out.
   */
  def callee: Nodes = CallsOf(nodes).along(nodes.cpg.graph.out("CALL"))

  /** From a node to the nearest node above it that passes a test. */
  inline def nearest(inline test: NodeId => Boolean): Nodes =
    val isWanted: NodeTest = node => test(node)
    nearestOf(isWanted)

  def nearestOf(isWanted: NodeTest): Nodes = Nearest(nodes, nodes.cpg.parents, isWanted, withSelf = false)

  // Properties.

  /** The NAMEs of the nodes that have one. */
  def name: Iterator[String] = texts(nodes.cpg.names)

  /** Keeps nodes whose NAME, as a whole, matches a regular expression. */
  def name(regex: String): Nodes = matching(nodes.cpg.names, regex)

  /** Keeps nodes with one of these NAMEs. */
  def nameExact(names: String*): Nodes = oneOf(nodes.cpg.names, names)

  /** The FULL_NAMEs of the nodes that have one. */
  def fullName: Iterator[String] = texts(nodes.cpg.graph.texts("FULL_NAME"))

  /** Keeps nodes whose FULL_NAME, as a whole, matches a regular expression. */
  def fullName(regex: String): Nodes = matching(nodes.cpg.graph.texts("FULL_NAME"), regex)

  /** The CODEs of the nodes that have one. */
  def code: Iterator[String] = texts(nodes.cpg.codes)

  /** Keeps nodes whose CODE, as a whole, matches a regular expression. */
  def code(regex: String): Nodes = matching(nodes.cpg.codes, regex)

  /** The LINE_NUMBERs of the nodes that have one. */
  def lineNumber: Iterator[Int] = ints(nodes.cpg.graph.ints("LINE_NUMBER"))

  /** Keeps METHODs whose IS_EXTERNAL is `wanted`: true for METHODs whose code is not in the graph. */
  def isExternal(wanted: Boolean): Nodes =
    val property = nodes.cpg.graph.ints("IS_EXTERNAL")
    nodes.keep(node => property.get(node.id, -1) == (if wanted then 1 else 0))

  /** The first text that each node has for a property; nothing for a node without one. */
  def texts(property: TextProperty): Iterator[String] = nodes.map(node => property.get(node.id)).filter(_ != null)

  /** The first number that each node has for a property; nothing for a node without one. */
  def ints(property: IntProperty): Iterator[Int] =
    nodes.keep(node => property.isPresent(node.id)).map(node => property.get(node.id, 0))

  /** Keeps nodes whose first number for a property is `number`. */
  def numbered(property: IntProperty, number: Int): Nodes =
    nodes.keep(node => property.isPresent(node.id) && property.get(node.id, 0) == number)

  /**
   * Keeps nodes whose first text for a property matches a regular expression as a whole. Each distinct text
   * is matched only once.
   */
  def matching(property: TextProperty, regex: String): Nodes = Kept(nodes, Matching(property, regex))

  /** Keeps nodes whose first text for a property is one of `texts`. */
  def oneOf(property: TextProperty, texts: Seq[String]): Nodes = Kept(nodes, OneOf(property, texts))
