package varvite.walk;

import java.util.List;
import java.util.StringJoiner;
import varvite.Direction;
import varvite.json.JsonText;

/**
 * Writes walks as JSON, in the format that {@code docs/guide/walks.md} describes. Omits fields that have
 * default values.
 */
final class WalkJson {
    private static final int VERSION = 1;

    private final StringJoiner fields = new StringJoiner(",", "{", "}");

    static String of(Walk walk) {
        WalkJson json = new WalkJson();
        json.raw("version", Integer.toString(VERSION));
        json.raw("order", JsonText.quoted(walk.order.word()));
        json.raw("unique", walk.uniqueness.toString());
        json.raw("hops", JsonText.list(walk.hops.stream().map(WalkJson::of)));
        json.rawIf(!walk.evaluators.isEmpty(), "evaluators", evaluators(walk.evaluators));
        if (walk.costProperty != null) {
            json.raw("cost", cost(walk));
        }
        json.flag("skip_arriving_edge", walk.skipsArrivingEdge);
        json.flag("keep_direction", walk.keepsDirection);
        json.flag("edge_ranks", walk.hasRanks);
        json.rawIf(walk.resultsMax >= 0, "limit", Long.toString(walk.resultsMax));
        if (walk.timeMax != null) {
            json.raw("time_limit_ns", Long.toString(Plan.nanosOf(walk.timeMax)));
        }
        return json.toString();
    }

    private static String cost(Walk walk) {
        WalkJson json = new WalkJson();
        json.raw("property", JsonText.quoted(walk.costProperty));
        json.rawIf(!Double.isNaN(walk.costDefault), "default", Double.toString(walk.costDefault));
        return json.toString();
    }

    static String of(Hop hop) {
        WalkJson json = new WalkJson();
        json.raw("direction", JsonText.quoted(hop.direction == null ? "both" : word(hop.direction)));
        json.textsIfAny("edge_labels", hop.edgeLabels);
        json.textsIfAny("from", hop.from);
        json.textsIfAny("to", hop.to);
        return json.toString();
    }

    private static String word(Direction direction) {
        return direction == Direction.OUT ? "out" : "in";
    }

    private static String evaluators(List<Evaluator> evaluators) {
        return JsonText.list(evaluators.stream().map(WalkJson::of));
    }

    static String of(Evaluator evaluator) {
        WalkJson json = new WalkJson();
        switch (evaluator.test) {
            case Evaluator.Depths test -> json.test("depths").ifAny("least", test.least(), 0).ifAny("most", test.most(), Evaluator.DEPTH_MAX);
            case Evaluator.Labels test -> json.test("labels").texts("labels", test.labels()).outcomes(test.outcomes());
            case Evaluator.LastEdge test ->
                json.test("last_edge").texts("edge_labels", test.edgeLabels()).outcomes(test.outcomes());
            case Evaluator.Ends test -> json.test("ends_at").nodes(test.nodes()).outcomes(test.outcomes());
            case Evaluator.EndsAtDepth test ->
                json.test("ends_at_depth").raw("depth", Integer.toString(test.depth())).nodes(test.nodes());
            case Evaluator.ContainsAll test -> json.test("contains_all").nodes(test.nodes());
            case Evaluator.Number test ->
                json.test("number")
                        .raw("property", JsonText.quoted(test.property()))
                        .raw("least", Long.toString(test.least()))
                        .raw("most", Long.toString(test.greatest()))
                        .outcomes(test.outcomes());
            case Evaluator.AnyOf test -> json.test("any_of").raw("evaluators", evaluators(test.evaluators()));
        }
        return json.toString();
    }

    private WalkJson test(String name) {
        return raw("test", JsonText.quoted(name));
    }

    private WalkJson ifAny(String field, int value, int leftOut) {
        return rawIf(value != leftOut, field, Integer.toString(value));
    }

    private WalkJson outcomes(Evaluator.Outcomes outcomes) {
        raw("matched", JsonText.quoted(outcomes.matched().word()));
        return raw("other", JsonText.quoted(outcomes.other().word()));
    }

    private WalkJson nodes(List<Integer> nodes) {
        return raw("nodes", JsonText.list(nodes.stream().map(String::valueOf)));
    }

    private WalkJson texts(String field, List<String> texts) {
        return raw(field, JsonText.list(texts.stream().map(JsonText::quoted)));
    }

    private void textsIfAny(String field, List<String> texts) {
        if (!texts.isEmpty()) {
            texts(field, texts);
        }
    }

    private void flag(String field, boolean value) {
        rawIf(value, field, "true");
    }

    private WalkJson rawIf(boolean isThere, String field, String json) {
        return isThere ? raw(field, json) : this;
    }

    /** Adds a field whose value is already JSON. */
    private WalkJson raw(String field, String json) {
        fields.add(JsonText.quoted(field) + ":" + json);
        return this;
    }

    @Override
    public String toString() {
        return fields.toString();
    }
}
