package varvite.bench.get;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.Txn;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import varvite.BytesProperty;
import varvite.Graph;
import varvite.TextProperty;

/**
 * Reads the values of {@link VarviteGet} from LMDB, which also maps its file, in one transaction that stays
 * open. LMDB also supports writes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class LmdbGet {
    private static final long MAP = 2L << 30;

    /** The size of a value in bytes. */
    @Param({"16", "1024", "4096", "65536"})
    public int size;

    private Path file;
    private Env<ByteBuffer> env;
    private Dbi<ByteBuffer> dbi;
    private Txn<ByteBuffer> txn;
    private KeyStream keys;
    private ByteBuffer key;
    private byte[] buffer;

    /** Fills a new database from the file whose values have this size. */
    @Setup
    public void open() throws IOException {
        file = Files.createTempFile("varvite-lmdb", ".mdb");
        env = Env.create().setMapSize(MAP).open(file.toFile(), EnvFlags.MDB_NOSUBDIR, EnvFlags.MDB_NOSYNC);
        dbi = env.openDbi((String) null, DbiFlags.MDB_CREATE);
        key = ByteBuffer.allocateDirect(16);
        buffer = new byte[size];
        try (Graph graph = Graph.open(KeyStream.file(size));
                Txn<ByteBuffer> write = env.txnWrite()) {
            keys = new KeyStream(graph);
            TextProperty name = graph.texts("KEY");
            BytesProperty values = graph.bytes("VALUE");
            ByteBuffer value = ByteBuffer.allocateDirect(size);
            for (int node = 0; node < graph.nodeCount(); node++) {
                set(name.get(node).getBytes(StandardCharsets.US_ASCII));
                dbi.put(write, key, value.clear().put(values.get(node)).flip());
            }
            write.commit();
        }
        txn = env.txnRead();
    }

    /** Closes and removes the database. */
    @TearDown
    public void close() throws IOException {
        txn.close();
        env.close();
        Files.deleteIfExists(file);
        Files.deleteIfExists(Path.of(file + "-lock"));
    }

    private void set(byte[] bytes) {
        key.clear().put(bytes).flip();
    }

    private ByteBuffer get() {
        set(keys.next());
        return dbi.get(txn, key).order(ByteOrder.LITTLE_ENDIAN);
    }

    private int copy() {
        ByteBuffer value = get();
        int length = value.remaining();
        value.get(buffer, 0, length);
        return length;
    }

    /** Reads the first 8 bytes of a value in place. */
    @Benchmark
    public long sliceFirst8() {
        return Bytes.first(get());
    }

    /** Reads all bytes of a value in place. */
    @Benchmark
    public long sliceSum() {
        return Bytes.sum(get());
    }

    /** Copies a value to the caller's array and reads its first 8 bytes. */
    @Benchmark
    public long copyFirst8() {
        copy();
        return Bytes.first(buffer);
    }

    /** Copies a value to the caller's array and reads all its bytes. */
    @Benchmark
    public long copySum() {
        return Bytes.sum(buffer, copy());
    }
}
