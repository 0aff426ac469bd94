package varvite;

/**
 * A handle of an edge. For code that is not in a hurry.
 *
 * @param graph the graph
 * @param label its label
 * @param sourceId the node that it starts at
 * @param targetId the node that it ends at
 * @param rank its place among all edges of the label, which its properties are stored under; -1 for edges of
 * the forest, which have none
 */
public record Edge(Graph graph, EdgeLabel label, int sourceId, int targetId, long rank) {
    /** The node that it starts at. */
    public Node source() {
        return graph.node(sourceId);
    }

    /** The node that it ends at. */
    public Node target() {
        return graph.node(targetId);
    }

    /**
     * The first value of a property of texts of this edge, or null.
     *
     * @throws varvite.error.VarviteException as {@link Graph#edgeProperty}, and if it holds no texts
     */
    public String text(String property) {
        if (graph.edgeProperty(label.name(), property) instanceof TextProperty texts) {
            return texts.get(Math.toIntExact(rank));
        }
        String found = graph.edgeProperty(label.name(), property).info().type().toString();
        throw new varvite.error.WrongTypeException(property, "string", found);
    }

    @Override
    public String toString() {
        return "Edge[" + sourceId + " -" + label.name() + "-> " + targetId + "]";
    }
}
