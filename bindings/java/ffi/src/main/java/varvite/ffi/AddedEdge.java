package varvite.ffi;

/**
 * An edge of a new graph, as {@link NewGraph#addEdge} gives it. Ranks that edges have in the file are others.
 *
 * @param label its label
 * @param number which of its label it is, from 0, in the order in which they were added
 */
public record AddedEdge(String label, int number) {}
