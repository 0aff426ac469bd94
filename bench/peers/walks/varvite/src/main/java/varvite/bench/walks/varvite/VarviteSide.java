package varvite.bench.walks.varvite;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import varvite.Graph;
import varvite.IntProperty;
import varvite.Label;
import varvite.bench.walks.Stoppable;
import varvite.error.CancelledException;
import varvite.error.EngineException;
import varvite.error.TimedOutException;
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
 * Runs walks in Varvite for Java. The native engine runs most walks, and returns results in batches. A loop
 * in Java runs the walk that takes a callback, and the walks whose names end in {@code without_engine}.
 */
final class VarviteSide implements Stoppable {
    private static final long ARENA_BYTES = 256 << 20;
    private static final String WITH_FUNCTION = "depth_first_function";
    private static final List<String> OF_ENGINE = List.of("depth_first", "breadth_first");
    private static final List<String> OF_JAVA =
            List.of(WITH_FUNCTION, "depth_first_without_engine", "breadth_first_without_engine");

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
        ofEngine = OF_ENGINE.stream().collect(Collectors.toUnmodifiableMap(name -> name, name -> byEngine(described(name))));
        ofJava = OF_JAVA.stream().collect(Collectors.toUnmodifiableMap(name -> name, name -> byJava(name, described(name))));
    }

    private NativeWalk byEngine(Walk walk) {
        return engine.walk(walk, ARENA_BYTES, 1024);
    }

    private Run byJava(String name, Walk walk) {
        var plan = walk.compile(graph);
        var arena = new Arena(ARENA_BYTES);
        return name.equals(WITH_FUNCTION) ? plan.run(arena, function) : plan.run(arena);
    }

    static VarviteSide open(Path file) throws IOException {
        return new VarviteSide(Graph.open(file), NativeGraph.open(file, false));
    }

    /** The walk of the articles. It has no condition for results if a callback decides about them. */
    private static Walk described(String name) {
        Walk walk = Walk.inOrder(name.startsWith("breadth") ? Order.BREADTH_FIRST : Order.DEPTH_FIRST)
                .unique(Uniqueness.NONE)
                .hop(Hop.out("HAS_B").from("A"))
                .hop(Hop.out("HAS_A").from("B"));
        return name.equals(WITH_FUNCTION)
                ? walk
                : walk.evaluator(Evaluator.includeLabels("B")).evaluator(Evaluator.includeNumber("value", 1, 1));
    }

    /** The callback, which counts the values that it reads. */
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
        return Stream.of(OF_ENGINE, OF_JAVA).flatMap(List::stream).toList();
    }

    @Override
    public long walk(String name) {
        last = name;
        function.valueReads = 0;
        NativeWalk walk = ofEngine.get(name);
        return walk != null ? walk.from(root).count() : ofJava.get(name).from(root).count();
    }

    @Override
    public long walk(String name, Duration limit) {
        if (!OF_ENGINE.contains(name)) {
            return byJava(name, described(name).timeLimit(limit)).from(root).count();
        }
        try (NativeWalk walk = byEngine(described(name).timeLimit(limit))) {
            return walk.from(root).count();
        }
    }

    @Override
    public void cancel(String name, Thread walking) {
        if (OF_ENGINE.contains(name)) {
            ofEngine.get(name).cancel();
        } else {
            walking.interrupt();
        }
    }

    @Override
    public boolean isStop(RuntimeException failure) {
        // If the native engine runs the walk, reaching the time limit is also reported as a cancellation.
        return failure instanceof CancelledException
                || failure instanceof TimedOutException
                || failure instanceof EngineException engineFailure && engineFailure.codeName().equals("VARVITE_E_CANCELLED");
    }

    @Override
    public Counts counts() {
        NativeWalk walk = ofEngine.get(last);
        varvite.walk.Counts counts = walk != null ? walk.counts() : ofJava.get(last).counts();
        // The callback counts its own reads of values.
        return new Counts(counts.expansions(), counts.labelReads(), counts.valueReads() + function.valueReads);
    }

    @Override
    public void close() {
        ofEngine.values().forEach(NativeWalk::close);
        engine.close();
        graph.close();
    }
}
