package varvite.pipeline;

import java.util.Arrays;
import java.util.stream.Stream;
import varvite.json.JsonText;

/** A builder of a JSON object, whose fields are in the order of the calls. */
final class Json {
    private final StringBuilder text = new StringBuilder("{");

    private Json() {}

    static Json step(String name) {
        return new Json().text("step", name);
    }

    static Json object() {
        return new Json();
    }

    Json text(String field, String value) {
        return raw(field, quoted(value));
    }

    Json number(String field, long value) {
        return raw(field, Long.toString(value));
    }

    Json flag(String field, boolean value) {
        return value ? raw(field, "true") : this;
    }

    /** Adds a field with a list of texts. An empty list stands for all values and adds no field. */
    Json textsIfAny(String field, String[] values) {
        return values.length == 0 ? this : texts(field, values);
    }

    Json texts(String field, String[] values) {
        return raw(field, list(Arrays.stream(values).map(Json::quoted)));
    }

    Json numbers(String field, int[] values) {
        return raw(field, list(Arrays.stream(values).mapToObj(Integer::toString)));
    }

    /** Adds a field with a key. {@link Key#ITSELF} adds no field. */
    Json key(String field, Key key) {
        return key.isItself() ? this : raw(field, key.toJson());
    }

    Json keys(String field, Key[] keys) {
        return raw(field, list(Arrays.stream(keys).map(Key::toJson)));
    }

    Json summaries(String field, Summary[] summaries) {
        return raw(field, list(Arrays.stream(summaries).map(Summary::toJson)));
    }

    /** Adds a field whose value is already JSON. */
    Json raw(String field, String json) {
        text.append(text.length() == 1 ? "" : ",").append(quoted(field)).append(':').append(json);
        return this;
    }

    @Override
    public String toString() {
        return text + "}";
    }

    /** A JSON list of items that are already JSON. */
    static String list(Stream<String> items) {
        return JsonText.list(items);
    }

    /** A text as a JSON string, with quotes and escapes. */
    static String quoted(String value) {
        return JsonText.quoted(value);
    }
}
