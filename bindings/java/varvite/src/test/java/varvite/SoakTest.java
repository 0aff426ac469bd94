package varvite;

import static org.junit.jupiter.api.Assertions.assertTrue;

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
import varvite.error.GraphClosedException;
import varvite.testing.ProcessState;
import varvite.testing.Starts;

/**
 * Opens and closes graphs while other threads read them constantly. Each read must return its answer or throw
 * the expected exception, and the process must not retain maps, descriptors or memory. Runs a few hundred
 * cycles; {@code make soak-java} runs ten thousand.
 */
class SoakTest {
    private static final int THREADS = 4;
    private static final int CYCLES = Integer.getInteger("varvite.cycles", 200);
    /** A busy machine may close many graphs before a reader is in the middle of one. */
    private static final int MOST_CYCLES = 100 * CYCLES;
    /** The number of cycles in which code is compiled and caches are filled. */
    private static final int WARM_UP = 100 + CYCLES / 10;

    @Test
    void readersOnOtherThreadsEndWithTheException(@TempDir Path folder) throws Exception {
        Path path = Files.copy(Golden.file("blocks.direct.varvite"), folder.resolve("closed-under-readers.varvite"));
        run(path, WARM_UP);
        ProcessState before = ProcessState.of(path);
        long ended = run(path, CYCLES);
        assertTrue(ended > 0, "no reader met a closed graph");
        ProcessState after = ProcessState.awaitNothingLeft(path, before);
        System.out.println("soak: " + CYCLES + " cycles, " + ended + " reads ended by a close; " + before + " became " + after);
    }

    /**
     * Opens and closes the file {@code cycles} times. Returns the number of reads that were ended by a close.
     */
    private static long run(Path path, int cycles) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            AtomicReference<Graph> current = new AtomicReference<>(Graph.open(path));
            Starts starts = new Starts();
            LongAdder ended = new LongAdder();
            List<Future<?>> readers = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                readers.add(threads.submit(reader(current, starts, ended)));
            }
            for (int cycle = 0; cycle < cycles || (ended.sum() == 0 && cycle < MOST_CYCLES); cycle++) {
                Graph next = Graph.open(path);
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
    private static Callable<Void> reader(AtomicReference<Graph> current, Starts starts, LongAdder ended) {
        return () -> {
            for (Graph graph = current.get(); graph != null; graph = current.get()) {
                starts.add();
                try {
                    EveryHop.sum(graph);
                } catch (GraphClosedException e) {
                    ended.increment();
                }
            }
            return null;
        };
    }
}
