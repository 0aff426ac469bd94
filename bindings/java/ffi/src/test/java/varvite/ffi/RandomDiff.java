package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import varvite.Cardinality;
import varvite.ValueType;
import varvite.change.Diff;
import varvite.change.EdgeRef;
import varvite.change.ElementRef;
import varvite.change.NewEdge;
import varvite.change.NewNode;
import varvite.change.NodeRef;

/** A diff of random valid operations. After the engine has applied the diff, it is applied to a model too. */
final class RandomDiff {
    private static final int OPERATIONS = 25;
    private static final List<String> LABELS = List.of("METHOD", "SITE", "OTHER");
    private static final List<String> EDGE_LABELS = List.of("CALL", "AT");
    private static final List<String> TEXTS = Arrays.asList("", "a", "größe", null, "\0", "a long text ".repeat(4));

    private final DiffModel model;
    private final Random random;
    private final Diff diff = new Diff();
    private final Set<Integer> removed = new HashSet<>();
    private final Set<DiffModel.Owner> edgesRemoved = new HashSet<>();
    private final List<NewNode> newNodes = new ArrayList<>();
    private final List<Set<String>> labelsOfNew = new ArrayList<>();
    private final List<AddedEdge> newEdges = new ArrayList<>();
    private final List<Consumer<Applied>> values = new ArrayList<>();

    private record AddedEdge(NewEdge edge, String label, NodeRef source, NodeRef target) {}

    RandomDiff(DiffModel model, Random random) {
        this.model = model;
        this.random = random;
        declare();
        removeSome();
        for (int i = random.nextInt(OPERATIONS); i > 0; i--) {
            switch (random.nextInt(5)) {
                case 0 -> addNode();
                case 1, 2 -> addEdge();
                default -> giveValues();
            }
        }
    }

    Diff diff() {
        return diff;
    }

    private void declare() {
        LABELS.forEach(diff::declareLabel);
        EDGE_LABELS.forEach(diff::declareEdgeLabel);
        diff.declareProperty("COUNT", ValueType.I64, Cardinality.LIST);
        diff.declareProperty("RATE", ValueType.F64, Cardinality.OPTIONAL);
        diff.declareProperty("NEXT", ValueType.REF, Cardinality.LIST);
        diff.declareEdgeProperty("AT", "WEIGHT", ValueType.I64, Cardinality.OPTIONAL);
    }

    private void removeSome() {
        if (random.nextInt(3) == 0) {
            NodeRef node = node(false);
            if (node instanceof NodeRef.Known(int id)) {
                diff.removeNode(id);
                removed.add(id);
            }
        }
        if (random.nextInt(3) == 0) {
            edge().ifPresent(edge -> {
                diff.removeEdge(edge.edgeLabel(), edge.number());
                edgesRemoved.add(edge);
            });
        }
    }

    /**
     * A random node that exists after the diff; with {@code mayBeNew}, possibly a new node. Null if there is
     * none.
     */
    private NodeRef node(boolean mayBeNew) {
        if (mayBeNew && !newNodes.isEmpty() && random.nextBoolean()) {
            return newNodes.get(random.nextInt(newNodes.size()));
        }
        for (int tries = 0; tries < 20; tries++) {
            int id = random.nextInt(model.nodes.size());
            if (model.nodes.get(id) != null && !removed.contains(id)) {
                return NodeRef.of(id);
            }
        }
        return null;
    }

    /** A random edge that exists both before and after the diff. */
    private java.util.Optional<DiffModel.Owner> edge() {
        String label = EDGE_LABELS.get(random.nextInt(EDGE_LABELS.size()));
        List<DiffModel.Edge> all = model.edges.getOrDefault(label, List.of());
        if (all.isEmpty()) {
            return java.util.Optional.empty();
        }
        int rank = random.nextInt(all.size());
        DiffModel.Edge edge = all.get(rank);
        DiffModel.Owner owner = new DiffModel.Owner(label, rank);
        boolean goes = edge.isRemoved() || removed.contains(edge.source()) || removed.contains(edge.target()) || edgesRemoved.contains(owner);
        return goes ? java.util.Optional.empty() : java.util.Optional.of(owner);
    }

    private void addNode() {
        Set<String> labels = new HashSet<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            labels.add(LABELS.get(random.nextInt(LABELS.size())));
        }
        newNodes.add(diff.addNode(labels.toArray(String[]::new)));
        labelsOfNew.add(labels);
    }

    private void addEdge() {
        String label = EDGE_LABELS.get(random.nextInt(EDGE_LABELS.size()));
        NodeRef source = end();
        NodeRef target = end();
        if (source == null || target == null) {
            return;
        }
        NewEdge edge = switch (source) {
            case NodeRef.Known(int from) when target instanceof NodeRef.Known(int to) -> diff.addEdge(label, from, to);
            case NodeRef.Known(int from) -> diff.addEdge(label, from, target);
            case NewNode node when target instanceof NodeRef.Known(int to) -> diff.addEdge(label, node, to);
            case NewNode node -> diff.addEdge(label, node, target);
        };
        newEdges.add(new AddedEdge(edge, label, source, target));
    }

    /**
     * A random source or target for an edge. Sometimes this is a node that the diff removes, so that the edge
     * is omitted.
     */
    private NodeRef end() {
        return !removed.isEmpty() && random.nextInt(8) == 0 ? NodeRef.of(removed.iterator().next()) : node(true);
    }

    private void giveValues() {
        if (random.nextInt(4) == 0) {
            giveWeight();
            return;
        }
        NodeRef owner = node(true);
        if (owner == null) {
            return;
        }
        boolean isAppend = random.nextBoolean();
        switch (random.nextInt(5)) {
            case 0 -> {
                String text = TEXTS.get(random.nextInt(TEXTS.size()));
                diff.set(owner, "NAME", text);
                keep(owner, "NAME", Arrays.asList((Object) text), false);
            }
            case 1 -> {
                long[] numbers = random.longs(random.nextInt(3)).toArray();
                give(isAppend, () -> diff.append(owner, "COUNT", numbers), () -> diff.set(owner, "COUNT", numbers));
                keep(owner, "COUNT", Arrays.stream(numbers).mapToObj(number -> (Object) number).toList(), isAppend);
            }
            case 2 -> {
                double rate = random.nextDouble();
                diff.set(owner, "RATE", rate);
                keep(owner, "RATE", List.of(rate), false);
            }
            case 3 -> {
                diff.clear(owner, "COUNT");
                keep(owner, "COUNT", List.of(), false);
            }
            default -> {
                NodeRef[] nodes = {node(true), null};
                give(isAppend, () -> diff.append(owner, "NEXT", nodes), () -> diff.set(owner, "NEXT", nodes));
                values.add(applied -> model.set(
                        "NEXT",
                        new DiffModel.Owner(null, id(owner, applied)),
                        Arrays.asList(nodes[0] == null ? null : (Object) id(nodes[0], applied), null),
                        isAppend));
            }
        }
    }

    private static void give(boolean isAppend, Runnable append, Runnable set) {
        (isAppend ? append : set).run();
    }

    private void keep(NodeRef owner, String property, List<Object> given, boolean isAppend) {
        values.add(applied -> model.set(property, new DiffModel.Owner(null, id(owner, applied)), given, isAppend));
    }

    private void giveWeight() {
        long weight = random.nextLong();
        AddedEdge added = newEdges.isEmpty() ? null : newEdges.get(random.nextInt(newEdges.size()));
        if (added != null && added.label.equals("AT") && isKept(added)) {
            diff.set(added.edge, "WEIGHT", weight);
            values.add(applied -> {
                int rank = applied.edge(added.edge).getAsInt();
                model.set("WEIGHT", new DiffModel.Owner("AT", rank), List.of(weight), false);
            });
            return;
        }
        edge().filter(edge -> edge.edgeLabel().equals("AT")).ifPresent(edge -> {
            ElementRef owner = new EdgeRef("AT", edge.number());
            diff.set(owner, "WEIGHT", weight);
            values.add(applied -> model.set("WEIGHT", edge, List.of(weight), false));
        });
    }

    private boolean isKept(AddedEdge edge) {
        return isKept(edge.source) && isKept(edge.target);
    }

    private boolean isKept(NodeRef node) {
        return !(node instanceof NodeRef.Known(int id)) || !removed.contains(id);
    }

    private static int id(NodeRef node, Applied applied) {
        return switch (node) {
            case NodeRef.Known(int id) -> id;
            case NewNode added -> applied.node(added);
        };
    }

    /** Applies the diff to the model, with the ids and ranks that its new nodes and edges got. */
    void applied(Applied applied) {
        model.labels.addAll(LABELS);
        EDGE_LABELS.forEach(label -> model.edges.computeIfAbsent(label, ignored -> new ArrayList<>()));
        model.remove(removed, edgesRemoved);
        for (int i = 0; i < newNodes.size(); i++) {
            assertEquals(model.nodes.size(), applied.node(newNodes.get(i)));
            model.nodes.add(labelsOfNew.get(i));
        }
        for (AddedEdge added : newEdges) {
            OptionalInt rank = OptionalInt.empty();
            if (isKept(added)) {
                List<DiffModel.Edge> all = model.edges.get(added.label);
                rank = OptionalInt.of(all.size());
                all.add(new DiffModel.Edge(id(added.source, applied), id(added.target, applied), false));
            }
            assertEquals(rank, applied.edge(added.edge));
        }
        values.forEach(value -> value.accept(applied));
    }

    /** Adds an invalid operation, and returns its number. */
    long addNonsense() {
        long number = diff.size();
        List<Consumer<Diff>> all = List.of(
                wrong -> wrong.removeNode(model.nodes.size() + newNodes.size()),
                wrong -> wrong.addEdge("CALL", model.nodes.size() + 3, 0),
                wrong -> wrong.removeEdge("CALL", model.edges.get("CALL").size()),
                wrong -> wrong.addNode("NEVER"),
                wrong -> wrong.set(new NewNode(newNodes.size()), "COUNT", 1),
                wrong -> wrong.declareProperty("COUNT", ValueType.I32, Cardinality.LIST),
                wrong -> wrong.addEdge("NEVER", 0, 0));
        all.get(random.nextInt(all.size())).accept(diff);
        return number;
    }

    /** Describes the operations, for the message of a failed test. */
    @Override
    public String toString() {
        return Map.of("removed", removed, "edges", newEdges, "nodes", labelsOfNew).toString();
    }
}
