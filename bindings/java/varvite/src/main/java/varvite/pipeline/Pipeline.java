package varvite.pipeline;

import java.util.Arrays;
import java.util.Map;

/**
 * A query as a sequence of steps. Immutable: each method returns a new pipeline. A pipeline can be reused,
 * shared between threads and run on any graph that has the names in it.
 *
 * <pre>{@code
 * Pipeline callers =
 *         Pipeline.nodes("METHOD").has("NAME", Predicate.regex("mem(cpy|set)")).in("CALL").dedup();
 * try (NativeRun run = graph.run(callers)) { .. }
 * }</pre>
 *
 * <p>Steps have the names and meanings of {@code docs/plan.md}. A step that takes labels may be called
 * without labels: it then follows edges of all labels, or begins with all nodes. Names are checked when the
 * pipeline is compiled for a graph; the error message has the most similar name.
 */
public final class Pipeline {
    private static final int VERSION = 1;

    /** Steps as JSON objects, with commas between them. */
    private final String steps;

    private Pipeline(String steps) {
        this.steps = steps;
    }

    // <steps> from the table in crates/varvite-query/src/pipeline/description/step.rs

    // Starts

    /** The nodes with any of the labels, or all nodes, in ascending order of ids. */
    public static Pipeline nodes(String... labels) {
        return it().then(Json.step("nodes").textsIfAny("labels", labels));
    }

    /**
     * The nodes with these ids, in this order.
     *
     * @throws IllegalArgumentException if an id is negative
     */
    public static Pipeline ids(int... ids) {
        return it().then(Json.step("ids").numbers("ids", checkedIds(ids)));
    }

    /** The edges with any of the labels, or all edges. */
    public static Pipeline edges(String... labels) {
        return it().then(Json.step("edges").textsIfAny("labels", labels));
    }

    // Keeping rows

    /** Keeps nodes or edges that have the property. */
    public Pipeline has(String property) {
        return then(Json.step("has").text("property", property));
    }

    /** Keeps nodes or edges that have at least one value of the property that passes the predicate. */
    public Pipeline has(String property, Predicate is) {
        return then(Json.step("has").text("property", property).raw("is", is.toJson()));
    }

    /** Keeps nodes or edges that lack the property. */
    public Pipeline hasNot(String property) {
        return then(Json.step("has_not").text("property", property));
    }

    /** Keeps nodes or edges without a value of the property that passes the predicate. */
    public Pipeline hasNot(String property, Predicate is) {
        return then(Json.step("has_not").text("property", property).raw("is", is.toJson()));
    }

    /** Keeps nodes or edges with any of the labels. */
    public Pipeline hasLabel(String... labels) {
        return then(Json.step("has_label").texts("labels", labels));
    }

    /**
     * Keeps nodes with one of the ids.
     *
     * @throws IllegalArgumentException if an id is negative
     */
    public Pipeline hasId(int... ids) {
        return then(Json.step("has_id").numbers("ids", checkedIds(ids)));
    }

    /** Keeps values that pass the predicate. */
    public Pipeline is(Predicate is) {
        return then(Json.step("is").raw("is", is.toJson()));
    }

    /** Keeps rows for which {@code pipeline} gives a result; {@code pipeline} stops at its first result. */
    public Pipeline where(Pipeline pipeline) {
        return then(Json.step("where").raw("pipeline", pipeline.steps()));
    }

    /** Keeps rows for which {@code pipeline} gives no result. */
    public Pipeline whereNot(Pipeline pipeline) {
        return then(Json.step("where_not").raw("pipeline", pipeline.steps()));
    }

    /** Keeps rows for which every branch gives a result. */
    public Pipeline and(Pipeline... branches) {
        return then(Json.step("and").raw("branches", branches(branches)));
    }

    /** Keeps rows for which at least one branch gives a result. */
    public Pipeline or(Pipeline... branches) {
        return then(Json.step("or").raw("branches", branches(branches)));
    }

    /** Keeps rows whose path contains no node and no edge twice. */
    public Pipeline simplePath() {
        return then(Json.step("simple_path"));
    }

    /** Keeps rows whose key is true. */
    public Pipeline filter(Key by) {
        return then(Json.step("filter").raw("by", by.toJson()));
    }

    /** Names the row with which an inner pipeline begins. */
    public Pipeline as(String name) {
        return then(Json.step("as").text("name", name));
    }

    // Moving

    /** Replaces each row by the row of this name. */
    public Pipeline select(String name) {
        return then(Json.step("select").text("name", name));
    }

    /** Goes from each node to the targets of its out-edges, once for each edge. */
    public Pipeline out(String... labels) {
        return then(Json.step("out").textsIfAny("labels", labels));
    }

    /** Goes from each node to the sources of its in-edges, once for each edge. */
    public Pipeline in(String... labels) {
        return then(Json.step("in").textsIfAny("labels", labels));
    }

    /** Goes from each node to the nodes that {@code out} gives, then to those that {@code in} gives. */
    public Pipeline both(String... labels) {
        return then(Json.step("both").textsIfAny("labels", labels));
    }

    /** Goes from each node to its out-edges: the edges that start at it. */
    public Pipeline outEdges(String... labels) {
        return then(Json.step("out_edges").textsIfAny("labels", labels));
    }

    /** Goes from each node to its in-edges: the edges that lead to it. */
    public Pipeline inEdges(String... labels) {
        return then(Json.step("in_edges").textsIfAny("labels", labels));
    }

    /** Goes from each node to its out-edges, then to its in-edges. */
    public Pipeline bothEdges(String... labels) {
        return then(Json.step("both_edges").textsIfAny("labels", labels));
    }

    /** Goes from each edge to its source: the node where it starts. */
    public Pipeline source() {
        return then(Json.step("source"));
    }

    /** Goes from each edge to its target: the node to which it leads. */
    public Pipeline target() {
        return then(Json.step("target"));
    }

    /** Goes from each node to all nodes below it in the tree, in the order of a depth-first walk. */
    public Pipeline descendants() {
        return then(Json.step("descendants"));
    }

    /** Gives each node itself, and then all nodes below it in the tree. */
    public Pipeline subtree() {
        return then(Json.step("descendants").flag("with_self", true));
    }

    /** Goes from each node to all nodes above it in the tree, the nearest first. */
    public Pipeline ancestors() {
        return then(Json.step("ancestors"));
    }

    /** Goes from each node to the first node above it that has any of the labels. */
    public Pipeline nearestAncestor(String... labels) {
        return then(Json.step("nearest_ancestor").textsIfAny("labels", labels));
    }

    /** Goes from each node to the nearest ancestor that has any of the labels and passes {@code condition}. */
    public Pipeline nearestAncestorWhere(Pipeline condition, String... labels) {
        return then(Json.step("nearest_ancestor").textsIfAny("labels", labels).raw("where", condition.steps()));
    }

    // Branches and walks

    /** Gives, for each row, the results of all branches, one branch after another. */
    public Pipeline union(Pipeline... branches) {
        return then(Json.step("union").raw("branches", branches(branches)));
    }

    /** Gives, for each row, the results of the first branch that has a result. */
    public Pipeline coalesce(Pipeline... branches) {
        return then(Json.step("coalesce").raw("branches", branches(branches)));
    }

    // All rows

    /** Keeps the first of equal rows. */
    public Pipeline dedup() {
        return then(Json.step("dedup"));
    }

    /** Keeps the first row of each key; all rows without the key count as having the same key. */
    public Pipeline dedup(Key by) {
        return then(Json.step("dedup").key("by", by));
    }

    /** Sorts rows by a key, ascending; equal rows keep their order, and rows without the key come last. */
    public Pipeline order(Key by) {
        return then(Json.step("order").key("by", by));
    }

    /** Sorts rows by a key, descending; equal rows keep their order, and rows without the key come last. */
    public Pipeline orderDescending(Key by) {
        return then(Json.step("order").key("by", by).flag("descending", true));
    }

    /**
     * Keeps the first {@code count} rows; the steps before this one stop once it has enough rows.
     *
     * @throws IllegalArgumentException if a number is negative
     */
    public Pipeline limit(long count) {
        return then(Json.step("limit").number("count", checkNotNegative("limit", count)));
    }

    /**
     * Drops the first {@code count} rows.
     *
     * @throws IllegalArgumentException if a number is negative
     */
    public Pipeline skip(long count) {
        return then(Json.step("skip").number("count", checkNotNegative("skip", count)));
    }

    /**
     * Keeps {@code count} rows drawn at random, in their original order; the same seed draws the same rows.
     *
     * @throws IllegalArgumentException if a number is negative
     */
    public Pipeline sample(long count, long seed) {
        return then(Json.step("sample")
                .number("count", checkNotNegative("sample", count))
                .number("seed", checkNotNegative("seed", seed)));
    }

    // Results

    /** Gives the values of a property: no value for a row without the property, several values for a list. */
    public Pipeline values(String property) {
        return then(Json.step("values").text("property", property));
    }

    /** Gives the value of a key of each row, or the node if the key gives nodes. */
    public Pipeline map(Key by) {
        return then(Json.step("map").raw("by", by.toJson()));
    }

    /** Gives the labels of each node, joined by {@code &}, or the label of each edge. */
    public Pipeline label() {
        return then(Json.step("label"));
    }

    /** Gives the depth of each row in the last {@code repeat} before this step; 0 without a {@code repeat}. */
    public Pipeline depth() {
        return then(Json.step("depth"));
    }

    /** Gives the list of the nodes and edges from the start to each row. */
    public Pipeline path() {
        return then(Json.step("path"));
    }

    /** Passes rows on unchanged, and also gives them to the caller, as a side result with this name. */
    public Pipeline side(String name) {
        return then(Json.step("side").text("name", name));
    }

    /** Turns each row into a row of columns. */
    public Pipeline columns(Key... columns) {
        return then(Json.step("columns").keys("columns", columns));
    }

    /** Counts the rows of each key. */
    public Pipeline groupCount(Key by) {
        return then(Json.step("group_count").key("by", by));
    }

    /** Groups rows by a key, and computes the columns of each group. */
    public Pipeline summarize(Key by, Summary... columns) {
        return then(Json.step("summarize").key("by", by).summaries("columns", columns));
    }

    /** Groups nodes by a key. */
    public Pipeline group(Key by) {
        return then(Json.step("group").key("by", by));
    }

    /** Gives the number of rows. */
    public Pipeline count() {
        return then(Json.step("count"));
    }

    /** Gives the sum of numbers, which is 0 if there are none. */
    public Pipeline sum() {
        return then(Json.step("sum"));
    }

    /** Gives the least number, or no row if there is no number. */
    public Pipeline min() {
        return then(Json.step("min"));
    }

    /** Gives the greatest number, or no row if there is no number. */
    public Pipeline max() {
        return then(Json.step("max"));
    }

    /** Gives the mean of numbers, as a number with a fraction, or no row if there is no number. */
    public Pipeline mean() {
        return then(Json.step("mean"));
    }

    // </steps>

    // Steps that are not in the table

    /**
     * A pipeline without steps, whose only result is the row itself. Pipelines inside other pipelines begin
     * with it.
     */
    public static Pipeline it() {
        return new Pipeline("");
    }

    /**
     * Gives, for each row, the results of the first case whose predicate accepts the first value of
     * {@code on}. Gives no result if no predicate accepts it.
     *
     * @param cases the cases, tried in the map's iteration order: pass a map with a defined order, such as
     * {@link java.util.LinkedHashMap}
     */
    public Pipeline choose(Pipeline on, Map<Predicate, Pipeline> cases) {
        return then(choice(on, cases));
    }

    /**
     * The same as {@link #choose(Pipeline, Map)}, but gives the results of {@code otherwise} for a row that
     * no case accepts.
     */
    public Pipeline choose(Pipeline on, Map<Predicate, Pipeline> cases, Pipeline otherwise) {
        return then(choice(on, cases).raw("otherwise", otherwise.steps()));
    }

    /** Repeats a pipeline. */
    public Pipeline repeat(Repeat repeat) {
        return then(repeat.toJson());
    }

    // As JSON

    /** The pipeline as JSON, in version 1 of the format that all language bindings share. */
    public String toJson() {
        return Json.object().number("version", VERSION).raw("steps", steps()).toString();
    }

    /** The list of steps as JSON, in the form that is used inside another pipeline. */
    String steps() {
        return "[" + steps + "]";
    }

    private Pipeline then(Json step) {
        return new Pipeline(steps.isEmpty() ? step.toString() : steps + "," + step);
    }

    private static Json choice(Pipeline on, Map<Predicate, Pipeline> cases) {
        String list = Json.list(cases.entrySet().stream()
                .map(each -> Json.object().raw("is", each.getKey().toJson()).raw("then", each.getValue().steps()))
                .map(Json::toString));
        return Json.step("choose").raw("on", on.steps()).raw("cases", list);
    }

    private static String branches(Pipeline... branches) {
        return Json.list(Arrays.stream(branches).map(Pipeline::steps));
    }

    private static int[] checkedIds(int... ids) {
        Arrays.stream(ids).forEach(id -> checkNotNegative("id", id));
        return ids;
    }

    static long checkNotNegative(String what, long number) {
        if (number < 0) {
            throw new IllegalArgumentException(what + ": expected 0 or more, found " + number);
        }
        return number;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Pipeline pipeline && steps.equals(pipeline.steps);
    }

    @Override
    public int hashCode() {
        return steps.hashCode();
    }

    /** The pipeline as JSON. */
    @Override
    public String toString() {
        return toJson();
    }
}
