package varvite.change;

/**
 * An edge of the graph.
 *
 * @param label the edge's label
 * @param rank the edge's rank, which identifies its values
 */
public record EdgeRef(String label, int rank) implements ElementRef {
    /**
     * The edge with this label and rank. Applying the diff fails if the graph has no such edge.
     *
     * @throws IllegalArgumentException if the rank is negative, which stands for no edge
     */
    public EdgeRef {
        if (rank < 0) {
            throw new IllegalArgumentException("no edge has the rank " + rank + ": ranks are from 0");
        }
    }
}
