package varvite.pipeline;

import java.util.Arrays;
import java.util.stream.Stream;
import varvite.json.JsonText;

/** A JSON object that is being written. Fields come in the order of the calls. */
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

    /** A list of texts; no field for no texts, which stands for all. */
    Json textsIfAny(String field, String[] values) {
        return values.length == 0 ? this : texts(field, values);
    }

    Json texts(String field, String[] values) {
        return raw(field, list(Arrays.stream(values).map(Json::quoted)));
    }

    Json numbers(String field, int[] values) {
        return raw(field, list(Arrays.stream(values).mapToObj(Integer::toString)));
    }

    /** A key; no field for the row itself. */
    Json key(String field, Key key) {
        return key.isItself() ? this : raw(field, key.toJson());
    }

    Json keys(String field, Key[] keys) {
        return raw(field, list(Arrays.stream(keys).map(Key::toJson)));
    }

    Json summaries(String field, Summary[] summaries) {
        return raw(field, list(Arrays.stream(summaries).map(Summary::toJson)));
    }

    /** A field whose value is JSON already. */
    Json raw(String field, String json) {
        text.append(text.length() == 1 ? "" : ",").append(quoted(field)).append(':').append(json);
        return this;
    }

    @Override
    public String toString() {
        return text + "}";
    }

    /** A list of items that are JSON already. */
    static String list(Stream<String> items) {
        return JsonText.list(items);
    }

    /** A text in quotation marks. */
    static String quoted(String value) {
        return JsonText.quoted(value);
    }
}
