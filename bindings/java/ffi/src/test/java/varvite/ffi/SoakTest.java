package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import varvite.Graph;
import varvite.NeighborCursor;
import varvite.Profile;
import varvite.error.GraphClosedException;
import varvite.soak.Reads;
import varvite.testing.ProcessState;
import varvite.testing.Starts;

/**
 * Closes graphs of the engine, with their properties and runs, while other threads constantly read decoded
 * columns, pin values and run pipelines. {@code make soak-java} runs ten thousand cycles.
 */
class SoakTest {
    private static final int THREADS = 4;
    private static final int CYCLES = Integer.getInteger("varvite.cycles", 100);
    /** A busy machine may close many graphs before a reader is in the middle of one. */
    private static final int MOST_CYCLES = 100 * CYCLES;
    private static final int WARM_UP = 50 + CYCLES / 10;
    private static final int STRIDE = 97;

    /** One file, open in Java and in the engine. */
    private record Opened(Graph graph, NativeGraph engine, NativeProperty code) implements AutoCloseable {
        static Opened of(Path path) throws IOException {
            NativeGraph engine = NativeGraph.open(path, false);
            return new Opened(Graph.open(path), engine, engine.property("CODE"));
        }

        @Override
        public void close() {
            code.close();
            engine.close();
            graph.close();
        }
    }

    @Test
    void readersOfTheEngineEndWithTheException(@TempDir Path folder) throws Exception {
        Path path = Files.copy(Graphs.of(Profile.ARCHIVE), folder.resolve("closed-under-engine-readers.varvite"));
        run(path, WARM_UP);
        ProcessState before = ProcessState.of(path);
        long ended = run(path, CYCLES);
        assertTrue(ended > 0, "no reader met a closed graph");
        assertEquals(0, Call.liveHandles());
        ProcessState after = ProcessState.awaitNothingLeft(path, before);
        System.out.println("soak: " + CYCLES + " cycles, " + ended + " reads ended by a close; " + before + " became " + after);
    }

    private static long run(Path path, int cycles) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            AtomicReference<Opened> current = new AtomicReference<>(Opened.of(path));
            Starts starts = new Starts();
            LongAdder ended = new LongAdder();
            List<Future<?>> readers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                readers.add(threads.submit(reader(current, starts, ended, i)));
            }
            for (int cycle = 0; cycle < cycles || (ended.sum() == 0 && cycle < MOST_CYCLES); cycle++) {
                Opened next = Opened.of(path);
                starts.awaitNext();
                current.getAndSet(next).close();
            }
            current.getAndSet(null).close();
            for (Future<?> reader : readers) {
                reader.get();
            }
            return ended.sum();
        }
    }

    /**
     * Reads the current graph repeatedly until there is none. Rethrows any exception except the expected one.
     */
    private static Callable<Void> reader(AtomicReference<Opened> current, Starts starts, LongAdder ended, int kind) {
        return () -> {
            for (Opened opened = current.get(); opened != null; opened = current.get()) {
                starts.add();
                try {
                    switch (kind) {
                        case 0 -> readColumns(opened.graph);
                        case 1 -> Reads.plan(opened.engine);
                        default -> Reads.values(opened.code, Graphs.NODES, STRIDE);
                    }
                } catch (GraphClosedException e) {
                    ended.increment();
                }
            }
            return null;
        };
    }

    private static long readColumns(Graph graph) {
        NeighborCursor flow = graph.out("CFG").cursor();
        long sum = 0;
        for (int node = 0; node < graph.nodeCount(); node += STRIDE) {
            for (flow.of(node); flow.next(); ) {
                sum += flow.node();
            }
        }
        return sum;
    }
}
