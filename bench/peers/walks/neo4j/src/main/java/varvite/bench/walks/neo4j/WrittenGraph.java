package varvite.bench.walks.neo4j;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.neo4j.graphdb.Label;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.Transaction;

/**
 * The graph in a file of walks, created in a transaction, with lists of each node's edges in Varvite's order.
 */
final class WrittenGraph {
    final Transaction transaction;
    final List<Node> nodes = new ArrayList<>();
    final Map<Node, Integer> numbers = new HashMap<>();
    List<String> edgeLabels = List.of();
    private final List<Relationship> edges = new ArrayList<>();
    private final Map<String, List<Relationship>> lists = new HashMap<>();

    WrittenGraph(Transaction transaction) {
        this.transaction = transaction;
    }

    /** Reads a line of the file that is not a walk, such as a node or an edge. */
    void take(String[] fields) {
        switch (fields[0]) {
            case "edge_labels" -> edgeLabels = names(fields[1]);
            case "node" -> {
                Node node = transaction.createNode();
                names(fields[1]).forEach(label -> node.addLabel(Label.label(label)));
                numbers.put(node, nodes.size());
                nodes.add(node);
            }
            case "edge" -> edges.add(node(fields[2]).createRelationshipTo(node(fields[3]), RelationshipType.withName(fields[1])));
            case "list" -> {
                List<Relationship> list = names(fields[4]).stream().map(edge -> edges.get(Integer.parseInt(edge))).toList();
                lists.put(key(Integer.parseInt(fields[1]), fields[2], fields[3].equals("out")), list);
            }
            default -> throw new IllegalArgumentException("unknown line: " + fields[0]);
        }
    }

    Node node(String number) {
        return nodes.get(Integer.parseInt(number));
    }

    Node[] nodes(String numbers) {
        return names(numbers).stream().map(this::node).toArray(Node[]::new);
    }

    /** The edges of a node with a label, in one direction. */
    List<Relationship> list(Node node, String label, boolean isOut) {
        return lists.get(key(numbers.get(node), label, isOut));
    }

    private static String key(int node, String label, boolean isOut) {
        return node + (isOut ? ">" : "<") + label;
    }

    /** Splits names at commas; {@code -} means no names. */
    static List<String> names(String text) {
        return text.equals("-") ? List.of() : List.of(text.split(","));
    }
}
