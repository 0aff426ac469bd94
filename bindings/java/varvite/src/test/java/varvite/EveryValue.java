package varvite;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;

/** Reads the whole content of a graph, and converts values to texts in the form of the conformance cases. */
final class EveryValue {
    private EveryValue() {}

    /** Reads every column of a graph, up to the first exception. */
    static void read(Graph graph) {
        ask(graph, "labels");
        graph.labels().forEach(label -> ask(graph, "nodes " + label.name()));
        graph.edgeLabels().forEach(label -> ask(graph, "out " + label.name()));
        graph.edgeLabels().forEach(label -> ask(graph, "in " + label.name()));
        for (PropertyInfo info : graph.properties()) {
            Property property = graph.property(info);
            property.owners().forEach(owner -> of(property, owner));
        }
    }

    private static void ask(Graph graph, String question) {
        String[] words = question.split(" ");
        IntStream nodes = IntStream.range(0, graph.nodeCount());
        switch (words[0]) {
            case "labels" -> nodes.forEach(graph.labelSets()::of);
            case "nodes" -> graph.nodes(words[1]).forEach(node -> {});
            case "out" -> nodes.forEach(node -> graph.out(words[1]).forEach(node, neighbor -> {}));
            case "in" -> nodes.forEach(node -> graph.in(words[1]).forEach(node, neighbor -> {}));
            default -> throw new IllegalArgumentException(question);
        }
    }

    /** The values of an owner, as texts. */
    static List<String> of(Property property, int owner) {
        List<String> values = new ArrayList<>();
        for (int index = 0; index < property.count(owner); index++) {
            values.add(value(property, owner, index));
        }
        return values;
    }

    private static String value(Property property, int owner, int index) {
        return switch (property) {
            case IntProperty ints -> number(ints.info().type(), ints.at(owner, index));
            case LongProperty longs -> number(longs.info().type(), longs.at(owner, index));
            case DoubleProperty doubles -> bits(doubles, owner, index);
            case TextProperty texts -> String.valueOf(texts.at(owner, index));
            case RefProperty refs -> refs.at(owner, index) == RefProperty.NULL ? "null" : "" + refs.at(owner, index);
            case BytesProperty bytes -> {
                byte[] value = bytes.at(owner, index);
                yield value == null ? "null" : HexFormat.of().formatHex(value);
            }
        };
    }

    private static String number(ValueType type, long value) {
        return switch (type) {
            case BOOL -> Boolean.toString(value != 0);
            case U64 -> Long.toUnsignedString(value);
            default -> Long.toString(value);
        };
    }

    private static String bits(DoubleProperty property, int owner, int index) {
        double value = property.at(owner, index);
        // When a NaN is widened, the processor turns it into a quiet NaN, so take the bits of the stored NaN.
        long bits = property.number(property.position(owner, index), owner);
        if (property.info().type() == ValueType.F32) {
            return HexFormat.of().toHexDigits(Double.isNaN(value) ? (int) bits : Float.floatToRawIntBits((float) value));
        }
        return HexFormat.of().toHexDigits(Double.doubleToRawLongBits(value));
    }
}
