package varvite.examples;

import java.nio.file.Path;
import varvite.ffi.NativeGraph;
import varvite.ffi.NativeRun;
import varvite.pipeline.Key;
import varvite.pipeline.Pipeline;
import varvite.pipeline.Predicate;

/** Prints the ten METHODs with the most calls, leaving out operators, by a pipeline that the engine runs. */
public final class MostCalled {
    private MostCalled() {}

    /** Usage: {@code MostCalled FILE}. */
    public static void main(String[] args) {
        if (args.length != 1) {
            System.err.println("usage: MostCalled FILE");
            System.exit(2);
        }
        Pipeline mostCalled = Pipeline.nodes("CALL")
                .out("CALL")
                .hasNot("FULL_NAME", Predicate.prefix("<operator"))
                .groupCount(Key.property("FULL_NAME"))
                .orderDescending(Key.column("count"))
                .limit(10);
        try (NativeGraph graph = NativeGraph.open(Path.of(args[0]), false);
                NativeRun run = graph.run(mostCalled)) {
            while (run.next()) {
                long[] counts = run.numbers(1);
                for (int row = 0; row < run.rows(); row++) {
                    System.out.println(counts[row] + "\t" + run.text(0, row));
                }
            }
        }
    }
}
