package varvite.typed;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import varvite.Graph;
import varvite.Label;
import varvite.Labels;

/**
 * Finds the generated class for a node. Generated classes are numbered in the order of their labels.
 *
 * <p>May be used by any number of threads while the graph is open.
 */
public final class Kinds {
    private final Graph graph;
    private final List<String> names;
    /** The table of label sets, made on first use because making it opens the column of labels. */
    private volatile Table table;

    /** Numbers {@code labels} in this order, from 0. Opens no column. */
    public Kinds(Graph graph, String... labels) {
        this.graph = graph;
        names = List.of(labels);
    }

    /**
     * The number of a node's label: the least number if several of its labels have one, -1 if none has. Costs
     * two loads; allocates nothing.
     */
    public int of(int node) {
        Table known = table();
        return known.first[known.sets.code(node)];
    }

    /** Whether a node has the label with number {@code kind}. */
    public boolean has(int node, int kind) {
        Table known = table();
        Label label = known.labels[kind];
        return label != null && known.sets.has(node, label);
    }

    /**
     * Checks that a node has the label with number {@code kind}.
     *
     * @throws IllegalArgumentException if the node lacks the label; the message has the node's labels
     */
    public void require(int node, int kind) {
        if (!has(node, kind)) {
            String found = labels(node).stream().map(Label::name).collect(Collectors.joining(" and "));
            throw new IllegalArgumentException(
                    "node " + node + " is no " + names.get(kind) + " but " + (found.isEmpty() ? "without a label" : found));
        }
    }

    /** The labels of a node. Allocates the list. */
    public List<Label> labels(int node) {
        return table().sets.of(node);
    }

    private Table table() {
        Table known = table;
        if (known == null) {
            known = Table.of(graph, names);
            table = known;
        }
        return known;
    }

    /**
     * The label sets of a graph.
     *
     * @param labels the labels by number; null for a label that the graph does not have
     * @param first for each code of a label set, the least number of the labels in the set; -1 if none has a
     * number
     */
    private record Table(Labels sets, Label[] labels, int[] first) {
        static Table of(Graph graph, List<String> names) {
            Labels sets = graph.labelSets();
            Label[] labels = names.stream().map(name -> find(graph, name)).toArray(Label[]::new);
            int[] first = new int[sets.codeCount()];
            for (int code = 0; code < first.length; code++) {
                first[code] = firstOf(sets, code, labels);
            }
            return new Table(sets, labels, first);
        }

        private static Label find(Graph graph, String name) {
            Stream<Label> labels = graph.labels().stream().filter(label -> label.name().equals(name));
            return labels.findFirst().orElse(null);
        }

        private static int firstOf(Labels sets, int code, Label[] labels) {
            for (int kind = 0; kind < labels.length; kind++) {
                if (labels[kind] != null && sets.codeHas(code, labels[kind])) {
                    return kind;
                }
            }
            return -1;
        }
    }
}
