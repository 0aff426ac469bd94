package varvite.bench.protocol;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import varvite.bench.protocol.Workload.Round;

/**
 * Implements the line protocol that README.md specifies: each command gets one JSON line as its answer, in
 * order, until {@code quit} or the end of the input. At most one graph is open. The measured time is that of
 * the work alone; it does not include set-up, the protocol, or garbage collection before the work.
 *
 * @param <G> a graph in the engine's memory
 */
public final class Session<G> {
    private static final String OPEN_FIRST_ANSWER = "open_first_answer";

    private final Engine<G> engine;
    private final PrintStream answers;
    private final Set<String> warmed = new HashSet<>();

    private Path path;
    private G graph;
    private long firstOpenNs;
    private String preparedName;
    private Round prepared;

    private Session(Engine<G> engine, PrintStream answers) {
        this.engine = engine;
        this.answers = answers;
    }

    /** Answers the commands of this process until its input ends. */
    public static <G> void serve(Engine<G> engine) throws IOException {
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        // Standard output has only answers, so text that the engine prints goes to standard error.
        var answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
        System.setOut(System.err);
        new Session<>(engine, answers).serve(System.in);
    }

    private void serve(InputStream commands) throws IOException {
        var lines = new BufferedReader(new InputStreamReader(commands, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            answers.println(answer(line.strip()));
            if (line.strip().equals("quit")) {
                return;
            }
        }
    }

    // Engines throw errors for damaged files (NotImplementedError, AssertionError) and for too large ones
    // (OutOfMemoryError). The caller must receive all of these as answers, and can then send further
    // commands.
    private JsonLine answer(String line) {
        try {
            return dispatch(line.split(" +", 2));
        } catch (Throwable failure) {
            return new JsonLine().with("error", describe(line, failure));
        }
    }

    private static String describe(String line, Throwable failure) {
        return failure instanceof CommandException wrong ? wrong.getMessage() : "`" + line + "` failed: " + failure;
    }

    private JsonLine dispatch(String[] words) throws IOException, CommandException {
        String rest = words.length > 1 ? words[1] : "";
        return switch (words[0]) {
            case "open" -> open(pathIn(rest, "open"));
            case "run" -> run(rest.split(" +"));
            case "memory" -> memory(new JsonLine().with("command", "memory"), true);
            case "save" -> save(pathIn(rest, "save"));
            case "workloads" -> new JsonLine().with("workloads", engine.workloads().keySet());
            case "quit" -> new JsonLine().with("command", "quit");
            default -> throw new CommandException(
                    "unknown command `" + words[0] + "`: expected open, run, memory, save, workloads or quit");
        };
    }

    private static Path pathIn(String text, String command) throws CommandException {
        if (text.isEmpty()) {
            throw new CommandException("`" + command + "` needs a path: " + command + " PATH");
        }
        return Path.of(text).toAbsolutePath();
    }

    // Commands

    private JsonLine open(Path source) throws IOException {
        path = source;
        warmed.clear();
        var opened = load();
        firstOpenNs = opened.ns;
        return memory(workloadLine(OPEN_FIRST_ANSWER, new long[] {opened.methods}, new long[] {opened.ns}, 1)
                .with("peer", engine.name())
                .with("peer_version", engine.version())
                .with("java_version", System.getProperty("java.version"))
                .with("collector", collector())
                .with("heap_max_bytes", Runtime.getRuntime().maxMemory())
                .with("file_bytes", Files.size(source)), true);
    }

    private JsonLine run(String[] words) throws IOException, CommandException {
        boolean collect = !(words.length == 3 && words[2].equals("without-gc"));
        if (words.length < 2 || (words.length > 2 && collect)) {
            throw new CommandException("`run` needs a workload and a number: run WORKLOAD ITERATIONS [without-gc]");
        }
        requireGraph();
        int iterations = iterationsIn(words[1]);
        return memory(words[0].equals(OPEN_FIRST_ANSWER) ? reopen(iterations) : measure(words[0], iterations), collect);
    }

    private static int iterationsIn(String text) throws CommandException {
        if (!text.matches("[1-9][0-9]{0,6}")) {
            throw new CommandException("`run` needs a number of iterations from 1 to 9999999, not `" + text + "`");
        }
        return Integer.parseInt(text);
    }

    private JsonLine measure(String name, int iterations) throws CommandException {
        int warmupRounds = 0;
        Round round = prepare(name);
        if (warmed.add(name)) {
            warmupRounds = Measurement.warmUp(round);
        }
        var measurement = Measurement.of(round, iterations);
        return workloadLine(name, measurement.answer.values(), measurement.samples, measurement.answer.operations())
                .with("warmup_rounds", warmupRounds);
    }

    /**
     * Prepares a workload, or reuses the last one if it has this name, so that set-up is not repeated in each
     * turn if processes take turns.
     */
    private Round prepare(String name) throws CommandException {
        Workload<G> workload = engine.workloads().get(name);
        if (workload == null) {
            throw new CommandException("unknown workload `" + name + "`: expected " + OPEN_FIRST_ANSWER + ", "
                    + String.join(", ", engine.workloads().keySet()));
        }
        if (!name.equals(preparedName)) {
            forgetPrepared();
            prepared = workload.prepare(graph);
            preparedName = name;
        }
        return prepared;
    }

    private JsonLine reopen(int iterations) throws IOException {
        long[] samples = new long[iterations];
        long methods = 0;
        for (int i = 0; i < iterations; i++) {
            var opened = load();
            samples[i] = opened.ns;
            methods = opened.methods;
        }
        return workloadLine(OPEN_FIRST_ANSWER, new long[] {methods}, samples, 1).with("first_ns", firstOpenNs);
    }

    private JsonLine save(Path target) throws IOException, CommandException {
        requireGraph();
        if (Files.exists(target) && Files.isSameFile(target, path)) {
            throw new CommandException("`save` would overwrite the open graph " + path + ": choose another path");
        }
        long start = System.nanoTime();
        engine.save(graph, target);
        long ns = System.nanoTime() - start;
        long bytes = Files.size(target);
        return memory(workloadLine("save", new long[] {bytes}, new long[] {ns}, 1), true);
    }

    private void requireGraph() throws CommandException {
        if (graph == null) {
            throw new CommandException("no graph is open: send `open PATH` first");
        }
    }

    private void forgetPrepared() {
        prepared = null;
        preparedName = null;
    }

    /** The time from the start of loading to the first answer, and this answer. */
    private record Opened(long ns, long methods) {}

    /**
     * Loads the file again. The previous graph is dropped and garbage-collected first, because the heap may
     * not hold two.
     */
    private Opened load() throws IOException {
        forgetPrepared();
        graph = null;
        System.gc();
        long start = System.nanoTime();
        G loaded = engine.load(path);
        long methods = engine.countMethods(loaded);
        long ns = System.nanoTime() - start;
        graph = loaded;
        return new Opened(ns, methods);
    }

    // Lines

    private static JsonLine workloadLine(String name, long[] answer, long[] samples, long operations) {
        var line = new JsonLine().with("workload", name);
        (answer.length == 1 ? line.with("answer", answer[0]) : line.with("answer", answer)).with("unit", "ns");
        return line.with("samples", samples).with("operations", operations);
    }

    /**
     * Adds the resident bytes before any garbage collection. Then, if {@code collect} is set, collects and
     * adds the live heap.
     */
    private static JsonLine memory(JsonLine line, boolean collect) throws IOException {
        Memory before = Memory.now();
        Long heapUsed = collect ? Memory.heapUsedAfterCollection() : null;
        Long rssCollected = collect ? Memory.now().rss() : null;
        return line.with("rss_bytes", before.rss())
                .with("rss_anon_bytes", before.rssAnon())
                .with("rss_file_bytes", before.rssFile())
                .with("rss_peak_bytes", before.rssPeak())
                .with("heap_used_bytes", heapUsed)
                .with("rss_after_gc_bytes", rssCollected);
    }

    private static String collector() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .collect(Collectors.joining(", "));
    }

    /** A mistake of the caller. The answer has the message without the name of this class. */
    private static final class CommandException extends Exception {
        private static final long serialVersionUID = 1;

        CommandException(String message) {
            super(message);
        }
    }
}
