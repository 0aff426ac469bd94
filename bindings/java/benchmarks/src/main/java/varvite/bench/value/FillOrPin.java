package varvite.bench.value;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import varvite.Graph;
import varvite.ffi.NativeGraph;
import varvite.ffi.NativeProperty;
import varvite.ffi.ValueCursor;

/**
 * Reads a value of a decoded block, copied to a native buffer or pinned in place. The choice of
 * {@link NativeProperty#THRESHOLD_BYTES} is based on this measurement.
 * {@code bindings/c/benches/fill_or_pin.c} measures the same without Java.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FillOrPin {
    private static final int STRIDE = 40_503;

    /** How to read a value. */
    public enum Way {
        /** Always copy it. */
        COPIED(Long.MAX_VALUE),
        /** Always pin it. */
        LENT(0);

        private final long threshold;

        Way(long threshold) {
            this.threshold = threshold;
        }
    }

    /** The size of a value in bytes. */
    @Param({"16", "64", "256", "1024", "4096", "16384", "65536"})
    public int size;

    /** How to read each value. */
    @Param
    public Way way;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer = arena.allocate(1 << 17);
    private NativeGraph graph;
    private NativeProperty values;
    private ValueCursor value;
    private int nodes;
    private int node;

    /** Opens the file whose values have this size. */
    @Setup
    public void open() throws java.io.IOException {
        Path path = Path.of(System.getProperty("varvite.bench.folder"), "coded-" + size + ".varvite");
        try (Graph counted = Graph.open(path)) {
            nodes = counted.nodeCount();
        }
        graph = NativeGraph.open(path, false);
        values = graph.property("VALUE");
        value = values.cursor();
    }

    /** Closes the graph. */
    @TearDown
    public void close() {
        value.close();
        values.close();
        graph.close();
        arena.close();
    }

    private void go() {
        node = (node + STRIDE) % nodes;
        value.fillOrPin(node, buffer, way.threshold);
    }

    /** Reads the first 8 bytes of a value. */
    @Benchmark
    public long first8() {
        go();
        return value.getLong(0);
    }

    /** Reads all bytes of a value. */
    @Benchmark
    public long all() {
        go();
        long sum = 0;
        for (long i = 0; i + Long.BYTES <= size; i += Long.BYTES) {
            sum += value.getLong(i);
        }
        return sum;
    }
}
