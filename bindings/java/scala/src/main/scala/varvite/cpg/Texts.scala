package varvite.cpg

import java.util.regex.Pattern

import varvite.TextProperty

/**
 * Tests whether a node's first text, as a whole, matches a regular expression. Each distinct text is matched
 * only once; the result is cached by the text's code.
 */
private[cpg] final class Matching(property: TextProperty, regex: String) extends NodeTest:
  private val texts = property.texts
  private val matcher = Pattern.compile(regex, Pattern.DOTALL).matcher("")
  private val asked = new Array[Long]((texts.count + 63) / 64)
  private val passed = new Array[Long](asked.length)

  def apply(node: NodeId): Boolean =
    val code = property.code(node.id)
    code >= 0 && code < texts.count && passes(code)

  private def passes(code: Int): Boolean =
    val (word, bit) = (code >> 6, 1L << code)
    if (asked(word) & bit) == 0 then
      asked(word) |= bit
      if matcher.reset(texts.get(code)).matches then passed(word) |= bit
    (passed(word) & bit) != 0

/** Tests whether a node's first text is one of several, by comparing codes. */
private[cpg] final class OneOf(property: TextProperty, wanted: Seq[String]) extends NodeTest:
  private val codes = wanted.map(property.texts.find(_)).filter(_ >= 0).toArray.sorted

  def apply(node: NodeId): Boolean = java.util.Arrays.binarySearch(codes, property.code(node.id)) >= 0
