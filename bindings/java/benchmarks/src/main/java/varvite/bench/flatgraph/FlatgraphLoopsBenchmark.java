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
 * The same loops in flatgraph's memory, as the peer of {@code bench/peers/flatgraph} defines them. In its
 * package, because that peer shows nothing to others. The graph is the system property
 * {@code varvite.bench.cpg}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class FlatgraphLoopsBenchmark {
    private Workload.Round belowMethods;
    private Workload.Round reachability;
    private Workload.Round identifierUp;
    private Workload.Round calleeNames;

    /** Loads the graph, outside the clock. */
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

    /** Nodes below each METHOD, by an explicit stack. */
    @Benchmark
    public long astBelowMethods() {
        return run(belowMethods);
    }

    /** Nodes that each METHOD reaches along CFG. */
    @Benchmark
    public long cfgReachability() {
        return run(reachability);
    }

    /** Steps from each IDENTIFIER up to its METHOD. */
    @Benchmark
    public long identifierUp() {
        return run(identifierUp);
    }

    /** Letters of the names of the callees of every CALL. */
    @Benchmark
    public long calleeNames() {
        return run(calleeNames);
    }

    private static long run(Workload.Round round) {
        round.reset();
        return round.run().values()[0];
    }
}
