package varvite.bench.flatgraph;

import flatgraph.Accessors;
import flatgraph.Edge;
import flatgraph.GNode;
import flatgraph.misc.ISeq;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import scala.collection.Iterator;
import scala.collection.immutable.IndexedSeq;
import varvite.bench.protocol.Workload;
import varvite.bench.protocol.Workload.Answer;
import varvite.bench.protocol.Workload.Round;

/**
 * Every workload, by the name that all peers share. README.md defines each answer independently of flatgraph;
 * the comments here describe how flatgraph is used. Each workload is a plain loop over flatgraph's public
 * accessors, as in flatgraph's own benchmark suite. It runs on one thread, with primitive counters, a visited
 * set in an {@code int[]} and a stack in an array. Only flatgraph's accessors box values. The work for one
 * node or METHOD is in a separate method, so that the JVM can compile this method, and need not replace the
 * code of a loop that is still running.
 */
final class Workloads {
    static final String NAME_SOUGHT = "memcpy";
    static final int WARM_LOOKUPS = 1000;

    /** The labels of AST nodes in Joern's schema, whether or not a graph has such nodes. */
    static final List<String> AST_LABELS = List.of(
            "ANNOTATION", "ANNOTATION_LITERAL", "ANNOTATION_PARAMETER", "ANNOTATION_PARAMETER_ASSIGN", "ARRAY_INITIALIZER",
            "BLOCK", "CALL", "COMMENT", "CONTROL_STRUCTURE", "FIELD_IDENTIFIER", "FILE", "IDENTIFIER", "IMPORT", "JUMP_LABEL",
            "JUMP_TARGET", "LITERAL", "LOCAL", "MEMBER", "METHOD", "METHOD_PARAMETER_IN", "METHOD_PARAMETER_OUT", "METHOD_REF",
            "METHOD_RETURN", "MODIFIER", "NAMESPACE", "NAMESPACE_BLOCK", "RETURN", "TEMPLATE_DOM", "TYPE_ARGUMENT", "TYPE_DECL",
            "TYPE_PARAMETER", "TYPE_REF", "UNKNOWN");

    static final Map<String, Workload<CodeGraph>> BY_NAME = new LinkedHashMap<>();

    static {
        BY_NAME.put("load_everything", Workloads::loadEverything);
        BY_NAME.put("ast_dfs", Workloads::astDfs);
        BY_NAME.put("ast_below_methods", Workloads::astBelowMethods);
        BY_NAME.put("ast_up", Workloads::astUp);
        BY_NAME.put("order_sum", Workloads::orderSum);
        BY_NAME.put("call_order", Workloads::callOrder);
        BY_NAME.put("cfg_reachability", Workloads::cfgReachability);
        BY_NAME.put("callee_names", Workloads::calleeNames);
        BY_NAME.put("identifier_up", Workloads::identifierUp);
        BY_NAME.put("name_equality_scan", Workloads::nameEqualityScan);
        BY_NAME.put("name_equality_index_build", Workloads::nameEqualityIndexBuild);
        BY_NAME.put("name_equality_index_warm", Workloads::nameEqualityIndexWarm);
        Questions.addTo(BY_NAME);
        Queries.addTo(BY_NAME);
    }

    private Workloads() {}

    // Everything

    /**
     * Reads the graph column by column, so that flatgraph tests only once for each column, not for every
     * node, whether the column is missing.
     */
    static Round loadEverything(CodeGraph graph) {
        return () -> {
            var tally = new Tally();
            for (int kind = 0; kind < graph.nodeKindCount(); kind++) {
                GNode[] nodes = graph.nodes(kind);
                for (int edge = 0; edge < graph.edgeKindCount(); edge++) {
                    if (graph.hasNeighbors(kind, CodeGraph.OUT, edge)) {
                        tally.addOut(nodes, edge);
                    }
                    if (graph.hasNeighbors(kind, CodeGraph.IN, edge)) {
                        tally.addIn(nodes, edge);
                    }
                    if (graph.hasEdgeProperties(kind, edge)) {
                        tally.addEdgeValues(nodes, edge);
                    }
                }
                for (int property = 0; property < graph.propertyKindCount(); property++) {
                    if (graph.hasProperty(kind, property)) {
                        tally.addValues(graph, nodes, property);
                    }
                }
            }
            return tally.answer();
        };
    }

    private static final class Tally {
        private long neighbors;
        private long values;
        private long stringUnits;
        private long numberSum;

        Answer answer() {
            return new Answer(neighbors + values, neighbors, values, stringUnits, numberSum);
        }

        void addOut(GNode[] nodes, int edgeKind) {
            for (GNode node : nodes) {
                addNeighbors(Accessors.getNeighborsOut(node, edgeKind));
            }
        }

        void addIn(GNode[] nodes, int edgeKind) {
            for (GNode node : nodes) {
                addNeighbors(Accessors.getNeighborsIn(node, edgeKind));
            }
        }

        private void addNeighbors(Iterator<GNode> found) {
            while (found.hasNext()) {
                if (found.next() != null) {
                    neighbors++;
                }
            }
        }

        void addEdgeValues(GNode[] nodes, int edgeKind) {
            for (GNode node : nodes) {
                IndexedSeq<Edge> edges = Accessors.getEdgesOut(node, edgeKind);
                for (int i = 0; i < edges.length(); i++) {
                    addValue(edges.apply(i).property());
                }
            }
        }

        void addValues(CodeGraph graph, GNode[] nodes, int propertyKind) {
            for (GNode node : nodes) {
                ISeq<Object> found = Accessors.getNodeProperty(graph.graph, node.nodeKind, propertyKind, node.seq());
                for (int i = 0; i < found.length(); i++) {
                    addValue(found.apply(i));
                }
            }
        }

        private void addValue(Object value) {
            if (value == null) {
                return;
            }
            values++;
            switch (value) {
                case String text -> stringUnits += text.length();
                case Integer number -> numberSum += number;
                case Boolean flag -> numberSum += flag ? 1 : 0;
                case Long number -> numberSum += number;
                case Short number -> numberSum += number;
                case Byte number -> numberSum += number;
                default -> { }
            }
        }
    }

    // Trees

    static Round astDfs(CodeGraph graph) {
        int ast = graph.edgeKind("AST");
        GNode[] roots = astRoots(graph, ast);
        var stack = new NodeStack();
        return () -> {
            stack.pushAll(roots);
            return Answer.ofSteps(popAll(graph, ast, stack));
        };
    }

    private static GNode[] astRoots(CodeGraph graph, int ast) {
        var roots = new ArrayList<GNode>();
        for (int kind = 0; kind < graph.nodeKindCount(); kind++) {
            for (GNode node : graph.nodes(kind)) {
                if (graph.in(node, ast).isEmpty() && graph.out(node, ast).hasNext()) {
                    roots.add(node);
                }
            }
        }
        return roots.toArray(GNode[]::new);
    }

    /**
     * Pops nodes until the stack is empty, and pushes the out-neighbors of each popped node. Returns the
     * number of pops.
     */
    private static long popAll(CodeGraph graph, int edgeKind, NodeStack stack) {
        long pops = 0;
        while (!stack.isEmpty()) {
            stack.pushAll(graph.out(stack.pop(), edgeKind));
            pops++;
        }
        return pops;
    }

    static Round astBelowMethods(CodeGraph graph) {
        int ast = graph.edgeKind("AST");
        GNode[] methods = graph.nodes("METHOD");
        var stack = new NodeStack();
        return () -> {
            long pops = 0;
            for (GNode method : methods) {
                stack.push(method);
                pops += popAll(graph, ast, stack);
            }
            return Answer.ofSteps(pops);
        };
    }

    static Round astUp(CodeGraph graph) {
        int ast = graph.edgeKind("AST");
        return () -> {
            long steps = 0;
            for (int kind = 0; kind < graph.nodeKindCount(); kind++) {
                for (GNode node : graph.nodes(kind)) {
                    steps += stepsUp(graph, ast, node, CodeGraph.ABSENT);
                }
            }
            return Answer.ofSteps(steps);
        };
    }

    /**
     * Climbs from {@code node} along first in-neighbors until a node of the kind {@code lastKind}, or past
     * the root, and returns the number of steps.
     */
    private static long stepsUp(CodeGraph graph, int edgeKind, GNode node, int lastKind) {
        long steps = 0;
        for (GNode above = node; above != null && above.nodeKind != lastKind; above = graph.firstIn(above, edgeKind)) {
            steps++;
        }
        return steps;
    }

    static Round identifierUp(CodeGraph graph) {
        int ast = graph.edgeKind("AST");
        int method = graph.nodeKind("METHOD");
        GNode[] identifiers = graph.nodes("IDENTIFIER");
        return () -> {
            long steps = 0;
            for (GNode identifier : identifiers) {
                steps += stepsUp(graph, ast, identifier, method);
            }
            return Answer.ofSteps(steps);
        };
    }

    // Control flow and calls

    /**
     * A node counts as visited in a METHOD if its entry in the array is the METHOD's number. So the array
     * need not be cleared for each METHOD.
     */
    static Round cfgReachability(CodeGraph graph) {
        int cfg = graph.edgeKind("CFG");
        GNode[] methods = graph.nodes("METHOD");
        int[] bases = graph.denseBases();
        int[] stamps = new int[bases[graph.nodeKindCount()]];
        var stack = new NodeStack();
        return new Round() {
            private int stamp;

            @Override
            public void reset() {
                if (stamp > Integer.MAX_VALUE - methods.length) {
                    Arrays.fill(stamps, 0);
                    stamp = 0;
                }
            }

            @Override
            public Answer run() {
                long reached = 0;
                for (GNode method : methods) {
                    reached += reachedFrom(method, ++stamp);
                }
                return Answer.ofSteps(reached);
            }

            private long reachedFrom(GNode method, int stamp) {
                long reached = 1;
                stamps[bases[method.nodeKind] + method.seq()] = stamp;
                stack.push(method);
                while (!stack.isEmpty()) {
                    Iterator<GNode> next = graph.out(stack.pop(), cfg);
                    while (next.hasNext()) {
                        GNode node = next.next();
                        int dense = bases[node.nodeKind] + node.seq();
                        if (stamps[dense] != stamp) {
                            stamps[dense] = stamp;
                            stack.push(node);
                            reached++;
                        }
                    }
                }
                return reached;
            }
        };
    }

    static Round calleeNames(CodeGraph graph) {
        int callEdge = graph.edgeKind("CALL");
        int fullName = graph.propertyKind("FULL_NAME");
        GNode[] calls = graph.nodes("CALL");
        return () -> {
            var names = new CalleeNames(graph, callEdge, fullName);
            for (GNode call : calls) {
                names.addCalleesOf(call);
            }
            return new Answer(names.callees, names.units);
        };
    }

    private static final class CalleeNames {
        private final CodeGraph graph;
        private final int callEdge;
        private final int fullName;
        private long callees;
        private long units;

        CalleeNames(CodeGraph graph, int callEdge, int fullName) {
            this.graph = graph;
            this.callEdge = callEdge;
            this.fullName = fullName;
        }

        void addCalleesOf(GNode call) {
            Iterator<GNode> found = graph.out(call, callEdge);
            while (found.hasNext()) {
                units += graph.string(found.next(), fullName).length();
                callees++;
            }
        }
    }

    // Properties

    static Round orderSum(CodeGraph graph) {
        int order = graph.propertyKind("ORDER");
        int[] kinds = AST_LABELS.stream().mapToInt(graph::nodeKind).filter(kind -> kind != CodeGraph.ABSENT).toArray();
        return () -> {
            long sum = 0;
            long read = 0;
            for (int kind : kinds) {
                GNode[] nodes = graph.nodes(kind);
                sum += orderSum(graph, nodes, order);
                read += nodes.length;
            }
            return new Answer(read, sum);
        };
    }

    private static long orderSum(CodeGraph graph, GNode[] nodes, int order) {
        long sum = 0;
        for (GNode node : nodes) {
            sum += graph.order(node, order);
        }
        return sum;
    }

    static Round callOrder(CodeGraph graph) {
        int order = graph.propertyKind("ORDER");
        GNode[] calls = graph.nodes("CALL");
        return () -> {
            long count = 0;
            for (GNode call : calls) {
                if (graph.order(call, order) > 2) {
                    count++;
                }
            }
            return new Answer(calls.length, count);
        };
    }

    static Round nameEqualityScan(CodeGraph graph) {
        int name = graph.propertyKind("NAME");
        GNode[] calls = graph.nodes("CALL");
        return () -> {
            long count = 0;
            for (GNode call : calls) {
                if (graph.string(call, name).equals(NAME_SOUGHT)) {
                    count++;
                }
            }
            return new Answer(calls.length, count);
        };
    }

    static Round nameEqualityIndexBuild(CodeGraph graph) {
        int call = graph.nodeKind("CALL");
        int name = graph.propertyKind("NAME");
        int calls = graph.nodes(call).length;
        return new Round() {
            @Override
            public void reset() {
                graph.dropIndex(call, name);
            }

            @Override
            public Answer run() {
                return new Answer(calls, countByIndex(graph, call, name));
            }
        };
    }

    static Round nameEqualityIndexWarm(CodeGraph graph) {
        int call = graph.nodeKind("CALL");
        int name = graph.propertyKind("NAME");
        countByIndex(graph, call, name);
        return () -> {
            long count = 0;
            for (int i = 0; i < WARM_LOOKUPS; i++) {
                count += countByIndex(graph, call, name);
            }
            return new Answer(WARM_LOOKUPS, count / WARM_LOOKUPS);
        };
    }

    private static long countByIndex(CodeGraph graph, int nodeKind, int propertyKind) {
        Iterator<GNode> found = Accessors.getWithInverseIndex(graph.graph, nodeKind, propertyKind, NAME_SOUGHT);
        long count = 0;
        while (found.hasNext()) {
            found.next();
            count++;
        }
        return count;
    }
}
