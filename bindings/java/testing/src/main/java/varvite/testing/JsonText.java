package varvite.testing;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/** JSON as the conformance cases write it: without blanks, so that texts can be compared. */
public final class JsonText {
    private JsonText() {}

    /** A text in quotes, or null. */
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

    /** A list of items that are JSON already. */
    public static String list(Stream<String> items) {
        return items.collect(Collectors.joining(",", "[", "]"));
    }
}
