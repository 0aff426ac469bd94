package varvite.examples;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongSupplier;
import varvite.Adjacency;
import varvite.Graph;
import varvite.IntList;
import varvite.LabelTest;
import varvite.NeighborCursor;
import varvite.NodeSet;
import varvite.RecentTexts;

/**
 * Four loops over a code property graph, written by hand with cursors, so that a hop allocates nothing.
 * Prints the answer of each and the median of its rounds.
 *
 * <p>The loops are those of {@code bench/harness/src/workloads.rs}, where Rust runs them over the same file.
 */
public final class CodeLoops {
    private static final int WARM_UP = 10;
    private static final int ROUNDS = 15;

    private CodeLoops() {}

    /** Usage: {@code CodeLoops GRAPH.varvite [ROUNDS]}. */
    public static void main(String[] args) throws IOException {
        if (args.length < 1 || args.length > 2) {
            System.err.println("usage: CodeLoops GRAPH.varvite [ROUNDS]");
            System.exit(2);
        }
        int rounds = args.length == 2 ? Integer.parseInt(args[1]) : ROUNDS;
        long start = System.nanoTime();
        try (Graph graph = Graph.open(Path.of(args[0]))) {
            int methods = graph.nodes("METHOD").size();
            double opened = (System.nanoTime() - start) / 1e6;
            System.out.printf(Locale.ROOT, "open and count of %,d METHODs: %.2f ms%n", methods, opened);
            measure("ast_below_methods", rounds, new BelowMethods(graph)::run);
            measure("cfg_reachability", rounds, new Reachability(graph)::run);
            measure("identifier_up", rounds, new IdentifierUp(graph)::run);
            measure("callee_names", rounds, new CalleeNames(graph)::run);
        }
    }

    private static void measure(String name, int rounds, LongSupplier loop) {
        for (int i = 0; i < WARM_UP; i++) {
            loop.getAsLong();
        }
        long[] times = new long[rounds];
        long answer = 0;
        for (int i = 0; i < rounds; i++) {
            long start = System.nanoTime();
            answer = loop.getAsLong();
            times[i] = System.nanoTime() - start;
        }
        Arrays.sort(times);
        double median = times[rounds / 2] / 1e6;
        double least = times[0] / 1e6;
        System.out.printf(
                Locale.ROOT,
                "%-18s %,14d steps  median %9.3f ms  least %9.3f ms  %6.2f ns/step%n",
                name,
                answer,
                median,
                least,
                median * 1e6 / Math.max(answer, 1));
    }

    /** Counts the nodes below each METHOD along AST, including the METHOD, with an explicit stack. */
    public static final class BelowMethods {
        private final Adjacency children;
        private final NodeSet methods;
        private final IntList stack = new IntList();

        /** Opens the columns of the loop. */
        public BelowMethods(Graph graph) {
            children = graph.out("AST");
            methods = graph.nodes("METHOD");
        }

        /** Runs the loop; returns the number of steps. */
        public long run() {
            long pops = 0;
            for (int method = methods.next(0); method >= 0; method = methods.next(method + 1)) {
                stack.add(method);
                pops += popAll();
            }
            return pops;
        }

        private long popAll() {
            Adjacency children = this.children;
            IntList stack = this.stack;
            long pops = 0;
            while (!stack.isEmpty()) {
                pops++;
                children.append(stack.pop(), stack);
            }
            return pops;
        }
    }

    /** Counts the nodes that each METHOD reaches along CFG, including the METHOD. */
    public static final class Reachability {
        private final NeighborCursor flow;
        private final NodeSet methods;
        /** A bit for each node. Nodes of a METHOD have consecutive ids, so their bits share a few cache lines. */
        private final long[] visited;
        private final IntList reached = new IntList();

        /** Opens the columns of the loop. */
        public Reachability(Graph graph) {
            flow = graph.out("CFG").cursor();
            methods = graph.nodes("METHOD");
            visited = new long[(graph.nodeCount() + 63) / 64];
        }

        /** Runs the loop; returns the number of steps. */
        public long run() {
            long sum = 0;
            for (int method = methods.next(0); method >= 0; method = methods.next(method + 1)) {
                sum += countFrom(method);
            }
            return sum;
        }

        private int countFrom(int start) {
            NeighborCursor flow = this.flow;
            IntList reached = this.reached;
            visit(start);
            for (int next = 0; next < reached.size(); next++) {
                for (flow.of(reached.get(next)); flow.next(); ) {
                    visit(flow.node());
                }
            }
            int count = reached.size();
            forget(reached.array(), count);
            reached.clear();
            return count;
        }

        private void forget(int[] nodes, int count) {
            long[] visited = this.visited;
            for (int i = 0; i < count; i++) {
                visited[nodes[i] >> 6] = 0;
            }
        }

        private void visit(int node) {
            long bit = 1L << node;
            if ((visited[node >> 6] & bit) == 0) {
                visited[node >> 6] |= bit;
                reached.add(node);
            }
        }
    }

    /** Counts the nodes on the way from each IDENTIFIER up along AST to a METHOD or the root. */
    public static final class IdentifierUp {
        private final Adjacency parents;
        private final NodeSet identifiers;
        private final LabelTest isMethod;

        /** Opens the columns of the loop. */
        public IdentifierUp(Graph graph) {
            parents = graph.in("AST");
            identifiers = graph.nodes("IDENTIFIER");
            isMethod = graph.labelSets().test(graph.label("METHOD"));
        }

        /** Runs the loop; returns the number of steps. */
        public long run() {
            long steps = 0;
            for (int node = identifiers.next(0); node >= 0; node = identifiers.next(node + 1)) {
                steps += stepsUp(node);
            }
            return steps;
        }

        private long stepsUp(int start) {
            Adjacency parents = this.parents;
            LabelTest isMethod = this.isMethod;
            long steps = 0;
            for (int node = start; node >= 0 && !isMethod.matches(node); node = parents.first(node)) {
                steps++;
            }
            return steps;
        }
    }

    /** Counts the letters in the names of the callees of all CALLs. */
    public static final class CalleeNames {
        private final NodeSet calls;
        private final NeighborCursor callees;
        private final RecentTexts names;

        /** Opens the columns of the loop. */
        public CalleeNames(Graph graph) {
            calls = graph.nodes("CALL");
            callees = graph.out("CALL").cursor();
            names = graph.texts("FULL_NAME").recentTexts();
        }

        /** Runs the loop; returns the number of letters. */
        public long run() {
            long letters = 0;
            for (int call = calls.next(0); call >= 0; call = calls.next(call + 1)) {
                letters += lettersOf(call);
            }
            return letters;
        }

        private long lettersOf(int call) {
            long letters = 0;
            for (callees.of(call); callees.next(); ) {
                String name = names.get(callees.node());
                letters += name == null ? 0 : name.length();
            }
            return letters;
        }
    }
}
