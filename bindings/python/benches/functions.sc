// A script of Joern: for each METHOD the nodes below it along AST, without other METHODs, and the edges AST, CFG and
// REACHING_DEF between them, as a line of JSON. It prints the nanoseconds of loading the graph and of the export.

def quoted(text: String, line: java.lang.StringBuilder): Unit = {
  line.append('"')
  var index = 0
  while (index < text.length) {
    val character = text.charAt(index)
    character match {
      case '"' | '\\' => line.append('\\').append(character)
      case '\n' => line.append("\\n")
      case _ if character < ' ' || Character.isSurrogate(character) => line.append("\\u%04x".format(character.toInt))
      case _ => line.append(character)
    }
    index += 1
  }
  line.append('"')
}

def joined[T](name: String, items: Iterable[T], line: java.lang.StringBuilder)(put: T => Unit): Unit = {
  line.append(",\"").append(name).append("\":[")
  var isFirst = true
  items.foreach { item =>
    if (!isFirst) line.append(',')
    isFirst = false
    put(item)
  }
  line.append(']')
}

def below(method: Method): Array[StoredNode] = {
  val found = scala.collection.mutable.ArrayBuffer.empty[StoredNode]
  val waiting = scala.collection.mutable.ArrayDeque[StoredNode](method)
  while (waiting.nonEmpty) {
    val node = waiting.removeLast()
    found += node
    node._astOut.foreach(child => if (!child.isInstanceOf[Method]) waiting.append(child))
  }
  found.sortBy(_.id).toArray
}

@main def exec(graph: String, out: String) = {
  val started = System.nanoTime
  val cpg = Cpg.withStorage(java.nio.file.Path.of(graph), false)
  val loaded = System.nanoTime
  val writer = java.nio.file.Files.newBufferedWriter(java.nio.file.Path.of(out))
  val line = new java.lang.StringBuilder
  cpg.method.foreach { method =>
    val nodes = below(method)
    val places = new java.util.HashMap[StoredNode, Integer](2 * nodes.length)
    nodes.indices.foreach(place => places.put(nodes(place), place))
    val edges = scala.collection.mutable.ArrayBuffer.empty[(Int, Int, Int)]
    def keep(kind: Int, of: StoredNode => Iterator[StoredNode]): Unit = nodes.indices.foreach { source =>
      of(nodes(source)).foreach { node =>
        val target = places.get(node)
        if (target != null) edges += ((source, target.intValue, kind))
      }
    }
    keep(0, _._astOut)
    keep(1, _._cfgOut)
    keep(2, _._reachingDefOut)
    line.setLength(0)
    line.append("{\"method\":").append(method.id)
    joined("type", nodes, line)(node => quoted(node.label, line))
    joined("line", nodes, line) {
      case node: AstNode => line.append(node.lineNumber.getOrElse(-1))
      case _ => line.append(-1)
    }
    joined("code", nodes, line) {
      case node: AstNode => quoted(node.code, line)
      case _ => line.append("\"\"")
    }
    joined("source", edges, line)(edge => line.append(edge._1))
    joined("target", edges, line)(edge => line.append(edge._2))
    joined("edge", edges, line)(edge => line.append(edge._3))
    writer.write(line.append("}\n").toString)
  }
  writer.close()
  println(s"answer ${loaded - started} ${System.nanoTime - loaded}")
}
