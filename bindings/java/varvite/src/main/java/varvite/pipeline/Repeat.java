package varvite.pipeline;

/**
 * A repeated pipeline: its depth, its order, and the nodes that come out. Immutable. Without any of these
 * options everything is walked and nothing comes out.
 *
 * <p>A node's depth is how often the body was passed on the way to it.
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

    /** Nodes at depth {@code times} come out and are not gone on from. */
    public Repeat times(int times) {
        Pipeline.checkNotNegative("times", times);
        return new Repeat(body, times, until, whilst, emit, dedup, breadthFirst);
    }

    /**
     * Nodes for which {@code condition} gives anything come out, and the walk does not go on from them; not
     * tested for the start.
     */
    public Repeat until(Pipeline condition) {
        return new Repeat(body, times, condition.steps(), whilst, emit, dedup, breadthFirst);
    }

    /**
     * Nodes for which {@code condition} gives nothing come out, and the walk does not go on from them; tested
     * for the start too.
     */
    public Repeat whilst(Pipeline condition) {
        return new Repeat(body, times, until, condition.steps(), emit, dedup, breadthFirst);
    }

    /** Every node on the way comes out, the start included. */
    public Repeat emit() {
        return new Repeat(body, times, until, whilst, "\"all\"", dedup, breadthFirst);
    }

    /** Every node on the way but the start comes out. */
    public Repeat emitAllButFirst() {
        return new Repeat(body, times, until, whilst, "\"all_but_first\"", dedup, breadthFirst);
    }

    /** Nodes on the way for which {@code condition} gives anything come out. */
    public Repeat emitWhere(Pipeline condition) {
        String emit = Json.object().raw("where", condition.steps()).toString();
        return new Repeat(body, times, until, whilst, emit, dedup, breadthFirst);
    }

    /** Each node at most once for each start. */
    public Repeat dedup() {
        return new Repeat(body, times, until, whilst, emit, true, breadthFirst);
    }

    /** Level by level, instead of a node and then everything behind its first successor. */
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
