package varvite.json;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Writes texts and lists as JSON. Used by all classes that write descriptions of walks and pipelines. */
public final class JsonText {
    private JsonText() {}

    /** A JSON list of items that are already JSON. */
    public static String list(Stream<String> items) {
        return items.collect(Collectors.joining(",", "[", "]"));
    }

    /**
     * A text as a JSON string. An unpaired surrogate is written as an escape, which the engine refuses.
     * Without the escape, Java would silently replace the surrogate by a question mark.
     */
    public static String quoted(String value) {
        StringBuilder quoted = new StringBuilder(value.length() + 2).append('"');
        for (int index = 0; index < value.length(); index++) {
            char unit = value.charAt(index);
            boolean isPair = Character.isHighSurrogate(unit)
                    && index + 1 < value.length()
                    && Character.isLowSurrogate(value.charAt(index + 1));
            if (isPair) {
                quoted.append(unit).append(value.charAt(++index));
            } else if (unit == '"' || unit == '\\') {
                quoted.append('\\').append(unit);
            } else if (unit < ' ' || Character.isSurrogate(unit)) {
                quoted.append(String.format("\\u%04x", (int) unit));
            } else {
                quoted.append(unit);
            }
        }
        return quoted.append('"').toString();
    }
}
