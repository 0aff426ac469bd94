package varvite.change;

/**
 * An edge of the graph.
 *
 * @param label its label
 * @param rank what its values are stored under
 */
public record EdgeRef(String label, int rank) implements ElementRef {
    /**
     * An edge of this label and rank; applying the diff fails if there is none.
     *
     * @throws IllegalArgumentException if the rank is negative, as that of none is
     */
    public EdgeRef {
        if (rank < 0) {
            throw new IllegalArgumentException("no edge has the rank " + rank + ": ranks are from 0");
        }
    }
}
