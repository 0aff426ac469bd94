package varvite.pipeline;

/**
 * A repeated pipeline, with options for its depth, its order, and the choice of results. Immutable. Without
 * options, the repetition visits all nodes that it can reach, and none of them is a result.
 *
 * <p>The depth of a node is the number of repetitions of the body that led to it.
 */
public final class Repeat {
    private final String body;
    private final Integer times;
    private final String until;
    private final String whilst;
    private final String emit;
    private final boolean dedup;
    private final boolean breadthFirst;

    private Repeat(
            String body, Integer times, String until, String whilst, String emit, boolean dedup, boolean breadthFirst) {
        this.body = body;
        this.times = times;
        this.until = until;
        this.whilst = whilst;
        this.emit = emit;
        this.dedup = dedup;
        this.breadthFirst = breadthFirst;
    }

    /** Repeats a pipeline that leads from nodes to nodes. */
    public static Repeat of(Pipeline body) {
        return new Repeat(body.steps(), null, null, null, null, false, false);
    }

    /** Nodes at depth {@code times} are results, and the repetition stops at them. */
    public Repeat times(int times) {
        Pipeline.checkNotNegative("times", times);
        return new Repeat(body, times, until, whilst, emit, dedup, breadthFirst);
    }

    /**
     * A node is a result if {@code condition} gives a result for it, and the repetition then stops at this
     * node. The start node is not tested.
     */
    public Repeat until(Pipeline condition) {
        return new Repeat(body, times, condition.steps(), whilst, emit, dedup, breadthFirst);
    }

    /**
     * A node is a result if {@code condition} gives no result for it, and the repetition then stops at this
     * node. The start node is tested too.
     */
    public Repeat whilst(Pipeline condition) {
        return new Repeat(body, times, until, condition.steps(), emit, dedup, breadthFirst);
    }

    /** Every visited node is a result, including the start node. */
    public Repeat emit() {
        return new Repeat(body, times, until, whilst, "\"all\"", dedup, breadthFirst);
    }

    /** Every visited node except the start node is a result. */
    public Repeat emitAllButFirst() {
        return new Repeat(body, times, until, whilst, "\"all_but_first\"", dedup, breadthFirst);
    }

    /** A visited node is a result if {@code condition} gives a result for it. */
    public Repeat emitWhere(Pipeline condition) {
        String emit = Json.object().raw("where", condition.steps()).toString();
        return new Repeat(body, times, until, whilst, emit, dedup, breadthFirst);
    }

    /** For each start node, each node is visited at most once. */
    public Repeat dedup() {
        return new Repeat(body, times, until, whilst, emit, true, breadthFirst);
    }

    /** Nodes are visited level by level instead of depth-first. */
    public Repeat breadthFirst() {
        return new Repeat(body, times, until, whilst, emit, dedup, true);
    }

    /** The step as JSON. */
    Json toJson() {
        Json json = Json.step("repeat").raw("body", body);
        if (times != null) {
            json.number("times", times);
        }
        rawIfAny(json, "until", until);
        rawIfAny(json, "whilst", whilst);
        rawIfAny(json, "emit", emit);
        json.flag("dedup", dedup);
        rawIfAny(json, "order", breadthFirst ? "\"breadth\"" : null);
        return json;
    }

    private static void rawIfAny(Json json, String field, String value) {
        if (value != null) {
            json.raw(field, value);
        }
    }
}
