package varvite.hostile;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import varvite.Adjacency;
import varvite.BytesCursor;
import varvite.BytesProperty;
import varvite.Direction;
import varvite.DoubleProperty;
import varvite.EdgeLabel;
import varvite.Graph;
import varvite.IntProperty;
import varvite.Label;
import varvite.LongProperty;
import varvite.NeighborCursor;
import varvite.NodeSet;
import varvite.Property;
import varvite.PropertyInfo;
import varvite.RefProperty;
import varvite.TextProperty;
import varvite.error.VarviteException;
import varvite.ffi.NativeGraph;
import varvite.ffi.NativeRun;
import varvite.ffi.RunOptions;

/**
 * Opens graphs, reads some values of every column with cursors, runs plans, and prints the results. Usage:
 * {@code Ask FOLDER GRAPHS PLAN...}, where GRAPHS is a file with the name of a graph in each line.
 *
 * <p>Prints a line for each graph: its name, the milliseconds that the work took, and the same error numbers
 * as {@code bindings/c/tests/hostile/ask.c}. The last line is the maximum memory of the process.
 */
final class Ask {
    private static final int TABLES = 40;
    private static final int ROWS = 1000;
    private static final int IO = -10;
    private static final RunOptions OPTIONS = RunOptions.DEFAULT.withMemoryBytes(64 << 20).withThreads(2);

    private Ask() {}

    public static void main(String[] words) throws IOException {
        Path folder = Path.of(words[0]);
        List<Path> plans = List.of(words).subList(2, words.length).stream().map(Path::of).toList();
        for (String name : Files.readAllLines(Path.of(words[1]))) {
            long began = System.nanoTime();
            String answer = ask(folder.resolve(name), plans);
            System.out.println(name + " " + (System.nanoTime() - began) / 1_000_000 + " " + answer);
        }
        try (var lines = Files.lines(Path.of("/proc/self/status"))) {
            lines.filter(line -> line.startsWith("VmHWM")).forEach(System.out::println);
        }
    }

    private static String ask(Path file, List<Path> plans) throws IOException {
        StringBuilder answer = new StringBuilder();
        try (Graph graph = Graph.open(file)) {
            answer.append("0,").append(number(() -> read(graph)));
        } catch (IOException | VarviteException error) {
            return Integer.toString(number(error));
        }
        for (Path plan : plans) {
            String text = Files.readString(plan);
            answer.append(',').append(number(() -> run(file, text)));
        }
        return answer.toString();
    }

    /** A question about a graph. */
    private interface Question {
        void ask() throws IOException;
    }

    private static int number(Question question) {
        try {
            question.ask();
            return 0;
        } catch (IOException | VarviteException error) {
            return number(error);
        }
    }

    private static int number(Exception error) {
        return error instanceof VarviteException known ? known.number() : IO;
    }

    private static void run(Path file, String plan) {
        try (NativeGraph graph = NativeGraph.open(file, false);
                NativeRun run = graph.run(plan, OPTIONS)) {
            while (run.next()) {
                run.rows();
            }
        }
    }

    private static void read(Graph graph) {
        for (Label label : first(graph.labels())) {
            NodeSet nodes = graph.nodes(label);
            for (int node = nodes.next(0), row = 0; node >= 0 && row < ROWS; node = nodes.next(node + 1), row++) {
                graph.labelSets().code(node);
            }
        }
        for (EdgeLabel label : first(graph.edgeLabels())) {
            readLists(graph, graph.adjacency(label, Direction.OUT));
            readLists(graph, graph.adjacency(label, Direction.IN));
        }
        for (PropertyInfo info : first(graph.properties())) {
            readValues(graph.property(info));
        }
    }

    private static <T> List<T> first(List<T> all) {
        return all.subList(0, Math.min(all.size(), TABLES));
    }

    private static void readLists(Graph graph, Adjacency adjacency) {
        NeighborCursor cursor = adjacency.cursor();
        for (int node = 0; node < Math.min(Integer.toUnsignedLong(graph.nodeCount()), ROWS); node++) {
            cursor.of(node);
            for (int row = 0; row < ROWS && cursor.next(); row++) {
                cursor.node();
            }
        }
    }

    private static void readValues(Property property) {
        NodeSet owners = property.owners();
        BytesCursor bytes = property instanceof TextProperty texts ? texts.cursor() : null;
        for (int owner = owners.next(0), row = 0; owner >= 0 && row < ROWS; owner = owners.next(owner + 1), row++) {
            for (int index = 0; index < Math.min(property.count(owner), ROWS); index++) {
                readValue(property, bytes, owner, index);
            }
        }
    }

    private static void readValue(Property property, BytesCursor cursor, int owner, int index) {
        switch (property) {
            case IntProperty ints -> ints.at(owner, index);
            case LongProperty longs -> longs.at(owner, index);
            case DoubleProperty doubles -> doubles.at(owner, index);
            case TextProperty texts -> cursor.ofCode(texts.codeAt(owner, index));
            case RefProperty refs -> refs.at(owner, index);
            case BytesProperty bytes -> bytes.at(owner, index);
        }
    }
}
