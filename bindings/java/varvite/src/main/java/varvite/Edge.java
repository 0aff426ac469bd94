package varvite;

/**
 * A handle of an edge, for code where convenience matters more than speed.
 *
 * @param graph the graph
 * @param label the label of the edge
 * @param sourceId the id of the source node
 * @param targetId the id of the target node
 * @param rank the edge's position among all edges of the label, which identifies its property values; -1 for
 * edges of the forest edge label, which have no rank
 */
public record Edge(Graph graph, EdgeLabel label, int sourceId, int targetId, long rank) {
    /** The source node. */
    public Node source() {
        return graph.node(sourceId);
    }

    /** The target node. */
    public Node target() {
        return graph.node(targetId);
    }

    /**
     * The first value of a text property of this edge; null if there is no value.
     *
     * @throws varvite.error.VarviteException as for {@link Graph#edgeProperty}, and if it is not a text
     * property
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
