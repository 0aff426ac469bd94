package varvite.bench.walks.varvite;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import varvite.Graph;
import varvite.IntProperty;
import varvite.Label;
import varvite.bench.walks.Side;
import varvite.ffi.NativeGraph;
import varvite.ffi.NativeWalk;
import varvite.walk.Arena;
import varvite.walk.Evaluation;
import varvite.walk.Evaluator;
import varvite.walk.Guide;
import varvite.walk.Hop;
import varvite.walk.Order;
import varvite.walk.Run;
import varvite.walk.Uniqueness;
import varvite.walk.Visit;
import varvite.walk.Walk;

/**
 * Varvite in Java: descriptions are walked by the engine, which gives results in batches; walks with a function, and those whose names end in
 * {@code without_engine}, by the loop in Java.
 */
final class VarviteSide implements Side {
    private static final long ARENA_BYTES = 256 << 20;

    private final Graph graph;
    private final NativeGraph engine;
    private final Map<String, NativeWalk> ofEngine;
    private final Map<String, Run> ofJava;
    private final ByFunction function;
    private final int root;
    private String last;

    private VarviteSide(Graph graph, NativeGraph engine) {
        this.graph = graph;
        this.engine = engine;
        root = graph.nodes("Root").next(0);
        function = new ByFunction(graph.label("B"), graph.ints("value"));
        var depthFirst = declared(Order.DEPTH_FIRST);
        var breadthFirst = declared(Order.BREADTH_FIRST);
        ofEngine = Map.of(
                "depth_first", engine.walk(depthFirst, ARENA_BYTES, 1024),
                "breadth_first", engine.walk(breadthFirst, ARENA_BYTES, 1024));
        ofJava = Map.of(
                "depth_first_function", walk(Order.DEPTH_FIRST).compile(graph).run(new Arena(ARENA_BYTES), function),
                "depth_first_without_engine", depthFirst.compile(graph).run(new Arena(ARENA_BYTES)),
                "breadth_first_without_engine", breadthFirst.compile(graph).run(new Arena(ARENA_BYTES)));
    }

    static VarviteSide open(Path file) throws IOException {
        return new VarviteSide(Graph.open(file), NativeGraph.open(file, false));
    }

    /** The walk of the articles, without what it includes. */
    private static Walk walk(Order order) {
        return Walk.inOrder(order)
                .unique(Uniqueness.NONE)
                .hop(Hop.out("HAS_B").from("A"))
                .hop(Hop.out("HAS_A").from("B"));
    }

    private static Walk declared(Order order) {
        return walk(order).evaluator(Evaluator.includeLabels("B")).evaluator(Evaluator.includeNumber("value", 1, 1));
    }

    /** The evaluator of the caller, which counts the values that it reads. */
    private static final class ByFunction implements Guide {
        private final Label b;
        private final IntProperty value;
        long valueReads;

        ByFunction(Label b, IntProperty value) {
            this.b = b;
            this.value = value;
        }

        @Override
        public Evaluation evaluate(Visit visit) {
            return Evaluation.of(visit.has(b) && isTrue(visit.node()), true);
        }

        private boolean isTrue(int node) {
            valueReads++;
            return value.is(node, false);
        }
    }

    @Override
    public String version() {
        var properties = new Properties();
        try (InputStream ofMaven = Graph.class.getResourceAsStream("/META-INF/maven/varvite/varvite/pom.properties")) {
            properties.load(ofMaven);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
    }

    @Override
    public List<String> walks() {
        return List.of(
                "depth_first",
                "breadth_first",
                "depth_first_function",
                "depth_first_without_engine",
                "breadth_first_without_engine");
    }

    @Override
    public long walk(String name) {
        last = name;
        function.valueReads = 0;
        NativeWalk walk = ofEngine.get(name);
        return walk != null ? walk.from(root).count() : ofJava.get(name).from(root).count();
    }

    @Override
    public Counts counts() {
        NativeWalk walk = ofEngine.get(last);
        varvite.walk.Counts counts = walk != null ? walk.counts() : ofJava.get(last).counts();
        // Those of the function are its own.
        return new Counts(counts.expansions(), counts.labelReads(), counts.valueReads() + function.valueReads);
    }

    @Override
    public void close() {
        ofEngine.values().forEach(NativeWalk::close);
        engine.close();
        graph.close();
    }
}
