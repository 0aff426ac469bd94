package varvite.examples;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.LargeVarCharVector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowReader;
import varvite.ffi.NativeGraph;
import varvite.ffi.RunOptions;
import varvite.pipeline.Key;
import varvite.pipeline.Pipeline;

/**
 * The methods that most calls lead to: a pipeline that the engine runs, and whose rows Arrow's library reads where the engine put them.
 *
 * <p>Arrow's library wants {@code --add-opens=java.base/java.nio=ALL-UNNAMED}, and from Java 24 on warns unless there is
 * {@code --sun-misc-unsafe-memory-access=allow}. That is its own affair: other readers of the Arrow C Stream Interface need neither.
 */
public final class MostCalled {
    private static final int ROWS = 20;

    private MostCalled() {}

    /** Usage: {@code MostCalled GRAPH.varvite}. */
    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            System.err.println("usage: MostCalled GRAPH.varvite");
            System.exit(2);
        }
        Pipeline mostCalled = Pipeline.nodes("CALL")
                .out("CALL")
                .groupCount(Key.property("FULL_NAME"))
                .orderDescending(Key.column("count"))
                .limit(ROWS);
        try (BufferAllocator allocator = new RootAllocator();
                NativeGraph graph = NativeGraph.open(Path.of(args[0]), false);
                ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
            graph.runArrow(mostCalled, RunOptions.DEFAULT, stream.memoryAddress());
            try (ArrowReader reader = Data.importArrayStream(allocator, stream)) {
                while (reader.loadNextBatch()) {
                    print(reader.getVectorSchemaRoot());
                }
            }
        }
    }

    private static void print(VectorSchemaRoot batch) {
        LargeVarCharVector names = (LargeVarCharVector) batch.getVector("FULL_NAME");
        UInt8Vector counts = (UInt8Vector) batch.getVector("count");
        for (int row = 0; row < batch.getRowCount(); row++) {
            System.out.println(counts.get(row) + "\t" + names.getObject(row));
        }
    }
}
