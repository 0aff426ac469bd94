package varvite.bench.walks;

import com.sun.management.ThreadMXBean;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Answers the commands of the benchmark, one JSON line for each, until {@code quit} or the end of the input:
 * {@code about}, {@code warm WALK SECONDS}, {@code run WALK ROUNDS} and {@code stop WALK SAMPLES}. A round is
 * one walk. An answer to {@code run} has the nanoseconds of each round, and the bytes that the walking thread
 * allocated in it.
 */
public final class Session {
    private final Side side;
    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private Session(Side side) {
        this.side = side;
    }

    /** Opens a side. The engine may print text while it is opened. */
    public interface Opening {
        Side open() throws IOException;
    }

    public static void serve(Opening opening) throws IOException {
        // Standard output has only answers, so text that the engine prints goes to standard error.
        var answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        try (Side side = opening.open()) {
            var session = new Session(side);
            var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                answers.println(session.answer(line.strip().split(" +")));
                if (line.strip().equals("quit")) {
                    return;
                }
            }
        }
    }

    // Catches not only exceptions but also errors, so that the harness receives an answer if the heap is too
    // small.
    private String answer(String[] words) {
        try {
            return switch (words[0]) {
                case "about" -> about();
                case "warm" -> warm(words[1], Double.parseDouble(words[2]));
                case "run" -> run(words[1], Integer.parseInt(words[2]));
                case "stop" -> stop(words[1], Integer.parseInt(words[2]));
                case "quit" -> "{}";
                default -> error("unknown command: " + words[0]);
            };
        } catch (Throwable failure) {
            return error(String.join(" ", words) + " failed: " + failure);
        }
    }

    private String about() {
        List<String> walks = side.walks();
        String names = walks.stream().map(Session::quote).collect(Collectors.joining(", ", "[", "]"));
        return "{\"version\": " + quote(side.version()) + ", \"java\": " + quote(System.getProperty("java.version"))
                + ", \"walks\": " + names + "}";
    }

    private String warm(String walk, double seconds) {
        long start = System.nanoTime();
        int rounds = 0;
        while (rounds < 2 || System.nanoTime() - start < seconds * 1e9) {
            side.walk(walk);
            rounds++;
        }
        return "{\"rounds\": " + rounds + "}";
    }

    private String run(String walk, int rounds) {
        long[] samples = new long[rounds];
        long[] allocated = new long[rounds];
        long thread = Thread.currentThread().threadId();
        long results = -1;
        for (int round = 0; round < rounds; round++) {
            long before = threads.getThreadAllocatedBytes(thread);
            long start = System.nanoTime();
            long found = side.walk(walk);
            samples[round] = System.nanoTime() - start;
            allocated[round] = threads.getThreadAllocatedBytes(thread) - before;
            if (results >= 0 && found != results) {
                return error("two rounds of " + walk + " disagree: " + results + " and " + found);
            }
            results = found;
        }
        Side.Counts counts = side.counts();
        return "{\"samples\": " + Arrays.toString(samples) + ", \"allocated\": " + Arrays.toString(allocated)
                + ", \"results\": " + results + ", \"expansions\": " + counts.expansions()
                + ", \"label_tests\": " + counts.labelTests() + ", \"property_reads\": " + counts.propertyReads() + "}";
    }

    private String stop(String walk, int samples) throws Exception {
        if (!(side instanceof Stoppable stoppable)) {
            return error("walks of this side are not stopped");
        }
        Stops stops = Stops.measure(stoppable, walk, samples);
        return "{\"cancelled\": " + Arrays.toString(stops.cancelled()) + ", \"out_of_time\": " + Arrays.toString(stops.outOfTime()) + "}";
    }

    private static String error(String what) {
        return "{\"error\": " + quote(what) + "}";
    }

    private static String quote(String text) {
        var quoted = new StringBuilder("\"");
        for (char unit : text.toCharArray()) {
            switch (unit) {
                case '"', '\\' -> quoted.append('\\').append(unit);
                default -> quoted.append(unit < ' ' ? String.format("\\u%04x", (int) unit) : unit);
            }
        }
        return quoted.append('"').toString();
    }
}
