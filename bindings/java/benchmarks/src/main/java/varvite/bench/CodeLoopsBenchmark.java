package varvite.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import varvite.Graph;
import varvite.examples.CodeLoops;

/**
 * The loops of {@link CodeLoops}. The graph is the system property {@code varvite.bench.graph}; {@code
 * FlatgraphLoopsBenchmark} has the same loops on the graph from which it was made.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class CodeLoopsBenchmark {
    private Graph graph;
    private CodeLoops.BelowMethods belowMethods;
    private CodeLoops.Reachability reachability;
    private CodeLoops.IdentifierUp identifierUp;
    private CodeLoops.CalleeNames calleeNames;

    /** Opens the graph and its columns, outside the clock. */
    @Setup
    public void open() throws IOException {
        graph = Graph.open(path());
        belowMethods = new CodeLoops.BelowMethods(graph);
        reachability = new CodeLoops.Reachability(graph);
        identifierUp = new CodeLoops.IdentifierUp(graph);
        calleeNames = new CodeLoops.CalleeNames(graph);
    }

    private static Path path() {
        return Path.of(System.getProperty("varvite.bench.graph"));
    }

    /** Closes it. */
    @TearDown
    public void close() {
        graph.close();
    }

    /** Nodes below each METHOD, by an explicit stack. */
    @Benchmark
    public long astBelowMethods() {
        return belowMethods.run();
    }

    /** Nodes that each METHOD reaches along CFG. */
    @Benchmark
    public long cfgReachability() {
        return reachability.run();
    }

    /** Steps from each IDENTIFIER up to its METHOD. */
    @Benchmark
    public long identifierUp() {
        return identifierUp.run();
    }

    /** Letters of the names of the callees of every CALL. */
    @Benchmark
    public long calleeNames() {
        return calleeNames.run();
    }
}
