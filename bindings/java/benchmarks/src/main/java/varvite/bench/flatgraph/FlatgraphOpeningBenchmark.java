package varvite.bench.flatgraph;

import java.nio.file.Path;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import varvite.bench.Opening;
import varvite.bench.OpeningBenchmark;

/** Measures the cost of opening a graph in flatgraph, which loads the whole graph. */
@BenchmarkMode(Mode.SingleShotTime)
public class FlatgraphOpeningBenchmark {
    /** flatgraph, which makes objects and arrays of the whole graph. */
    @Benchmark
    public int open(Opening opening) throws Exception {
        return OpeningBenchmark.measure(opening, FlatgraphOpeningBenchmark::loaded).nodes("METHOD").length;
    }

    private static CodeGraph loaded() throws Exception {
        CodeGraph graph = CodeGraph.load(Path.of(System.getProperty("varvite.bench.cpg")));
        if (graph.nodes("METHOD").length == 0) {
            throw new IllegalStateException("the graph has no METHOD");
        }
        return graph;
    }
}
