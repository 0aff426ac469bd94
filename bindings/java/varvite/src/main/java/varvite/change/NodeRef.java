package varvite.change;

/** A node of the graph, or one that a diff adds. */
public sealed interface NodeRef extends ElementRef permits NodeRef.Known, NewNode {
    /**
     * A node of the graph.
     *
     * @param id the node's id
     */
    record Known(int id) implements NodeRef {
        /**
         * The node with this id. Applying the diff fails if the graph has no such node.
         *
         * @throws IllegalArgumentException if the id is negative, which stands for no node
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
     * @throws IllegalArgumentException if the id is negative, which stands for no node
     */
    static NodeRef of(int id) {
        return new Known(id);
    }
}
