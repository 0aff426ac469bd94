package varvite.soak;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import varvite.Graph;
import varvite.ffi.NativeGraph;
import varvite.ffi.NativeProperty;

/**
 * Opens a graph in Java and in the engine, queries it and closes it, again and again. Usage:
 * {@code Soak GRAPH CYCLES}. The private memory of the process must not grow: after a warm-up, the slope of a
 * line fitted to it must be below 8 bytes per cycle. In short runs, growth of up to {@link #NOISE_BYTES} is
 * accepted, because the virtual machine and the allocator take memory in whole pages.
 */
final class Soak {
    private static final double SLOPE_MAX = 8;
    /** The growth in bytes that is accepted even if the slope is larger. */
    private static final double NOISE_BYTES = 1 << 20;

    private static final int STRIDE = 997;

    private Soak() {}

    public static void main(String[] words) throws IOException {
        Path path = Path.of(words[0]);
        int cycles = Integer.parseInt(words[1]);
        long found = 0;
        for (int cycle = 0; cycle < cycles / 4 + 100; cycle++) {
            found = cycle(path);
        }
        long[] bytes = new long[cycles];
        for (int cycle = 0; cycle < cycles; cycle++) {
            if (cycle(path) != found) {
                throw new AssertionError("two cycles have different answers");
            }
            bytes[cycle] = privateBytes();
        }
        double slope = slope(bytes);
        System.out.printf("soak: Java, %d cycles, %d KiB private at the end, %+.2f bytes a cycle%n", cycles, bytes[cycles - 1] >> 10, slope);
        if (slope >= Math.max(SLOPE_MAX, NOISE_BYTES / cycles)) {
            throw new AssertionError("memory grows");
        }
    }

    private static long cycle(Path path) throws IOException {
        try (Graph graph = Graph.open(path);
                NativeGraph engine = NativeGraph.open(path, false);
                NativeProperty code = engine.property("CODE")) {
            return graph.nodeCount() + Reads.plan(engine) + Reads.values(code, graph.nodeCount(), STRIDE);
        }
    }

    /** The slope of a line that is fitted by least squares. */
    private static double slope(long[] values) {
        double middle = (values.length - 1) / 2.0;
        double above = 0;
        double below = 0;
        for (int place = 0; place < values.length; place++) {
            above += (place - middle) * (values[place] - values[0]);
            below += (place - middle) * (place - middle);
        }
        return above / below;
    }

    private static long privateBytes() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("RssAnon:")) {
                return 1024 * Long.parseLong(line.replaceAll("\\D+", ""));
            }
        }
        throw new IOException("the system does not tell");
    }
}
