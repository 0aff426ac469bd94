package varvite.bench.flatgraph;

import flatgraph.GNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import scala.collection.Iterator;
import varvite.bench.protocol.Workload;
import varvite.bench.protocol.Workload.Answer;
import varvite.bench.protocol.Workload.Round;

/**
 * The workloads that Varvite answers by pipelines: searches in texts, counts by label, and transitive
 * closures.
 */
final class Questions {
    private static final String TEXT_SOUGHT = "skb";
    private static final Pattern NAME_PATTERN = Pattern.compile("(?i).*(alloc|free).*");

    private Questions() {}

    static void addTo(Map<String, Workload<CodeGraph>> workloads) {
        workloads.put("code_contains", Questions::codeContains);
        workloads.put("method_name_regex", Questions::methodNameRegex);
        workloads.put("descendants_by_label", Questions::descendantsByLabel);
        workloads.put("identifier_method", Questions::identifierMethod);
        workloads.put("transitive_callers", Questions::transitiveCallers);
    }

    static Round codeContains(CodeGraph graph) {
        int code = graph.propertyKind("CODE");
        GNode[] calls = graph.nodes("CALL");
        return () -> {
            long count = 0;
            for (GNode call : calls) {
                if (graph.string(call, code).contains(TEXT_SOUGHT)) {
                    count++;
                }
            }
            return new Answer(calls.length, count);
        };
    }

    static Round methodNameRegex(CodeGraph graph) {
        int name = graph.propertyKind("NAME");
        GNode[] methods = graph.nodes("METHOD");
        return () -> {
            long count = 0;
            for (GNode method : methods) {
                if (NAME_PATTERN.matcher(graph.string(method, name)).matches()) {
                    count++;
                }
            }
            return new Answer(methods.length, count);
        };
    }

    static Round descendantsByLabel(CodeGraph graph) {
        int ast = graph.edgeKind("AST");
        GNode[] methods = graph.nodes("METHOD");
        var stack = new NodeStack();
        return () -> {
            long[] counts = new long[graph.nodeKindCount()];
            for (GNode method : methods) {
                stack.push(method);
                countKinds(graph, ast, stack, counts);
            }
            return new Answer(Arrays.stream(counts).sum(), inOrderOfLabels(graph, counts));
        };
    }

    private static void countKinds(CodeGraph graph, int ast, NodeStack stack, long[] counts) {
        while (!stack.isEmpty()) {
            GNode node = stack.pop();
            counts[node.nodeKind]++;
            stack.pushAll(graph.out(node, ast));
        }
    }

    private static long[] inOrderOfLabels(CodeGraph graph, long[] counts) {
        var byLabel = new TreeMap<String, Long>();
        for (int kind = 0; kind < counts.length; kind++) {
            if (counts[kind] > 0) {
                byLabel.put(graph.schema.getNodeLabel(kind), counts[kind]);
            }
        }
        return byLabel.values().stream().mapToLong(Long::longValue).toArray();
    }

    static Round identifierMethod(CodeGraph graph) {
        int ast = graph.edgeKind("AST");
        int method = graph.nodeKind("METHOD");
        GNode[] identifiers = graph.nodes("IDENTIFIER");
        return () -> {
            long found = 0;
            for (GNode identifier : identifiers) {
                if (above(graph, ast, method, identifier) != null) {
                    found++;
                }
            }
            return new Answer(identifiers.length, found);
        };
    }

    /** The nearest ancestor of a node that has the kind {@code kind}, or null. */
    private static GNode above(CodeGraph graph, int ast, int kind, GNode node) {
        GNode above = graph.firstIn(node, ast);
        while (above != null && above.nodeKind != kind) {
            above = graph.firstIn(above, ast);
        }
        return above;
    }

    /** Visits callers level by level, so that a METHOD is first visited at its least depth. */
    static Round transitiveCallers(CodeGraph graph) {
        int callEdge = graph.edgeKind("CALL");
        int ast = graph.edgeKind("AST");
        int method = graph.nodeKind("METHOD");
        int name = graph.propertyKind("NAME");
        GNode[] methods = graph.nodes("METHOD");
        return () -> {
            long count = 0;
            long depths = 0;
            for (GNode start : methods) {
                if (!graph.string(start, name).equals(Workloads.NAME_SOUGHT)) {
                    continue;
                }
                var visited = new HashSet<GNode>(List.of(start));
                List<GNode> level = List.of(start);
                for (int depth = 1; !level.isEmpty(); depth++) {
                    var next = new ArrayList<GNode>();
                    for (GNode callee : level) {
                        for (Iterator<GNode> calls = graph.in(callee, callEdge); calls.hasNext(); ) {
                            GNode caller = above(graph, ast, method, calls.next());
                            if (caller != null && visited.add(caller)) {
                                next.add(caller);
                            }
                        }
                    }
                    count += next.size();
                    depths += (long) depth * next.size();
                    level = next;
                }
            }
            return new Answer(count, count, depths);
        };
    }
}
