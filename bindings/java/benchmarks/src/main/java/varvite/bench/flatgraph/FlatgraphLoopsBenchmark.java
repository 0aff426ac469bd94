package varvite.bench.flatgraph;

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
import varvite.bench.protocol.Workload;

/**
 * Measures the loops of {@code CodeLoopsBenchmark} in flatgraph, as {@code bench/peers/flatgraph} defines
 * them. This class is in the same package as that code, whose members are not visible elsewhere. The system
 * property {@code varvite.bench.cpg} is the path of the graph.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class FlatgraphLoopsBenchmark {
    private Workload.Round belowMethods;
    private Workload.Round reachability;
    private Workload.Round identifierUp;
    private Workload.Round calleeNames;

    /** Loads the graph, which is not measured. */
    @Setup
    public void load() throws IOException {
        CodeGraph graph = CodeGraph.load(path());
        belowMethods = Workloads.BY_NAME.get("ast_below_methods").prepare(graph);
        reachability = Workloads.BY_NAME.get("cfg_reachability").prepare(graph);
        identifierUp = Workloads.BY_NAME.get("identifier_up").prepare(graph);
        calleeNames = Workloads.BY_NAME.get("callee_names").prepare(graph);
    }

    private static Path path() {
        return Path.of(System.getProperty("varvite.bench.cpg"));
    }

    /** Visits the nodes below each METHOD with an explicit stack. */
    @Benchmark
    public long astBelowMethods() {
        return run(belowMethods);
    }

    /** Visits the nodes that each METHOD reaches along CFG. */
    @Benchmark
    public long cfgReachability() {
        return run(reachability);
    }

    /** Steps up from each IDENTIFIER to its METHOD. */
    @Benchmark
    public long identifierUp() {
        return run(identifierUp);
    }

    /** Sums the letters in the names of every CALL's callees. */
    @Benchmark
    public long calleeNames() {
        return run(calleeNames);
    }

    private static long run(Workload.Round round) {
        round.reset();
        return round.run().values()[0];
    }
}
