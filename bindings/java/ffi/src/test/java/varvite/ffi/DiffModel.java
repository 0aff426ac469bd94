package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import varvite.Adjacency;
import varvite.DoubleProperty;
import varvite.EdgeLabel;
import varvite.Graph;
import varvite.Label;
import varvite.LongProperty;
import varvite.Property;
import varvite.PropertyInfo;
import varvite.RefProperty;
import varvite.TextProperty;

/**
 * A model of the graph in {@code conformance/files/sent/before.varvite}, made of plain lists and maps, to
 * which diffs are applied.
 */
final class DiffModel {
    /** An edge that exists or was removed. */
    record Edge(int source, int target, boolean isRemoved) {}

    /** An owner of values: a node, or an edge of a label. */
    record Owner(String edgeLabel, int number) {}

    /** The labels of each node; null for a removed node. */
    final List<Set<String>> nodes = new ArrayList<>();
    /** The edges of each label, by rank. */
    final Map<String, List<Edge>> edges = new TreeMap<>();
    /** The values of each property, by owner: texts, numbers, nodes, and null. */
    final Map<String, Map<Owner, List<Object>>> values = new TreeMap<>();
    final Set<String> labels = new TreeSet<>(Set.of("METHOD", "NOBODY"));

    DiffModel() {
        for (int node = 0; node < 6; node++) {
            nodes.add(Set.of("METHOD"));
        }
        edges.put("CALL", new ArrayList<>());
        values.put("NAME", new HashMap<>());
        for (int node = 0; node < 5; node++) {
            edges.get("CALL").add(new Edge(node, node + 1, false));
            values.get("NAME").put(new Owner(null, node), List.of("name".substring(0, 1 + node % 4)));
        }
    }

    /** Removes nodes with their edges and values, and edges with their values. */
    void remove(Set<Integer> removed, Set<Owner> edgesRemoved) {
        removed.forEach(node -> nodes.set(node, null));
        edges.forEach((label, all) -> {
            for (int rank = 0; rank < all.size(); rank++) {
                Edge edge = all.get(rank);
                boolean goes = removed.contains(edge.source) || removed.contains(edge.target)
                        || edgesRemoved.contains(new Owner(label, rank));
                if (goes) {
                    all.set(rank, new Edge(edge.source, edge.target, true));
                }
            }
        });
        values.values().forEach(of -> of.keySet().removeIf(owner -> !has(owner)));
    }

    private boolean has(Owner owner) {
        return owner.edgeLabel == null
                ? nodes.get(owner.number) != null
                : !edges.get(owner.edgeLabel).get(owner.number).isRemoved;
    }

    void set(String property, Owner owner, List<Object> given, boolean isAppend) {
        Map<Owner, List<Object>> of = values.computeIfAbsent(property, ignored -> new HashMap<>());
        List<Object> all = new ArrayList<>(isAppend ? of.getOrDefault(owner, List.of()) : List.of());
        all.addAll(given);
        if (all.isEmpty()) {
            of.remove(owner);
        } else {
            of.put(owner, all);
        }
    }

    /** Checks that the graph equals this model. */
    void check(Graph graph) {
        assertEquals(nodes.size(), graph.nodeCount());
        assertEquals(labels, namesOf(graph.labels().stream().map(Label::name).toList()));
        for (int node = 0; node < nodes.size(); node++) {
            Set<String> expected = nodes.get(node);
            assertEquals(expected == null, graph.isRemoved(node), "node " + node);
            List<Label> found = graph.labelSets().of(node);
            assertEquals(expected == null ? Set.of() : expected, namesOf(found.stream().map(Label::name).toList()), "labels of " + node);
        }
        assertEquals(edges.keySet(), namesOf(graph.edgeLabels().stream().map(EdgeLabel::name).toList()));
        edges.forEach((label, all) -> checkEdges(graph, label, all));
        for (PropertyInfo info : graph.properties()) {
            checkValues(graph.property(info), values.getOrDefault(info.name(), Map.of()));
        }
    }

    private static Set<String> namesOf(List<String> names) {
        return new HashSet<>(names);
    }

    private void checkEdges(Graph graph, String label, List<Edge> all) {
        assertEquals(all.stream().filter(edge -> !edge.isRemoved).count(), graph.edgeLabel(label).edges(), label);
        Adjacency out = graph.out(label);
        Adjacency in = graph.in(label);
        for (int node = 0; node < nodes.size(); node++) {
            int id = node;
            int[] targets = all.stream().filter(edge -> !edge.isRemoved && edge.source == id).mapToInt(Edge::target).toArray();
            int[] sources = all.stream().filter(edge -> !edge.isRemoved && edge.target == id).mapToInt(Edge::source).toArray();
            assertArrayEquals(targets, out.neighbors(node).toArray(), label + " from " + node);
            assertArrayEquals(sources, in.neighbors(node).toArray(), label + " to " + node);
        }
    }

    private static void checkValues(Property property, Map<Owner, List<Object>> expected) {
        String edgeLabel = property.info().edgeLabel().orElse(null);
        long count = 0;
        for (int owner = 0; owner < property.ownerLimit(); owner++) {
            List<Object> wanted = expected.getOrDefault(new Owner(edgeLabel, owner), List.of());
            List<Object> found = new ArrayList<>();
            for (int index = 0; index < property.count(owner); index++) {
                found.add(value(property, owner, index));
            }
            assertEquals(wanted, found, property.info().name() + " of " + owner);
            count += wanted.size();
        }
        assertEquals(expected.values().stream().mapToLong(List::size).sum(), count, "values of " + property.info().name());
    }

    private static Object value(Property property, int owner, int index) {
        return switch (property) {
            case LongProperty longs -> longs.at(owner, index);
            case DoubleProperty doubles -> doubles.at(owner, index);
            case TextProperty texts -> texts.at(owner, index);
            case RefProperty refs -> refs.at(owner, index) == RefProperty.NULL ? null : refs.at(owner, index);
            default -> throw new AssertionError(property.info());
        };
    }
}
