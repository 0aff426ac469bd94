package varvite.bench.flatgraph;

import flatgraph.Accessors;
import flatgraph.Edge;
import flatgraph.GNode;
import flatgraph.misc.ISeq;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import scala.collection.immutable.IndexedSeq;
import varvite.bench.protocol.JsonLine;
import varvite.bench.protocol.Workload.Round;

/**
 * Writes the facts of a graph, as flatgraph reads it, in JSON that depends only on the graph's content. The
 * facts are counts, sums that do not depend on order, and totals of a few traversals. Equal graphs give equal
 * facts, no matter which program wrote their files.
 *
 * <p>{@code fnv64_sum} is the wrapping sum, over all values, of FNV-1a 64 of the value's text in UTF-8:
 * numbers in decimal, {@code true} or {@code false}, a node as {@code ref:LABEL}. Facts about edges or
 * properties are left out if they would be zero.
 */
final class Facts {
    private static final int TOP_CALL_NAMES = 15;

    private final CodeGraph graph;
    private final Map<String, Long> edgeTriples = new TreeMap<>();
    private final Map<String, ValueFacts> edgeProperties = new TreeMap<>();
    private final Map<String, ValueFacts> properties = new TreeMap<>();

    private Facts(CodeGraph graph) {
        this.graph = graph;
    }

    static void write(CodeGraph graph, Path target) throws IOException {
        Files.writeString(target, new Facts(graph).json());
    }

    private String json() {
        collectEdges();
        collectProperties();
        return """
                {
                  "nodes": %d,
                  "edges": %d,
                  "labels": %s,
                  "edge_triples": %s,
                  "edge_properties": %s,
                  "properties": %s,
                  "traversals": {
                    "ast_descendants_per_method_sum": %d,
                    "ast_descendants_by_label": %s,
                    "cfg_reachable_per_method_sum": %d,
                    "callee_full_name_chars": %d,
                    "identifier_ast_up_to_method_hops": %d,
                    "top_call_names": %s
                  }
                }
                """.formatted(
                        graph.graph.nodeCount(),
                        graph.graph.edgeCount(),
                        inline(labels()),
                        block(edgeTriples),
                        block(edgeProperties),
                        block(properties),
                        total(Workloads.astBelowMethods(graph)),
                        inline(astBelowMethodsByLabel()),
                        total(Workloads.cfgReachability(graph)),
                        total(Workloads.calleeNames(graph)),
                        total(Workloads.identifierUp(graph)),
                        topCallNames());
    }

    // Counts

    private Map<String, Long> labels() {
        long[] counts = new long[graph.nodeKindCount()];
        for (int kind = 0; kind < counts.length; kind++) {
            counts[kind] = graph.nodes(kind).length;
        }
        return byLabel(counts);
    }

    private void collectEdges() {
        for (int source = 0; source < graph.nodeKindCount(); source++) {
            for (int edge = 0; edge < graph.edgeKindCount(); edge++) {
                if (graph.hasNeighbors(source, CodeGraph.OUT, edge)) {
                    collectEdges(source, edge);
                }
            }
        }
        edgeProperties.values().removeIf(ValueFacts::isEmpty);
    }

    private void collectEdges(int source, int edge) {
        String label = graph.schema.getEdgeLabel(source, edge);
        ValueFacts values = edgeProperties.computeIfAbsent(label, absent -> new ValueFacts(false));
        long[] countsByTarget = new long[graph.nodeKindCount()];
        for (GNode node : graph.nodes(source)) {
            IndexedSeq<Edge> edges = Accessors.getEdgesOut(node, edge);
            for (int i = 0; i < edges.length(); i++) {
                Edge found = edges.apply(i);
                countsByTarget[found.dst().nodeKind]++;
                if (found.property() != null) {
                    values.add(found.property());
                }
            }
        }
        String prefix = label + " " + graph.schema.getNodeLabel(source) + " ";
        byLabel(countsByTarget).forEach((target, count) -> edgeTriples.merge(prefix + target, count, Long::sum));
    }

    private void collectProperties() {
        for (int kind = 0; kind < graph.nodeKindCount(); kind++) {
            for (int property = 0; property < graph.propertyKindCount(); property++) {
                if (graph.hasProperty(kind, property)) {
                    collectProperty(kind, property);
                }
            }
        }
        properties.values().removeIf(ValueFacts::isEmpty);
    }

    private void collectProperty(int kind, int property) {
        String name = graph.schema.getPropertyLabel(kind, property);
        ValueFacts facts = properties.computeIfAbsent(name, absent -> new ValueFacts(true));
        for (GNode node : graph.nodes(kind)) {
            ISeq<Object> values = Accessors.getNodeProperty(graph.graph, kind, property, node.seq());
            facts.addNode(values.length());
            for (int i = 0; i < values.length(); i++) {
                facts.add(values.apply(i));
            }
        }
    }

    /** The counts and the hash of the values of one property, of nodes or of edges. */
    private static final class ValueFacts {
        private final boolean ofNodes;
        private long nodes;
        private long values;
        private long fnv64Sum;

        ValueFacts(boolean ofNodes) {
            this.ofNodes = ofNodes;
        }

        boolean isEmpty() {
            return values == 0;
        }

        void addNode(int valueCount) {
            nodes += valueCount > 0 ? 1 : 0;
        }

        void add(Object value) {
            String text = value instanceof GNode node ? "ref:" + node.label() : String.valueOf(value);
            values++;
            fnv64Sum += fnv64(text.getBytes(StandardCharsets.UTF_8));
        }

        private static long fnv64(byte[] bytes) {
            long hash = 0xcbf29ce484222325L;
            for (byte b : bytes) {
                hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
            }
            return hash;
        }

        @Override
        public String toString() {
            String counts = ofNodes
                    ? "\"nodes\": " + nodes + ", \"values\": " + values
                    : "\"present\": " + values;
            return "{" + counts + ", \"fnv64_sum\": \"" + Long.toUnsignedString(fnv64Sum) + "\"}";
        }
    }

    // Traversals

    private static long total(Round round) {
        return round.run().values()[0];
    }

    private Map<String, Long> astBelowMethodsByLabel() {
        int ast = graph.edgeKind("AST");
        long[] counts = new long[graph.nodeKindCount()];
        var stack = new NodeStack();
        for (GNode method : graph.nodes("METHOD")) {
            stack.push(method);
            while (!stack.isEmpty()) {
                GNode node = stack.pop();
                counts[node.nodeKind]++;
                stack.pushAll(graph.out(node, ast));
            }
        }
        return new TreeMap<>(byLabel(counts));
    }

    private String topCallNames() {
        int name = graph.propertyKind("NAME");
        var counts = new HashMap<String, Long>();
        for (GNode call : graph.nodes("CALL")) {
            counts.merge(graph.string(call, name), 1L, Long::sum);
        }
        List<Map.Entry<String, Long>> byCount = new ArrayList<>(counts.entrySet());
        byCount.sort(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()).thenComparing(Map.Entry.comparingByKey()));
        return byCount.stream()
                .limit(TOP_CALL_NAMES)
                .map(entry -> "[" + JsonLine.quote(entry.getKey()) + ", " + entry.getValue() + "]")
                .collect(Collectors.joining(", ", "[", "]"));
    }

    // JSON

    /** The counts that are not zero, by label, in the order of kinds. */
    private Map<String, Long> byLabel(long[] countsByKind) {
        var counts = new java.util.LinkedHashMap<String, Long>();
        for (int kind = 0; kind < countsByKind.length; kind++) {
            if (countsByKind[kind] != 0) {
                counts.put(graph.schema.getNodeLabel(kind), countsByKind[kind]);
            }
        }
        return counts;
    }

    private static String inline(Map<String, ?> fields) {
        return joined(fields, "", ", ", "{", "}");
    }

    private static String block(Map<String, ?> fields) {
        return joined(fields, "    ", ",\n", fields.isEmpty() ? "{" : "{\n", "\n  }");
    }

    private static String joined(Map<String, ?> fields, String indent, String separator, String prefix, String suffix) {
        return fields.entrySet().stream()
                .map(field -> indent + JsonLine.quote(field.getKey()) + ": " + field.getValue())
                .collect(Collectors.joining(separator, prefix, suffix));
    }
}
