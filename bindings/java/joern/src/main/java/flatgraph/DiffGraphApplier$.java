package flatgraph;

import flatgraph.misc.SchemaViolationReporter;
import java.io.Serializable;
import java.util.concurrent.ExecutorService;
import scala.Option;

/** The members of {@link DiffGraphApplier}, in the form that compiled Scala needs. */
public final class DiffGraphApplier$ implements Serializable {
    private static final long serialVersionUID = 1;

    public static final DiffGraphApplier$ MODULE$ = new DiffGraphApplier$();

    private DiffGraphApplier$() {}

    private Object readResolve() {
        return MODULE$;
    }

    public int applyDiff(Graph graph, DiffGraphBuilder diff) {
        return DiffGraphApplier.applyDiff(graph, diff);
    }

    public void applyDiff(Graph graph, DiffGraphBuilder diff, SchemaViolationReporter reporter) {
        DiffGraphApplier.applyDiff(graph, diff, reporter);
    }

    public int applyDiff(
            Graph graph, DiffGraphBuilder diff, SchemaViolationReporter reporter, Option<ExecutorService> executor) {
        return DiffGraphApplier.applyDiff(graph, diff, reporter, executor);
    }

    public SchemaViolationReporter applyDiff$default$3() {
        return DiffGraphApplier.applyDiff$default$3();
    }

    public Option<ExecutorService> applyDiff$default$4() {
        return DiffGraphApplier.applyDiff$default$4();
    }
}
