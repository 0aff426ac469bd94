package varvite.ffi;

/**
 * An edge of a new graph, as {@link NewGraph#addEdge} gives it. Ranks that edges have in the file are others.
 *
 * @param label its label
 * @param number its number among the edges of its label, from 0, in the order in which they were added
 */
public record AddedEdge(String label, int number) {}
