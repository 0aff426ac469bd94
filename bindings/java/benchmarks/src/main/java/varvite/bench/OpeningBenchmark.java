package varvite.bench;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import varvite.Graph;

/**
 * Measures the cost of opening a graph in a running virtual machine: the time to the first answer, and the
 * bytes that stay on the heap.
 */
@BenchmarkMode(Mode.SingleShotTime)
public class OpeningBenchmark {
    /** Varvite, which maps the file and reads its directory. */
    @Benchmark
    public int open(Opening opening) throws Exception {
        try (Graph graph = measure(opening, OpeningBenchmark::opened)) {
            return graph.nodes("METHOD").size();
        }
    }

    private static Graph opened() throws Exception {
        Graph graph = Graph.open(Path.of(System.getProperty("varvite.bench.graph")));
        if (graph.nodes("METHOD").size() == 0) {
            throw new IllegalStateException("the graph has no METHOD");
        }
        return graph;
    }

    /**
     * Measures {@code open}, which opens a graph, gets an answer from it, and returns the graph. A full
     * garbage collection runs before and after.
     */
    public static <T> T measure(Opening opening, Callable<T> open) throws Exception {
        long before = heapUsedAfterCollection();
        long start = System.nanoTime();
        T graph = open.call();
        opening.nanoseconds = System.nanoTime() - start;
        opening.heapBytes = Math.max(0, heapUsedAfterCollection() - before);
        return graph;
    }

    private static long heapUsedAfterCollection() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
