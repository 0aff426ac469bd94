package varvite.joern.judge

import flatgraph.{Edge, GNode}

/** A hash of a sequence of values. Equal sequences have equal hashes on every machine. */
final class Digest:
  private var hash = 0xcbf29ce484222325L
  private var count = 0L

  def add(number: Long): Unit =
    hash = (hash ^ number) * 0x100000001b3L
    hash ^= hash >>> 29

  def add(thing: Any): Unit =
    count += 1
    thing match
      case null         => add(1L)
      case node: GNode  => add(node.id)
      case edge: Edge   => addEdge(edge)
      case text: String => add(text.length.toLong); text.foreach(unit => add(unit.toLong))
      case some: Option[?] =>
        add(some.size.toLong)
        some.foreach(add)
      case many: IterableOnce[?] =>
        var length = 0L
        many.iterator.foreach: item =>
          add(item)
          length += 1
        add(length)
      case (first, second) => add(first); add(second)
      case other           => add(other.getClass.getName); add(other.toString)

  private def addEdge(edge: Edge): Unit =
    add(edge.getClass.getName)
    add(edge.src.id)
    add(edge.dst.id)
    add(edge.edgeKind.toLong)
    add(edge.subSeq.toLong)
    add(edge.property)
    add(edge.propertyName)

  override def toString: String = f"$count%d things, $hash%016x"
