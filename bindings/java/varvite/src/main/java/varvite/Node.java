package varvite;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A handle of a node: a graph and an id, for code where convenience matters more than speed. Every call looks
 * up a name, and most calls allocate. Two handles are equal if they have the same open graph and the same id.
 *
 * <p>A method throws the same exceptions as the methods of the columns that it reads. For a name that the
 * graph lacks, it throws {@link varvite.error.UnknownNameException}.
 *
 * @param graph the graph
 * @param id the id
 */
public record Node(Graph graph, int id) {
    /** The labels of the node. */
    public List<Label> labels() {
        return graph.labelSets().of(id);
    }

    /** Whether the node has a label. */
    public boolean is(String label) {
        return graph.nodes(label).contains(id);
    }

    /** The targets of this node's out-edges with a label, in the order of the graph. */
    public List<Node> out(String edgeLabel) {
        return nodes(graph.out(edgeLabel));
    }

    /** The sources of this node's in-edges with a label, in the order of the graph. */
    public List<Node> in(String edgeLabel) {
        return nodes(graph.in(edgeLabel));
    }

    private List<Node> nodes(Adjacency adjacency) {
        return adjacency.neighbors(id).mapToObj(node -> new Node(graph, node)).toList();
    }

    /** The out-edges of this node with a label, in the order of the graph. */
    public List<Edge> outEdges(String edgeLabel) {
        EdgeLabel label = graph.edgeLabel(edgeLabel);
        List<Edge> edges = new ArrayList<>();
        NeighborCursor cursor = graph.adjacency(label, Direction.OUT).cursor();
        for (cursor.of(id); cursor.next(); ) {
            edges.add(new Edge(graph, label, id, cursor.node(), cursor.rank()));
        }
        return edges;
    }

    /** The parent along the forest edge label (AST in a code property graph); empty for a root. */
    public Optional<Node> parent() {
        return graph.forestLabel()
                .map(label -> graph.adjacency(label, Direction.IN).first(id))
                .filter(parent -> parent >= 0)
                .map(parent -> new Node(graph, parent));
    }

    /** The number of values of a property for this node. */
    public int count(String property) {
        return graph.property(property).count(id);
    }

    /** The first value of a text property. */
    public Optional<String> text(String property) {
        return Optional.ofNullable(graph.texts(property).get(id));
    }

    /** The first value of a property of integers or truth values; {@code absent} if there is no value. */
    public long number(String property, long absent) {
        return graph.longs(property).get(id, absent);
    }

    /** The node that the first value of a reference property refers to. */
    public Optional<Node> ref(String property) {
        int node = graph.refs(property).get(id);
        return node < 0 ? Optional.empty() : Optional.of(new Node(graph, node));
    }

    @Override
    public String toString() {
        return "Node[" + id + "]";
    }
}
