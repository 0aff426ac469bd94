package varvite.bench.get;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.CompressionType;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import varvite.BytesProperty;
import varvite.Graph;
import varvite.TextProperty;

/**
 * Reads the values of {@link VarviteGet} from RocksDB through JNI. The database is uncompressed and was
 * compacted before; its block cache is larger than the data. RocksDB also supports writes, which Varvite's
 * file does not.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RocksdbGet {
    private static final long CACHE = 2L << 30;

    /** The size of a value in bytes. */
    @Param({"16", "1024", "4096", "65536"})
    public int size;

    private Path folder;
    private Options options;
    private RocksDB db;
    private KeyStream keys;
    private byte[] buffer;

    /** Fills a new database from the file whose values have this size, and reads it once. */
    @Setup
    public void open() throws IOException, RocksDBException {
        RocksDB.loadLibrary();
        folder = Files.createTempDirectory("varvite-rocksdb");
        BlockBasedTableConfig table = new BlockBasedTableConfig().setBlockCache(new LRUCache(CACHE));
        options = new Options()
                .setCreateIfMissing(true)
                .setCompressionType(CompressionType.NO_COMPRESSION)
                .setTableFormatConfig(table);
        db = RocksDB.open(options, folder.toString());
        buffer = new byte[size];
        try (Graph graph = Graph.open(KeyStream.file(size))) {
            keys = new KeyStream(graph);
            TextProperty key = graph.texts("KEY");
            BytesProperty value = graph.bytes("VALUE");
            for (int node = 0; node < graph.nodeCount(); node++) {
                db.put(key.get(node).getBytes(java.nio.charset.StandardCharsets.US_ASCII), value.get(node));
            }
        }
        db.compactRange();
    }

    /** Closes and removes the database. */
    @TearDown
    public void close() throws IOException {
        db.close();
        options.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    /** Copies a value to the caller's array and reads its first 8 bytes. */
    @Benchmark
    public long copyFirst8() throws RocksDBException {
        db.get(keys.next(), buffer);
        return Bytes.first(buffer);
    }

    /** Copies a value to the caller's array and reads all its bytes. */
    @Benchmark
    public long copySum() throws RocksDBException {
        int length = db.get(keys.next(), buffer);
        return Bytes.sum(buffer, length);
    }
}
