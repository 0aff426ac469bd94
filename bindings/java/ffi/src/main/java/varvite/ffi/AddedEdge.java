package varvite.ffi;

/**
 * An edge of a new graph, as {@link NewGraph#addEdge} returns it. Its number is not the rank that the edge
 * will have in the file.
 *
 * @param label the label of the edge
 * @param number the number of the edge among the edges of its label, from 0, in the order in which they are
 * added
 */
public record AddedEdge(String label, int number) {}
