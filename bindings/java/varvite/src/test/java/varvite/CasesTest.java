package varvite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import varvite.error.VarviteException;
import varvite.testing.Case;
import varvite.testing.Case.Question;
import varvite.testing.JsonText;

/**
 * Runs the named questions of the cases in {@code conformance/cases} on graphs that Java reads without the
 * engine.
 */
class CasesTest {
    private static final String WAY = "java";

    @TestFactory
    List<DynamicTest> casesAreAnswered() {
        List<DynamicTest> tests = new ArrayList<>();
        int leftOut = 0;
        for (Case asked : Case.all(Golden.FOLDER)) {
            for (Question question : asked.questions()) {
                if (asked.isSkipped(Golden.FOLDER, WAY, question)) {
                    leftOut++;
                } else {
                    tests.add(dynamicTest(asked.name() + ":" + question.line(), () -> check(asked, question)));
                }
            }
        }
        System.out.println("conformance in Java: " + tests.size() + " questions asked, " + leftOut + " left out");
        return tests;
    }

    private static void check(Case asked, Question question) throws IOException {
        if (question.error() == 0) {
            assertEquals(String.join("\n", question.rows()), answer(asked, question.words()));
            return;
        }
        VarviteException error = assertThrows(VarviteException.class, () -> answer(asked, question.words()));
        assertEquals(question.error(), error.number(), error.getMessage());
        if (asked.name().startsWith("damaged/")) {
            assertTrue(error.getMessage().startsWith(asked.file().toString()), error.getMessage());
        }
        for (String words : question.says()) {
            assertTrue(error.getMessage().contains(words), error.getMessage() + " lacks " + words);
        }
    }

    private static String answer(Case asked, String question) throws IOException {
        try (Graph graph = Graph.open(asked.file(), asked.isBuffered() ? OpenMode.BUFFERED : OpenMode.MAPPED)) {
            return answer(graph, question.split(" "));
        }
    }

    private static String answer(Graph graph, String[] words) {
        IntStream nodes = IntStream.range(0, graph.nodeCount());
        return switch (words[0]) {
            case "open" -> Integer.toString(graph.nodeCount());
            case "recovered" -> Boolean.toString(graph.isRecovered());
            case "labels" -> JsonText.list(nodes.mapToObj(node -> labels(graph.labelSets().of(node))));
            case "nodes" -> ids(graph.nodes(words[1]).stream());
            case "out" -> JsonText.list(nodes.mapToObj(node -> ids(graph.out(words[1]).neighbors(node))));
            case "in" -> JsonText.list(nodes.mapToObj(node -> ids(graph.in(words[1]).neighbors(node))));
            case "values" -> values(graph.property(words[1]), graph.nodeCount());
            case "edge-values" -> values(graph.edgeProperty(words[1], words[2]), (int) graph.out(words[1]).edgeCount());
            default -> throw new IllegalArgumentException(words[0] + " is no question");
        };
    }

    private static String labels(List<Label> labels) {
        return JsonText.list(labels.stream().map(Label::name).sorted().map(JsonText::of));
    }

    private static String ids(IntStream nodes) {
        return JsonText.list(nodes.mapToObj(Integer::toString));
    }

    private static String values(Property property, int owners) {
        return JsonText.list(IntStream.range(0, owners)
                .mapToObj(owner -> JsonText.list(
                        IntStream.range(0, property.count(owner)).mapToObj(index -> value(property, owner, index)))));
    }

    private static String value(Property property, int owner, int index) {
        return switch (property) {
            case IntProperty ints when ints.info().type() == ValueType.BOOL -> Boolean.toString(ints.at(owner, index) != 0);
            case IntProperty ints -> Integer.toString(ints.at(owner, index));
            case LongProperty longs when longs.info().type() == ValueType.U64 -> Long.toUnsignedString(longs.at(owner, index));
            case LongProperty longs -> Long.toString(longs.at(owner, index));
            case DoubleProperty doubles -> Double.toString(doubles.at(owner, index));
            case TextProperty texts -> JsonText.of(texts.at(owner, index));
            case RefProperty refs -> refs.at(owner, index) == RefProperty.NULL ? "null" : Integer.toString(refs.at(owner, index));
            case BytesProperty bytes -> JsonText.of(HexFormat.of().formatHex(bytes.at(owner, index)));
        };
    }
}
