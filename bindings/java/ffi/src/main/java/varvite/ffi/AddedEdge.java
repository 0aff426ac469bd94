package varvite.ffi;

/**
 * An edge of a new graph, as {@link NewGraph#addEdge} returns it. Its number is not the rank that it gets in
 * the file.
 *
 * @param label the label of the edge
 * @param number the number of the edge among the edges of its label, from 0, in the order in which they were
 * added
 */
public record AddedEdge(String label, int number) {}
