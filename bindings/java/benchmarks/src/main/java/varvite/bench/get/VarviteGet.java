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
 * Values by a 16-byte key: the index of KEY gives the node, and VALUE its bytes where they lie, or copied.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class VarviteGet {
    /** Bytes of a value. */
    @Param({"16", "1024", "4096", "65536"})
    public int size;

    private Graph graph;
    private KeyStream keys;
    private TextIndex index;
    private BytesProperty values;
    private BytesCursor value;
    private byte[] buffer;

    /** Opens the file of this size. */
    @Setup
    public void open() throws IOException {
        graph = Graph.open(KeyStream.file(size));
        keys = new KeyStream(graph);
        index = graph.textIndex("KEY").orElseThrow();
        values = graph.bytes("VALUE");
        value = values.cursor();
        buffer = new byte[size];
    }

    /** Closes it. */
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

    /** Borrowed, the first 8 bytes read. */
    @Benchmark
    public long sliceFirst8() {
        go();
        return value.getLong(0);
    }

    /** Borrowed, all bytes read. */
    @Benchmark
    public long sliceSum() {
        go();
        return Bytes.sum(value.segment(), value.offset(), value.length());
    }

    /** Copied to the caller's array, the first 8 bytes read. */
    @Benchmark
    public long copyFirst8() {
        values.copyInto(node(), buffer, 0);
        return Bytes.first(buffer);
    }

    /** Copied to the caller's array, all bytes read. */
    @Benchmark
    public long copySum() {
        int length = values.copyInto(node(), buffer, 0);
        return Bytes.sum(buffer, length);
    }
}
