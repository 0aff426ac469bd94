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
 * A value of a decoded block, copied to a native buffer or lent with a pin: the measurement behind
 * {@link NativeProperty#THRESHOLD_BYTES}. {@code bindings/c/benches/fill_or_pin.c} does the same without
 * Java.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FillOrPin {
    private static final int STRIDE = 40_503;

    /** The way of reading a value. */
    public enum Way {
        /** Always copied. */
        COPIED(Long.MAX_VALUE),
        /** Always lent. */
        LENT(0);

        private final long threshold;

        Way(long threshold) {
            this.threshold = threshold;
        }
    }

    /** Bytes of a value. */
    @Param({"16", "64", "256", "1024", "4096", "16384", "65536"})
    public int size;

    /** The way of reading each value. */
    @Param
    public Way way;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment buffer = arena.allocate(1 << 17);
    private NativeGraph graph;
    private NativeProperty values;
    private ValueCursor value;
    private int nodes;
    private int node;

    /** Opens the file of this size. */
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

    /** Closes it. */
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

    /** The first 8 bytes are read. */
    @Benchmark
    public long first8() {
        go();
        return value.getLong(0);
    }

    /** All bytes are read. */
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
