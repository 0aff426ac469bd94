package varvite.cpg

import varvite.{Adjacency, Subtree}

/**
 * The descendants of each node in the syntax tree, which are a range of ids. With `withSelf`, also the node
 * itself.
 */
private[cpg] final class Below(source: Nodes, subtree: Subtree, withSelf: Boolean) extends Nodes(source.cpg):
  private var ahead = 0
  private var end = 0

  def hasNext: Boolean =
    while ahead >= end && source.hasNext do
      val node = source.next().id
      ahead = if withSelf then node else node + 1
      end = subtree.end(node)
    ahead < end

  def next(): NodeId =
    if !hasNext then Iterator.empty.next()
    ahead += 1
    NodeId(ahead - 1)

/**
 * The ancestors of each node in the syntax tree, the nearest first. With `withSelf`, also the node itself,
 * before them.
 */
private[cpg] final class Above(source: Nodes, parents: Adjacency, withSelf: Boolean) extends Nodes(source.cpg):
  private var ahead = -1

  def hasNext: Boolean =
    while ahead < 0 && source.hasNext do
      val node = source.next().id
      ahead = if withSelf then node else parents.first(node)
    ahead >= 0

  def next(): NodeId =
    if !hasNext then Iterator.empty.next()
    val node = ahead
    ahead = parents.first(node)
    NodeId(node)

/**
 * For each node, the nearest ancestor that passes a test. With `withSelf`, the node itself is tested first.
 */
private[cpg] final class Nearest(source: Nodes, parents: Adjacency, isWanted: NodeTest, withSelf: Boolean)
    extends Nodes(source.cpg):
  private var ahead = -1

  def hasNext: Boolean =
    while ahead < 0 && source.hasNext do
      val node = source.next().id
      ahead = if withSelf then node else parents.first(node)
      while ahead >= 0 && !isWanted(NodeId(ahead)) do ahead = parents.first(ahead)
    ahead >= 0

  def next(): NodeId =
    if !hasNext then Iterator.empty.next()
    val node = ahead
    ahead = -1
    NodeId(node)
