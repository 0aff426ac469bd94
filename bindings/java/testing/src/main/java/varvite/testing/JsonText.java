package varvite.testing;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes JSON as the conformance cases do: without blanks, so that answers can be compared as texts. */
public final class JsonText {
    private JsonText() {}

    /** A text as a JSON string, or {@code null}. */
    public static String of(String text) {
        if (text == null) {
            return "null";
        }
        StringBuilder out = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            switch (c) {
                case '"', '\\' -> out.append('\\').append(c);
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                default -> out.append(c);
            }
        }
        return out.append('"').toString();
    }

    /** A JSON list of items that are already JSON. */
    public static String list(Stream<String> items) {
        return items.collect(Collectors.joining(",", "[", "]"));
    }
}
