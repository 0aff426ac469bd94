package varvite.pipeline;

import java.util.Arrays;
import java.util.Map;

/**
 * What is sought in a graph, step by step. Immutable: each step gives a new pipeline, and one may be kept,
 * shared between threads and run on any graph that has its names.
 *
 * <pre>{@code
 * Pipeline callers = Pipeline.nodes("METHOD").has("NAME",
 * Predicate.regex("mem(cpy|set)")).in("CALL").dedup(); try (NativeRun run = graph.run(callers)) { .. }
 * }</pre>
 *
 * <p>Steps have the names and meanings of {@code docs/plan.md}. Labels may be left out where a step takes
 * some: then it follows all edge labels, or begins with all nodes. Names are checked when the pipeline is
 * compiled for a graph, with the nearest name in the message.
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

    /** The nodes with any of the labels, or all nodes; ids rise. */
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

    /** Keeps nodes or edges that have a value of the property that is as asked for; of a list one is enough. */
    public Pipeline has(String property, Predicate is) {
        return then(Json.step("has").text("property", property).raw("is", is.toJson()));
    }

    /** Keeps nodes or edges that lack the property. */
    public Pipeline hasNot(String property) {
        return then(Json.step("has_not").text("property", property));
    }

    /** Keeps nodes or edges that have no value of the property that is like this; absent ones stay. */
    public Pipeline hasNot(String property, Predicate is) {
        return then(Json.step("has_not").text("property", property).raw("is", is.toJson()));
    }

    /** Keeps nodes, or edges, with any of the labels. */
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

    /** Keeps values that are as asked for. */
    public Pipeline is(Predicate is) {
        return then(Json.step("is").raw("is", is.toJson()));
    }

    /** Keeps rows for which {@code pipeline} gives anything; it is not run further than to that. */
    public Pipeline where(Pipeline pipeline) {
        return then(Json.step("where").raw("pipeline", pipeline.steps()));
    }

    /** Keeps rows for which {@code pipeline} gives nothing. */
    public Pipeline whereNot(Pipeline pipeline) {
        return then(Json.step("where_not").raw("pipeline", pipeline.steps()));
    }

    /** Keeps rows for which every branch gives anything. */
    public Pipeline and(Pipeline... branches) {
        return then(Json.step("and").raw("branches", branches(branches)));
    }

    /** Keeps rows for which one of the branches gives anything. */
    public Pipeline or(Pipeline... branches) {
        return then(Json.step("or").raw("branches", branches(branches)));
    }

    /** Keeps rows whose path has no node and no edge twice. */
    public Pipeline simplePath() {
        return then(Json.step("simple_path"));
    }

    // Moving

    /** To the targets of edges; a target of several comes several times. */
    public Pipeline out(String... labels) {
        return then(Json.step("out").textsIfAny("labels", labels));
    }

    /** To the sources of edges that lead here. */
    public Pipeline in(String... labels) {
        return then(Json.step("in").textsIfAny("labels", labels));
    }

    /** {@code out}, then {@code in}, of each row. */
    public Pipeline both(String... labels) {
        return then(Json.step("both").textsIfAny("labels", labels));
    }

    /** To the edges that start here. */
    public Pipeline outEdges(String... labels) {
        return then(Json.step("out_edges").textsIfAny("labels", labels));
    }

    /** To the edges that lead here. */
    public Pipeline inEdges(String... labels) {
        return then(Json.step("in_edges").textsIfAny("labels", labels));
    }

    /** The edges that start here, then those that lead here, of each row. */
    public Pipeline bothEdges(String... labels) {
        return then(Json.step("both_edges").textsIfAny("labels", labels));
    }

    /** From edges to where they start. */
    public Pipeline source() {
        return then(Json.step("source"));
    }

    /** From edges to where they lead. */
    public Pipeline target() {
        return then(Json.step("target"));
    }

    /** To everything below in the tree, in the order of a depth-first walk. */
    public Pipeline descendants() {
        return then(Json.step("descendants"));
    }

    /** To the node itself and everything below it in the tree. */
    public Pipeline subtree() {
        return then(Json.step("descendants").flag("with_self", true));
    }

    /** To everything above in the tree, the nearest first. */
    public Pipeline ancestors() {
        return then(Json.step("ancestors"));
    }

    /** To the first node above that has any of the labels. */
    public Pipeline nearestAncestor(String... labels) {
        return then(Json.step("nearest_ancestor").textsIfAny("labels", labels));
    }

    /** To the first node above that has any of the labels and for which {@code condition} gives anything. */
    public Pipeline nearestAncestorWhere(Pipeline condition, String... labels) {
        return then(Json.step("nearest_ancestor").textsIfAny("labels", labels).raw("where", condition.steps()));
    }

    // Branches and walks

    /** The results of every branch, one branch after another, for each row. */
    public Pipeline union(Pipeline... branches) {
        return then(Json.step("union").raw("branches", branches(branches)));
    }

    /** The results of the first branch that gives any, for each row. */
    public Pipeline coalesce(Pipeline... branches) {
        return then(Json.step("coalesce").raw("branches", branches(branches)));
    }

    // All rows

    /** Each row once. */
    public Pipeline dedup() {
        return then(Json.step("dedup"));
    }

    /** The first row of each key; rows without it count as one. */
    public Pipeline dedup(Key by) {
        return then(Json.step("dedup").key("by", by));
    }

    /** Sorts, rising; equal rows keep their order, those without the key come last. */
    public Pipeline order(Key by) {
        return then(Json.step("order").key("by", by));
    }

    /** Sorts, falling; equal rows keep their order, those without the key come last. */
    public Pipeline orderDescending(Key by) {
        return then(Json.step("order").key("by", by).flag("descending", true));
    }

    /**
     * The first {@code count} rows; steps before it stop working when it has them.
     *
     * @throws IllegalArgumentException if a number is negative
     */
    public Pipeline limit(long count) {
        return then(Json.step("limit").number("count", checkNotNegative("limit", count)));
    }

    /**
     * All but the first {@code count} rows.
     *
     * @throws IllegalArgumentException if a number is negative
     */
    public Pipeline skip(long count) {
        return then(Json.step("skip").number("count", checkNotNegative("skip", count)));
    }

    /**
     * {@code count} rows drawn at random, each as likely, in their order; the same seed draws the same.
     *
     * @throws IllegalArgumentException if a number is negative
     */
    public Pipeline sample(long count, long seed) {
        return then(Json.step("sample")
                .number("count", checkNotNegative("sample", count))
                .number("seed", checkNotNegative("seed", seed)));
    }

    // Results

    /** The values of a property: nothing for a row without, several for a list. */
    public Pipeline values(String property) {
        return then(Json.step("values").text("property", property));
    }

    /** The labels of each node, joined by {@code &}, or the label of each edge. */
    public Pipeline label() {
        return then(Json.step("label"));
    }

    /** The depth that each row has from the last {@code repeat} before it; 0 without. */
    public Pipeline depth() {
        return then(Json.step("depth"));
    }

    /** The list of what was visited from the start to each row. */
    public Pipeline path() {
        return then(Json.step("path"));
    }

    /** Lets rows through as they are, and gives them to the caller under a name as well. */
    public Pipeline side(String name) {
        return then(Json.step("side").text("name", name));
    }

    /** A row of columns for each row. */
    public Pipeline columns(Key... columns) {
        return then(Json.step("columns").keys("columns", columns));
    }

    /** For each key, how many rows have it. */
    public Pipeline groupCount(Key by) {
        return then(Json.step("group_count").key("by", by));
    }

    /** For each key, what the columns say of the rows that have it. */
    public Pipeline summarize(Key by, Summary... columns) {
        return then(Json.step("summarize").key("by", by).summaries("columns", columns));
    }

    /** For each key, the nodes that have it. */
    public Pipeline group(Key by) {
        return then(Json.step("group").key("by", by));
    }

    /** How many rows there are. */
    public Pipeline count() {
        return then(Json.step("count"));
    }

    /** The sum of numbers, 0 for none. */
    public Pipeline sum() {
        return then(Json.step("sum"));
    }

    /** The least of numbers; no row if there is none. */
    public Pipeline min() {
        return then(Json.step("min"));
    }

    /** The greatest of numbers; no row if there is none. */
    public Pipeline max() {
        return then(Json.step("max"));
    }

    /** The mean of numbers, with a fraction; no row if there is none. */
    public Pipeline mean() {
        return then(Json.step("mean"));
    }

    // </steps>

    // Beside the table

    /** The row itself: how pipelines inside of others begin. */
    public static Pipeline it() {
        return new Pipeline("");
    }

    /**
     * What the first case says whose predicate the first value of {@code on} passes; nothing where none does.
     *
     * @param cases in the order in which they are tried, as that of a {@link java.util.LinkedHashMap}
     */
    public Pipeline choose(Pipeline on, Map<Predicate, Pipeline> cases) {
        return then(choice(on, cases));
    }

    /** The same, with what is done with a row that no case takes. */
    public Pipeline choose(Pipeline on, Map<Predicate, Pipeline> cases, Pipeline otherwise) {
        return then(choice(on, cases).raw("otherwise", otherwise.steps()));
    }

    /** A pipeline again and again. */
    public Pipeline repeat(Repeat repeat) {
        return then(repeat.toJson());
    }

    // As JSON

    /** The plan that is sent: version 1 of the form that all languages share. */
    public String toJson() {
        return Json.object().number("version", VERSION).raw("steps", steps()).toString();
    }

    /** The steps alone, as they stand inside of others. */
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

    /** The plan as JSON. */
    @Override
    public String toString() {
        return toJson();
    }
}
