package varvite.bench.protocol;

import java.util.Arrays;
import java.util.Collection;
import java.util.stream.Collectors;

/** One JSON object on one line, built field by field. */
public final class JsonLine {
    private final StringBuilder text = new StringBuilder("{");

    JsonLine with(String key, String value) {
        return raw(key, value == null ? "null" : quote(value));
    }

    JsonLine with(String key, Long value) {
        return raw(key, String.valueOf(value));
    }

    JsonLine with(String key, int value) {
        return raw(key, String.valueOf(value));
    }

    JsonLine with(String key, Collection<String> values) {
        return raw(key, values.stream().map(JsonLine::quote).collect(Collectors.joining(", ", "[", "]")));
    }

    JsonLine with(String key, long[] values) {
        return raw(key, Arrays.toString(values));
    }

    private JsonLine raw(String key, String json) {
        if (text.length() > 1) {
            text.append(", ");
        }
        text.append(quote(key)).append(": ").append(json);
        return this;
    }

    @Override
    public String toString() {
        return text + "}";
    }

    /** A string as JSON, with quotes around it. */
    public static String quote(String value) {
        var quoted = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char unit = value.charAt(i);
            switch (unit) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> quoted.append(unit < ' ' ? String.format("\\u%04x", (int) unit) : unit);
            }
        }
        return quoted.append('"').toString();
    }
}
