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
 * Measures the loops of {@link CodeLoops}. The system property {@code varvite.bench.graph} is the path of the
 * graph. {@code FlatgraphLoopsBenchmark} measures the same loops on the flatgraph file from which the graph
 * was made.
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

    /** Opens the graph and its columns, which is not measured. */
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

    /** Closes the graph. */
    @TearDown
    public void close() {
        graph.close();
    }

    /** Visits the nodes below each METHOD with an explicit stack. */
    @Benchmark
    public long astBelowMethods() {
        return belowMethods.run();
    }

    /** Visits the nodes that each METHOD reaches along CFG. */
    @Benchmark
    public long cfgReachability() {
        return reachability.run();
    }

    /** Steps up from each IDENTIFIER to its METHOD. */
    @Benchmark
    public long identifierUp() {
        return identifierUp.run();
    }

    /** Sums the letters in the names of every CALL's callees. */
    @Benchmark
    public long calleeNames() {
        return calleeNames.run();
    }
}
