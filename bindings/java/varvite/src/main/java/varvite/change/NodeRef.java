package varvite.change;

/** A node of the graph, or one that a diff adds. */
public sealed interface NodeRef extends ElementRef permits NodeRef.Known, NewNode {
    /**
     * A node of the graph.
     *
     * @param id its id
     */
    record Known(int id) implements NodeRef {
        /**
         * A node of this id; applying the diff fails if there is none.
         *
         * @throws IllegalArgumentException if the id is negative, as that of none is
         */
        public Known {
            if (id < 0) {
                throw new IllegalArgumentException("no node has the id " + id + ": ids are from 0");
            }
        }
    }

    /**
     * The node of the graph with this id.
     *
     * @throws IllegalArgumentException if the id is negative, as that of none is
     */
    static NodeRef of(int id) {
        return new Known(id);
    }
}
