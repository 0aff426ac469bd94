package flatgraph;

import flatgraph.misc.SchemaViolationReporter;
import java.util.concurrent.ExecutorService;
import scala.Option;
import varvite.joern.ResolvedDiff;

/**
 * Replaces flatgraph's class of this name, which changes graphs: the same members over any storage. A diff is
 * resolved first, against the graph as it is, and then applied whole.
 */
public final class DiffGraphApplier {
    private DiffGraphApplier() {}

    public static int applyDiff(Graph graph, DiffGraphBuilder diff) {
        return applyDiff(graph, diff, applyDiff$default$3(), Option.empty());
    }

    /**
     * Applies a diff, which is used up by it. Returns how many changes it was, nodes included that others
     * brought along.
     *
     * @throws varvite.joern.PersistException if the graph keeps its changes and can't; the diff is not used
     *     up
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
