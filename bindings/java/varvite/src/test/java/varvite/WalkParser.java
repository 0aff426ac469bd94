package varvite;

import java.util.Locale;
import varvite.walk.Evaluation;
import varvite.walk.Evaluator;
import varvite.walk.Hop;
import varvite.walk.Order;
import varvite.walk.Uniqueness;
import varvite.walk.Walk;
import varvite.walk.Within;

/** Builds walks from their JSON form, by the same calls that a program would make. */
final class WalkParser {
    private WalkParser() {}

    static Walk walk(Json json) {
        Walk walk = Walk.inOrder(Order.valueOf(json.get("order").text().toUpperCase(Locale.ROOT))).unique(uniqueness(json.get("unique")));
        for (Json hop : json.get("hops").list()) {
            walk = walk.hop(hop(hop));
        }
        if (json.has("evaluators")) {
            for (Json evaluator : json.get("evaluators").list()) {
                walk = walk.evaluator(evaluator(evaluator));
            }
        }
        if (json.has("cost")) {
            Json cost = json.get("cost");
            String property = cost.get("property").text();
            walk = cost.has("default")
                    ? walk.costOr(property, Double.parseDouble(cost.get("default").value().toString()))
                    : walk.cost(property);
        }
        walk = json.has("skip_arriving_edge") ? walk.skipArrivingEdge() : walk;
        walk = json.has("keep_direction") ? walk.keepDirection() : walk;
        walk = json.has("edge_ranks") ? walk.withEdgeRanks() : walk;
        walk = json.has("limit") ? walk.limit(json.get("limit").number()) : walk;
        return json.has("time_limit_ns") ? walk.timeLimit(java.time.Duration.ofNanos(json.get("time_limit_ns").number())) : walk;
    }

    private static Uniqueness uniqueness(Json json) {
        if (json.value() instanceof String) {
            return Uniqueness.NONE;
        }
        boolean isOfNodes = json.has("nodes");
        Within within = within(json.get(isOfNodes ? "nodes" : "edges"));
        return isOfNodes ? Uniqueness.nodes(within) : Uniqueness.edges(within);
    }

    private static Within within(Json json) {
        if (!(json.value() instanceof String word)) {
            return Within.recent(json.get("recent").number());
        }
        return switch (word) {
            case "walk" -> Within.WALK;
            case "path" -> Within.PATH;
            default -> Within.DEPTH;
        };
    }

    private static Hop hop(Json json) {
        String[] labels = texts(json, "edge_labels");
        Hop hop = switch (json.get("direction").text()) {
            case "out" -> Hop.out(labels);
            case "in" -> Hop.in(labels);
            default -> Hop.both(labels);
        };
        return hop.from(texts(json, "from")).to(texts(json, "to"));
    }

    private static String[] texts(Json json, String field) {
        return json.has(field) ? json.get(field).list().stream().map(Json::text).toArray(String[]::new) : new String[0];
    }

    private static Evaluator evaluator(Json json) {
        return switch (json.get("test").text()) {
            case "depths" -> Evaluator.depths(number(json, "least", 0), number(json, "most", Integer.MAX_VALUE));
            case "labels" -> Evaluator.labels(java.util.List.of(texts(json, "labels")), evaluation(json, "matched"), evaluation(json, "other"));
            case "last_edge" ->
                Evaluator.lastEdge(java.util.List.of(texts(json, "edge_labels")), evaluation(json, "matched"), evaluation(json, "other"));
            case "ends_at" -> Evaluator.endsAt(json.get("nodes").ints(), evaluation(json, "matched"), evaluation(json, "other"));
            case "ends_at_depth" -> Evaluator.endsAtDepth(json.get("depth").number(), json.get("nodes").ints());
            case "contains_all" -> Evaluator.containsAll(json.get("nodes").ints());
            case "number" ->
                Evaluator.number(
                        json.get("property").text(),
                        Long.parseLong(json.get("least").value().toString()),
                        Long.parseLong(json.get("most").value().toString()),
                        evaluation(json, "matched"),
                        evaluation(json, "other"));
            default ->
                Evaluator.anyOf(json.get("evaluators").list().stream().map(WalkParser::evaluator).toArray(Evaluator[]::new));
        };
    }

    private static int number(Json json, String field, int absent) {
        return json.has(field) ? json.get(field).number() : absent;
    }

    private static Evaluation evaluation(Json json, String field) {
        return Evaluation.valueOf(json.get(field).text().toUpperCase(Locale.ROOT));
    }
}
