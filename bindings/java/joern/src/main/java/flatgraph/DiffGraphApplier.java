package flatgraph;

import flatgraph.misc.SchemaViolationReporter;
import java.util.concurrent.ExecutorService;
import scala.Option;
import varvite.joern.ResolvedDiff;

/**
 * Replaces flatgraph's class of this name, which changes graphs. This class has the same members, but
 * supports any storage. A diff is first resolved against the unchanged graph, and then applied as a whole.
 */
public final class DiffGraphApplier {
    private DiffGraphApplier() {}

    public static int applyDiff(Graph graph, DiffGraphBuilder diff) {
        return applyDiff(graph, diff, applyDiff$default$3(), Option.empty());
    }

    /** The form of flatgraph 0.0.81, which has no executor and returns nothing. */
    public static void applyDiff(Graph graph, DiffGraphBuilder diff, SchemaViolationReporter reporter) {
        applyDiff(graph, diff, reporter, Option.empty());
    }

    /**
     * Applies and consumes a diff. Returns the number of changes, including nodes that other operations added
     * implicitly.
     *
     * @throws varvite.joern.PersistException if changes of the graph should be kept and can't be; the diff is
     * then not consumed
     */
    public static int applyDiff(
            Graph graph, DiffGraphBuilder diff, SchemaViolationReporter reporter, Option<ExecutorService> executor) {
        graph.storage().checkChange();
        ResolvedDiff resolved = ResolvedDiff.of(graph, graph.storage(), diff, reporter);
        graph.storage().apply(resolved);
        return resolved.changes();
    }

    public static SchemaViolationReporter applyDiff$default$3() {
        return new SchemaViolationReporter();
    }

    public static Option<ExecutorService> applyDiff$default$4() {
        return Option.empty();
    }
}
