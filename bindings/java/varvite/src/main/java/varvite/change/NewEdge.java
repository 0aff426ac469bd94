package varvite.change;

/**
 * An edge that a diff adds. It gets a rank when the diff is applied.
 *
 * @param index the edge's number among the edges that the diff adds, from 0
 */
public record NewEdge(int index) implements ElementRef {}
