package varvite.change;

/**
 * A node that a diff adds. It gets an id when the diff is applied.
 *
 * @param index the node's number among the nodes that the diff adds, from 0
 */
public record NewNode(int index) implements NodeRef {}
