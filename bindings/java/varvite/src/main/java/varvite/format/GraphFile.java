package varvite.format;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import varvite.error.GraphBusyException;
import varvite.error.GraphClosedException;
import varvite.error.NotVarviteException;
import varvite.error.VarviteException;
import varvite.spi.Engine;
import varvite.spi.Lifetime;

/**
 * An open file: one map in one shared arena, and the directory.
 *
 * <p>Opening reads three pages and the directory, with their checksums, whatever the size of the file. Segments are slices of
 * the map; closing the arena invalidates them all before the file is unmapped, so that no reader can be inside. All methods
 * may be called from any thread.
 */
public final class GraphFile {
    private final Faults faults;
    private final Header header;
    private final Commit commit;
    private final Lifetime lifetime;
    private final MemorySegment map;
    private final boolean checked;
    private final BitSet touched = new BitSet();
    /** Segments that the engine decoded, by number; they live as long as the arena. */
    private final Map<Integer, MemorySegment> decoded = new HashMap<>();
    /** Null until a coded segment is wanted. */
    private Engine engine;

    private GraphFile(Faults faults, Header header, Commit commit, Lifetime lifetime, MemorySegment map, boolean checked) {
        this.faults = faults;
        this.header = header;
        this.commit = commit;
        this.lifetime = lifetime;
        this.map = map;
        this.checked = checked;
    }

    /**
     * Opens and maps a file.
     *
     * @param checked whether every block of a segment is checked when the segment is first touched
     * @throws IOException what the operating system says
     * @throws VarviteException what is wrong with the file
     */
    public static GraphFile open(Path path, boolean checked) throws IOException {
        Faults faults = new Faults(path);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            if (!Files.isRegularFile(path)) {
                throw new NotVarviteException(path, "it is not a regular file; give the path of a graph file");
            }
            long length = channel.size();
            Header header = Header.of(read(channel, 0, (int) Math.min(length, Header.PAGE)), faults);
            Commit commit = Commit.newest(channel, length, header.fileId(), faults);
            Lifetime lifetime = new Lifetime(path);
            try {
                MemorySegment map = channel.map(MapMode.READ_ONLY, 0, length, lifetime.arena());
                return new GraphFile(faults, header, commit, lifetime, map, checked);
            } catch (IOException | RuntimeException | Error e) {
                lifetime.close();
                throw e;
            }
        }
    }

    /** The {@code length} bytes at {@code offset}, or as many as there are. */
    static ByteBuffer read(FileChannel channel, long offset, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining() && channel.read(bytes, offset + bytes.position()) >= 0) {
            // Reads may be short; the channel says -1 at the end.
        }
        return bytes.flip();
    }

    /** Where the file is. */
    public Path path() {
        return faults.path();
    }

    /** How damage of this file is told. */
    public Faults faults() {
        return faults;
    }

    /** The first page. */
    public Header header() {
        return header;
    }

    /** What the file holds. */
    public Directory directory() {
        return commit.directory();
    }

    /** Number of the commit that was opened. */
    public long generation() {
        return commit.generation();
    }

    /** Whether the newest commit was damaged and the one before it was opened. */
    public boolean isRecovered() {
        return commit.recovered();
    }

    /** Whether nobody has closed the file. */
    public boolean isOpen() {
        return lifetime.isOpen();
    }

    /**
     * Passes if the file is open.
     *
     * @throws GraphClosedException if it is not
     */
    public void checkOpen() {
        lifetime.checkOpen();
    }

    /** The whole file, read-only. */
    public MemorySegment map() {
        return map;
    }

    /** Bytes of the segments that were touched so far; they may be in memory. */
    public synchronized long touchedBytes() {
        return touched.stream().mapToLong(number -> directory().segments().get(number).storedLength()).sum();
    }

    /** Whether a segment is stored as it is read, or there is an engine to decode it. */
    boolean isReadable(int number) {
        return directory().segments().get(number).isPlain() || Engines.isPresent();
    }

    /** Bytes of private buffers that the engine made, and bytes of it that are held here. */
    public synchronized long[] decodedAndPinnedBytes() {
        return engine == null ? new long[2] : new long[] {engine.decodedBytes(), engine.pinnedBytes()};
    }

    /**
     * The bytes of a segment that {@link #isReadable}: where they lie, or decoded by the engine, once, until the file is closed. The
     * first call checks its blocks, if that was asked for, or if they are coded.
     *
     * @throws VarviteException if its blocks are damaged, or the file is closed, or there is no native library
     */
    MemorySegment segment(int number) {
        checkOpen();
        SegmentRow row = directory().segments().get(number);
        if (!row.isPlain()) {
            return decoded(number);
        }
        if (row.tableOffset() > map.byteSize()) {
            throw faults.damaged("file", row.tableOffset() + " bytes", "fewer");
        }
        MemorySegment bytes = map.asSlice(row.offset(), row.storedLength());
        touch(number, row);
        return bytes;
    }

    private synchronized MemorySegment decoded(int number) {
        // Again, under the lock: after the engine was closed it must not be opened anew.
        checkOpen();
        MemorySegment bytes = decoded.get(number);
        if (bytes == null) {
            if (engine == null) {
                engine = Engines.open(this, checked);
            }
            bytes = engine.segment(number, lifetime.arena());
            decoded.put(number, bytes);
        }
        return bytes;
    }

    private synchronized void touch(int number, SegmentRow row) {
        if (checked && !touched.get(number)) {
            new BlockTable(header.fileId(), number, row, faults).check(map);
        }
        touched.set(number);
    }

    /**
     * Closes the file: every slice of it is dead from then on, on all threads, and the file is unmapped. Closing twice is
     * closing once. Costs some microseconds, more where other threads are reading.
     *
     * @throws GraphBusyException if a slice is in use by an operation that does not end
     */
    public void close() {
        lifetime.close();
        closeEngine();
    }

    /** After the arena, whose end gives back what the engine lent. */
    private synchronized void closeEngine() {
        if (engine != null) {
            engine.close();
            engine = null;
        }
    }
}
