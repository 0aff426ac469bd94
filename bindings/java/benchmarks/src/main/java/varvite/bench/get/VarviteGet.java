package varvite.bench.get;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import varvite.BytesCursor;
import varvite.BytesProperty;
import varvite.Graph;
import varvite.TextIndex;

/**
 * Reads values by a 16-byte key: the text index of KEY finds the node, and the bytes of its VALUE are read in
 * place or copied.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class VarviteGet {
    /** The size of a value in bytes. */
    @Param({"16", "1024", "4096", "65536"})
    public int size;

    private Graph graph;
    private KeyStream keys;
    private TextIndex index;
    private BytesProperty values;
    private BytesCursor value;
    private byte[] buffer;

    /** Opens the file whose values have this size. */
    @Setup
    public void open() throws IOException {
        graph = Graph.open(KeyStream.file(size));
        keys = new KeyStream(graph);
        index = graph.textIndex("KEY").orElseThrow();
        values = graph.bytes("VALUE");
        value = values.cursor();
        buffer = new byte[size];
    }

    /** Closes the graph. */
    @TearDown
    public void close() {
        graph.close();
    }

    private int node() {
        return index.first(index.find(keys.next()));
    }

    private void go() {
        value.of(node());
    }

    /** Reads the first 8 bytes of a value in place. */
    @Benchmark
    public long sliceFirst8() {
        go();
        return value.getLong(0);
    }

    /** Reads all bytes of a value in place. */
    @Benchmark
    public long sliceSum() {
        go();
        return Bytes.sum(value.segment(), value.offset(), value.length());
    }

    /** Copies a value to the caller's array and reads its first 8 bytes. */
    @Benchmark
    public long copyFirst8() {
        values.copyInto(node(), buffer, 0);
        return Bytes.first(buffer);
    }

    /** Copies a value to the caller's array and reads all its bytes. */
    @Benchmark
    public long copySum() {
        int length = values.copyInto(node(), buffer, 0);
        return Bytes.sum(buffer, length);
    }
}
