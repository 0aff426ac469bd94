package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import varvite.Adjacency;
import varvite.EdgeLabel;
import varvite.Graph;
import varvite.IntProperty;
import varvite.Label;
import varvite.Profile;
import varvite.Property;
import varvite.PropertyInfo;
import varvite.TextProperty;
import varvite.TextTable;
import varvite.error.VarviteException;
import varvite.pipeline.Key;
import varvite.pipeline.Pipeline;
import varvite.pipeline.Predicate;

/**
 * Tests that a run reports damage at its end. For each question about a damaged file, the engine must report
 * the same error number as Java's own cursors; {@code ConformanceTest} compares the numbers of the cursors
 * with the catalogue.
 */
class DamageTest {
    /** A question that is answered by Java's cursors and by a pipeline in the engine. */
    private record Question(String name, Consumer<Graph> ofGraph, Pipeline ofEngine) {}

    @TestFactory
    Stream<DynamicTest> aRunOverADamagedFileEndsWithTheNumberOfItsDamage() throws IOException {
        List<Path> files;
        try (Stream<Path> paths = Files.list(Graphs.golden("damaged"))) {
            files = paths.sorted().toList();
        }
        assertTrue(files.size() > 30);
        return files.stream().flatMap(file -> questions(file).map(question -> dynamicTest(
                file.getFileName() + ": " + question.name,
                () -> assertEquals(numberOfGraph(file, question.ofGraph), numberOfRun(file, false, question.ofEngine)))));
    }

    /**
     * To count rows, the engine reads the texts of a condition. The count does not show whether a row was
     * left out because of damage or because its text does not match.
     */
    @Test
    void aRunThatMetABlockWithAnotherChecksumEndsWithDamage(@TempDir Path folder) throws IOException {
        Path path = withABadByteInNames(folder.resolve("bad.varvite"));
        List<Pipeline> questions = List.of(
                Pipeline.nodes().has("NAME", Predicate.regex(".*inflate.*")).count(),
                Pipeline.nodes().has("NAME", Predicate.suffix("zz")).limit(1),
                Pipeline.nodes().values("NAME"));
        for (Pipeline question : questions) {
            assertEquals(-23, numberOfRun(path, true, question), question.toJson());
        }
    }

    /**
     * A copy of the graph of zlib with one changed letter in the longest name.
     */
    private static Path withABadByteInNames(Path path) throws IOException {
        byte[] bytes = Files.readAllBytes(Graphs.of(Profile.DIRECT));
        byte[] name = longestName();
        int changed = 0;
        for (int at = 3 * 4096; at < bytes.length - name.length; at++) {
            if (Arrays.equals(bytes, at, at + name.length, name, 0, name.length)) {
                bytes[at] ^= 1;
                changed++;
            }
        }
        assertTrue(changed > 0);
        return Files.write(path, bytes);
    }

    private static byte[] longestName() {
        try (Graph graph = Graphs.open(Profile.DIRECT)) {
            TextTable texts = graph.texts("NAME").texts();
            return IntStream.range(0, texts.count())
                    .mapToObj(texts::get)
                    .max(Comparator.comparingInt(String::length))
                    .orElseThrow()
                    .getBytes(StandardCharsets.UTF_8);
        }
    }

    /** The questions about a file; if the file cannot be opened, the only question is to open it. */
    private static Stream<Question> questions(Path file) {
        try (Graph graph = Graph.open(file)) {
            return Stream.of(
                            Stream.of(new Question("labels", DamageTest::readLabels, Pipeline.nodes().columns(Key.LABEL))),
                            graph.labels().stream().map(DamageTest::ofLabel),
                            graph.edgeLabels().stream().flatMap(DamageTest::ofEdges),
                            graph.properties().stream().map(DamageTest::ofProperty))
                    .flatMap(questions -> questions)
                    .toList()
                    .stream();
        } catch (VarviteException | IOException e) {
            return Stream.of(new Question("open", graph -> {}, Pipeline.nodes()));
        }
    }

    private static void readLabels(Graph graph) {
        ids(graph).forEach(graph.labelSets()::of);
    }

    private static Question ofLabel(Label label) {
        return new Question("nodes " + label.name(), graph -> graph.nodes(label.name()).forEach(node -> {}), Pipeline.nodes(label.name()));
    }

    private static Stream<Question> ofEdges(EdgeLabel label) {
        String name = label.name();
        return Stream.of(
                new Question("out " + name, graph -> readLists(graph, graph.out(name)), Pipeline.nodes().out(name)),
                new Question("in " + name, graph -> readLists(graph, graph.in(name)), Pipeline.nodes().in(name)));
    }

    private static void readLists(Graph graph, Adjacency adjacency) {
        ids(graph).forEach(node -> adjacency.forEach(node, neighbor -> {}));
    }

    private static Question ofProperty(PropertyInfo info) {
        return new Question("property " + info.name(), graph -> readValues(graph, graph.property(info.name())), Pipeline.nodes().values(info.name()));
    }

    private static void readValues(Graph graph, Property property) {
        ids(graph).filter(property::isPresent).forEach(node -> {
            switch (property) {
                case TextProperty texts -> texts.get(node);
                case IntProperty ints -> ints.get(node, 0);
                default -> throw new AssertionError(property);
            }
        });
    }

    private static IntStream ids(Graph graph) {
        return IntStream.range(0, graph.nodeCount());
    }

    private static int numberOfGraph(Path file, Consumer<Graph> question) throws IOException {
        try (Graph graph = Graph.open(file)) {
            question.accept(graph);
            return 0;
        } catch (VarviteException e) {
            return e.number();
        }
    }

    private static int numberOfRun(Path file, boolean buffered, Pipeline question) {
        try (NativeGraph graph = NativeGraph.open(file, buffered);
                NativeRun run = graph.run(question)) {
            while (run.next()) {
                for (int row = 0; row < run.rows(); row++) {
                    run.text(0, row);
                }
            }
            return 0;
        } catch (VarviteException e) {
            return e.number();
        }
    }
}
