package varvite.bench.walks.neo4j;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Path;
import org.neo4j.graphdb.PathExpander;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.ResourceIterable;
import org.neo4j.graphdb.traversal.BranchState;

/** An expander that follows the hops of a walk, with edges in Varvite's order, which differs from Neo4j's. */
final class WrittenHops implements PathExpander<Object> {
    private final WrittenGraph graph;
    private final List<Hop> hops;

    /**
     * A hop: its edge labels, its directions, and the labels that the node before and the node after the edge
     * may have. An empty list allows all labels.
     */
    private record Hop(List<String> edgeLabels, boolean isOut, boolean isIn, List<String> from, List<String> to) {}

    /** An edge label in one direction. */
    private record Way(String edgeLabel, boolean isOut) {}

    WrittenHops(WrittenGraph graph, String text) {
        this.graph = graph;
        hops = hops(text);
    }

    private List<Hop> hops(String text) {
        List<Hop> hops = new ArrayList<>();
        for (String hop : text.split(";")) {
            String[] parts = hop.split("/");
            List<String> along = WrittenGraph.names(parts[0]);
            hops.add(new Hop(
                    along.isEmpty() ? graph.edgeLabels : along,
                    !parts[1].equals("in"),
                    !parts[1].equals("out"),
                    WrittenGraph.names(parts[2]),
                    WrittenGraph.names(parts[3])));
        }
        return hops;
    }

    @Override
    public ResourceIterable<Relationship> expand(Path path, BranchState<Object> state) {
        Node node = path.endNode();
        List<Relationship> found = new ArrayList<>();
        ways(node).forEach((way, targets) -> {
            for (Relationship edge : graph.list(node, way.edgeLabel, way.isOut)) {
                if (targets.stream().anyMatch(labels -> hasAny(edge.getOtherNode(node), labels))) {
                    found.add(edge);
                }
            }
        });
        return ResourceIterable.of(found);
    }

    /**
     * The ways that the hops follow from a node, each once, with the target labels of all hops that follow
     * it.
     */
    private Map<Way, List<List<String>>> ways(Node node) {
        Map<Way, List<List<String>>> ways = new LinkedHashMap<>();
        for (Hop hop : hops) {
            if (hasAny(node, hop.from)) {
                for (String label : hop.edgeLabels) {
                    if (hop.isOut) {
                        ways.computeIfAbsent(new Way(label, true), way -> new ArrayList<>()).add(hop.to);
                    }
                    if (hop.isIn) {
                        ways.computeIfAbsent(new Way(label, false), way -> new ArrayList<>()).add(hop.to);
                    }
                }
            }
        }
        return ways;
    }

    static boolean hasAny(Node node, List<String> labels) {
        return labels.isEmpty() || labels.stream().anyMatch(label -> node.hasLabel(Label.label(label)));
    }

    @Override
    public PathExpander<Object> reverse() {
        throw new UnsupportedOperationException("walks go one way");
    }
}
