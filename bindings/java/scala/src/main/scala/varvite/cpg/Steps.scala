package varvite.cpg

import varvite.{IntProperty, TextProperty}

/** Steps by the names that people of Joern know. Each says which edges it follows. */
extension (nodes: Nodes)
  // The syntax tree: AST edges.

  /** The node itself and everything below it, depth first. */
  def ast: Nodes = Below(nodes, nodes.cpg.subtree, withSelf = true)

  /** Everything below. */
  def astMinusRoot: Nodes = Below(nodes, nodes.cpg.subtree, withSelf = false)

  /** The nodes directly below. */
  def astChildren: Nodes = nodes.along(nodes.cpg.children)

  /** The node above. */
  def astParent: Nodes = nodes.along(nodes.cpg.parents)

  /** The node itself and everything above it, the nearest first. */
  def inAst: Nodes = Above(nodes, nodes.cpg.parents, withSelf = true)

  /** Everything above, the nearest first. */
  def inAstMinusLeaf: Nodes = Above(nodes, nodes.cpg.parents, withSelf = false)

  /** The METHOD that a node is in, or that it is. */
  def method: Nodes =
    val isMethod = nodes.cpg.isMethod
    Nearest(nodes, nodes.cpg.parents, node => isMethod.matches(node.id), withSelf = true)

  /** The nearest node above that passes a test. */
  inline def nearest(inline test: NodeId => Boolean): Nodes =
    val isWanted: NodeTest = node => test(node)
    nearestOf(isWanted)

  def nearestOf(isWanted: NodeTest): Nodes = Nearest(nodes, nodes.cpg.parents, isWanted, withSelf = false)

  // Calls and what is passed: CALL, CONTAINS, ARGUMENT, RECEIVER.

  /** From a METHOD to the CALLs that may reach it: CALL in. */
  def callIn: Nodes = nodes.in("CALL")

  /** From a METHOD to the METHODs that it calls, and from a CALL to those that it may reach: CALL out, from a METHOD after CONTAINS out. */
  def callee: Nodes = CallsOf(nodes).along(nodes.cpg.graph.out("CALL"))

  /** From a METHOD to the METHODs with a CALL of it, once for each CALL: CALL in, then up to the METHOD. */
  def caller: Nodes = nodes.callIn.method

  /** From a METHOD to the CALLs in it: CONTAINS out. */
  def call: Nodes = nodes.out("CONTAINS").isCall

  /** From a CALL to all arguments: ARGUMENT out. */
  def argument: Nodes = nodes.along(nodes.cpg.arguments)

  /** From a CALL to one argument, counted from 1, or its receiver as 0: ARGUMENT out, by ARGUMENT_INDEX. */
  def argument(index: Int): Nodes =
    val property = nodes.cpg.argumentIndex
    nodes.argument.keep(node => property.get(node.id, -1) == index)

  /** From an argument to the CALL that it is passed to: ARGUMENT in. */
  def inCall: Nodes = nodes.in("ARGUMENT").isCall

  /** From a CALL to the object that it is made on: RECEIVER out. */
  def receiver: Nodes = nodes.out("RECEIVER")

  /** From a METHOD to its parameters: AST out. */
  def parameter: Nodes = nodes.astChildren.label("METHOD_PARAMETER_IN")

  /** From a METHOD to one parameter, counted from 1: AST out, by INDEX. */
  def parameter(index: Int): Nodes =
    val property = nodes.cpg.index
    nodes.parameter.keep(node => property.get(node.id, -1) == index)

  /** From a METHOD to what it returns: AST out. */
  def methodReturn: Nodes = nodes.astChildren.label("METHOD_RETURN")

  // Flow of control and of values: CFG, CDG, DOMINATE, POST_DOMINATE, REACHING_DEF.

  /** What may run next: CFG out. */
  def cfgNext: Nodes = nodes.out("CFG")

  /** What may have run before: CFG in. */
  def cfgPrev: Nodes = nodes.in("CFG")

  /** What decides whether this runs, however indirectly: CDG in, any number of times. */
  def controlledBy: Nodes = Reached(nodes, nodes.cpg.graph.in("CDG"))

  /** What runs or not depending on this, however indirectly: CDG out, any number of times. */
  def controls: Nodes = Reached(nodes, nodes.cpg.graph.out("CDG"))

  /** What every way to this passes: DOMINATE in, any number of times. */
  def dominatedBy: Nodes = Reached(nodes, nodes.cpg.graph.in("DOMINATE"))

  /** What is reached only through this: DOMINATE out, any number of times. */
  def dominates: Nodes = Reached(nodes, nodes.cpg.graph.out("DOMINATE"))

  /** What every way on from this passes: POST_DOMINATE in, any number of times. */
  def postDominatedBy: Nodes = Reached(nodes, nodes.cpg.graph.in("POST_DOMINATE"))

  /** What always leads on to this: POST_DOMINATE out, any number of times. */
  def postDominates: Nodes = Reached(nodes, nodes.cpg.graph.out("POST_DOMINATE"))

  /** Where the values that are used here come from: REACHING_DEF in. Raw edges, where Joern's step looks through some. */
  def ddgIn: Nodes = nodes.in("REACHING_DEF")

  /** Where the value is used: REACHING_DEF out. */
  def ddgOut: Nodes = nodes.out("REACHING_DEF")

  // What a node means: REF, EVAL_TYPE, CONDITION.

  /** From an IDENTIFIER or METHOD_REF to what it names: REF out. */
  def refsTo: Nodes = nodes.out("REF")

  /** From a LOCAL or parameter to the IDENTIFIERs that name it: REF in. */
  def referencingIdentifiers: Nodes = nodes.in("REF").isIdentifier

  /** From an expression or declaration to its TYPE: EVAL_TYPE out. */
  def evalType: Nodes = nodes.out("EVAL_TYPE")

  /** From a CONTROL_STRUCTURE to what it asks: CONDITION out. */
  def condition: Nodes = nodes.out("CONDITION")

  // Kinds: labels.

  def isBlock: Nodes = nodes.label("BLOCK")
  def isCall: Nodes = nodes.label("CALL")

  /** Keeps CALLs that have one of the names, exactly. */
  def isCallTo(names: String*): Nodes = nodes.isCall.nameExact(names*)
  def isControlStructure: Nodes = nodes.label("CONTROL_STRUCTURE")
  def isIdentifier: Nodes = nodes.label("IDENTIFIER")
  def isLiteral: Nodes = nodes.label("LITERAL")
  def isLocal: Nodes = nodes.label("LOCAL")
  def isMethod: Nodes = nodes.label("METHOD")
  def isParameter: Nodes = nodes.label("METHOD_PARAMETER_IN")
  def isReturn: Nodes = nodes.label("RETURN")

  // Properties.

  /** Every NAME that there is. */
  def name: Iterator[String] = texts(nodes.cpg.names)

  /** Keeps nodes whose whole NAME matches a regular expression. */
  def name(regex: String): Nodes = matching(nodes.cpg.names, regex)

  /** Keeps nodes with one of these NAMEs. */
  def nameExact(names: String*): Nodes = oneOf(nodes.cpg.names, names)

  /** Every FULL_NAME that there is. */
  def fullName: Iterator[String] = texts(nodes.cpg.graph.texts("FULL_NAME"))

  /** Keeps nodes whose whole FULL_NAME matches a regular expression. */
  def fullName(regex: String): Nodes = matching(nodes.cpg.graph.texts("FULL_NAME"), regex)

  /** Every CODE that there is. */
  def code: Iterator[String] = texts(nodes.cpg.codes)

  /** Keeps nodes whose whole CODE matches a regular expression. */
  def code(regex: String): Nodes = matching(nodes.cpg.codes, regex)

  /** Every LINE_NUMBER that there is. */
  def lineNumber: Iterator[Int] = ints(nodes.cpg.graph.ints("LINE_NUMBER"))

  /** Keeps METHODs by whether their code is elsewhere: IS_EXTERNAL. */
  def isExternal(wanted: Boolean): Nodes =
    val property = nodes.cpg.graph.ints("IS_EXTERNAL")
    nodes.keep(node => property.get(node.id, -1) == (if wanted then 1 else 0))

  /** The texts of a property, of nodes that have one. */
  def texts(property: TextProperty): Iterator[String] = nodes.map(node => property.get(node.id)).filter(_ != null)

  /** The numbers of a property, of nodes that have one. */
  def ints(property: IntProperty): Iterator[Int] =
    nodes.keep(node => property.isPresent(node.id)).map(node => property.get(node.id, 0))

  /** Keeps nodes of which a whole text matches a regular expression. Each distinct text is matched once. */
  def matching(property: TextProperty, regex: String): Nodes = Kept(nodes, Matching(property, regex))

  /** Keeps nodes with one of these texts. */
  def oneOf(property: TextProperty, texts: Seq[String]): Nodes = Kept(nodes, OneOf(property, texts))
