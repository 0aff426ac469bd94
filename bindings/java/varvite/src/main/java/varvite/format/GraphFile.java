package varvite.format;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import varvite.error.GraphBusyException;
import varvite.error.GraphClosedException;
import varvite.error.NotAFileException;
import varvite.error.ReplacedFileException;
import varvite.error.TruncatedFileException;
import varvite.error.VarviteException;
import varvite.spi.Engine;
import varvite.spi.Lifetime;

/**
 * An open file: its map in a shared arena, or a copy in memory, and its directory.
 *
 * <p>Opening a file of any size reads only three pages and the directory, and checks their checksums.
 * Segments are slices of the map. Closing the arena invalidates all slices before the file is unmapped, so no
 * reader can access unmapped memory. A file that the program does not close is closed when it is
 * garbage-collected; readers of its columns keep the file reachable, slices alone do not. All methods may be
 * called from any thread.
 */
public final class GraphFile {
    /** The number of bytes that one call reads from a file that is copied into memory. */
    private static final long READ_BYTES = 1 << 20;

    private final Faults faults;
    /** The file's identity in the operating system; null if the system has no such identity. */
    private final Object key;
    private final Way way;
    private final Header header;
    private final Commit commit;
    /**
     * The directory of the file. If the file has a log, this includes the columns that were made from the
     * log.
     */
    private Directory directory;
    /** Segments that exist only in memory; their numbers follow those of the file's segments. */
    private List<MemorySegment> made = List.of();
    private final Lifetime lifetime;
    private final MemorySegment map;
    private final boolean checked;
    private final BitSet touched = new BitSet();
    /** The segments that the engine has decoded, by number. They stay in memory until the arena is closed. */
    private final Map<Integer, MemorySegment> decoded = new HashMap<>();
    /** The file in the native engine; null until the first read of a compressed segment. */
    private Engine engine;
    /** The budget that the file shares with others, and its membership; null without a budget. */
    private MapBudget budget;

    private MapBudget.Member member;
    /** The number of decoded bytes that stay in memory for slices. */
    private long keptBytes;

    private GraphFile(Opened opened, Commit commit, Lifetime lifetime, MemorySegment map) {
        faults = opened.faults;
        key = opened.key;
        way = opened.way;
        header = opened.header;
        checked = opened.checked;
        this.commit = commit;
        directory = commit.directory();
        this.lifetime = lifetime;
        this.map = map;
        lifetime.endWith(this);
    }

    /**
     * Brings the bytes of a file into memory: maps or copies them. They stay there until the arena is closed.
     */
    private interface Way {
        MemorySegment bytes(FileChannel channel, long length, Arena arena) throws IOException;
    }

    /**
     * Opens and maps a file.
     *
     * @param checked whether every block of a segment is checked on the first use of the segment
     * @throws IOException if the operating system reports an error
     * @throws VarviteException if the file cannot be read as a graph
     */
    public static GraphFile map(Path path, boolean checked) throws IOException {
        return open(path, checked, (channel, length, arena) -> channel.map(MapMode.READ_ONLY, 0, length, arena));
    }

    /**
     * Opens a file and copies it into memory. Every block of a segment is checked on the first use of the
     * segment.
     *
     * @throws IOException if the operating system reports an error
     * @throws VarviteException if the file cannot be read as a graph
     */
    public static GraphFile copy(Path path) throws IOException {
        return open(path, true, (channel, length, arena) -> wholeOf(path, channel, length, arena));
    }

    /**
     * Adds the file to a budget that several files share. Only the code that opens the file may call this,
     * before other threads use the file. If the file was copied and the copy does not fit in the budget, the
     * file is closed.
     *
     * @throws varvite.error.OverBudgetException if the copy does not fit in the budget
     */
    public void share(MapBudget budget) {
        MapBudget.Member member = new MapBudget.Member(map);
        try {
            budget.join(member);
        } catch (RuntimeException | Error e) {
            lifetime.close();
            throw e;
        }
        // The action refers to the map and not to this file, so that the file can be garbage-collected.
        lifetime.afterwards(() -> budget.leave(member));
        this.budget = budget;
        this.member = member;
    }

    private static GraphFile open(Path path, boolean checked, Way way) throws IOException {
        try (Opened opened = Opened.of(path, checked, way)) {
            return opened.at(opened.newest());
        }
    }

    /**
     * Opens the newest commit of the file, in the same way as this file; null if this file is the newest
     * commit. Costs as much as opening a file.
     *
     * @throws ReplacedFileException if another file is at the path now
     * @throws IOException if the operating system reports an error
     * @throws VarviteException if the file cannot be read as a graph
     */
    public GraphFile refreshed() throws IOException {
        checkOpen();
        try (Opened opened = Opened.of(path(), checked, way)) {
            boolean isSame = Objects.equals(opened.key, key) && Arrays.equals(opened.header.fileId(), header.fileId());
            if (!isSame) {
                throw new ReplacedFileException(path());
            }
            Commit newest = opened.newest();
            if (newest.isAt(commit)) {
                return null;
            }
            GraphFile file = opened.at(newest);
            if (budget != null) {
                file.share(budget);
            }
            return file;
        }
    }

    /** An open channel of a file, with the file's header and the way to bring its bytes into memory. */
    private record Opened(FileChannel channel, Faults faults, Object key, Header header, boolean checked, Way way)
            implements AutoCloseable {
        static Opened of(Path path, boolean checked, Way way) throws IOException {
            Faults faults = new Faults(path);
            // Check before opening, because opening a pipe would wait for a writer. Check again afterwards,
            // because another file may now have the name.
            regular(path);
            FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
            try {
                Object key = regular(path).fileKey();
                return new Opened(channel, faults, key, Header.of(read(channel, 0, Header.PAGE), faults), checked, way);
            } catch (IOException | RuntimeException | Error e) {
                channel.close();
                throw e;
            }
        }

        Commit newest() throws IOException {
            return Commit.newest(channel, header.fileId(), faults);
        }

        GraphFile at(Commit commit) throws IOException {
            Lifetime lifetime = new Lifetime(faults.path());
            try {
                return new GraphFile(this, commit, lifetime, way.bytes(channel, commit.length(), lifetime.arena()));
            } catch (IOException | RuntimeException | Error e) {
                lifetime.close();
                throw e;
            }
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }

    /** Reads the attributes of a regular file; throws for any other kind of file. */
    private static BasicFileAttributes regular(Path path) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        if (!attributes.isRegularFile()) {
            throw new NotAFileException(path);
        }
        return attributes;
    }

    /** Copies the whole file into memory that the arena owns. */
    private static MemorySegment wholeOf(Path path, FileChannel channel, long length, Arena arena) throws IOException {
        MemorySegment bytes = arena.allocate(length, Header.PAGE);
        for (long at = 0; at < length; ) {
            int read = channel.read(bytes.asSlice(at, Math.min(length - at, READ_BYTES)).asByteBuffer(), at);
            if (read < 0) {
                throw new TruncatedFileException(path, 0, length, at);
            }
            at += read;
        }
        return bytes.asReadOnly();
    }

    /** Reads {@code length} bytes at {@code offset}, or fewer if the file ends earlier. */
    static ByteBuffer read(FileChannel channel, long offset, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining() && channel.read(bytes, offset + bytes.position()) >= 0) {
            // A read may return fewer bytes than requested, and -1 at the end of the file.
        }
        return bytes.flip();
    }

    /** The path of the file. */
    public Path path() {
        return faults.path();
    }

    /** Makes the exceptions for faults of this file. */
    public Faults faults() {
        return faults;
    }

    /** The header, which is the first page of the file. */
    public Header header() {
        return header;
    }

    /** The directory of the file. */
    public Directory directory() {
        return directory;
    }

    /** The log that follows the opened commit. */
    public Log log() {
        return commit.log();
    }

    /**
     * Replaces the file's changes with the combined changes of the file and its log, whose columns are in
     * memory. Only the code that opens a graph may call this, before other threads use the file.
     *
     * @param nodes the new number of nodes
     */
    public void replaceChanges(int nodes, Changes changes, MadeColumns columns) {
        directory = directory.withChanges(nodes, changes, columns);
        made = columns.segments();
    }

    /** Allocates memory that is released when the file is closed. */
    MemorySegment allocate(long length) {
        return lifetime.arena().allocate(length, Long.BYTES);
    }

    /** The generation of the commit that was opened. */
    public long generation() {
        return commit.generation();
    }

    /** Whether the newest commit was damaged, so that the commit before it was opened. */
    public boolean isRecovered() {
        return commit.recovered();
    }

    /** Whether the file is open. */
    public boolean isOpen() {
        return lifetime.isOpen();
    }

    /**
     * Checks that the file was not shortened since it was mapped, because reads of missing bytes would throw
     * Java's {@link InternalError}. A file whose name another file has taken remains complete while it is
     * open.
     *
     * @throws TruncatedFileException if the file was shortened
     */
    public void checkLength() {
        try {
            BasicFileAttributes now = Files.readAttributes(path(), BasicFileAttributes.class);
            if (key != null && key.equals(now.fileKey()) && now.size() < map.byteSize()) {
                throw new TruncatedFileException(path(), 0, map.byteSize(), now.size());
            }
        } catch (IOException e) {
            // No file has this name any more, so the length can't be checked.
        }
    }

    /**
     * Checks that the file is open.
     *
     * @throws GraphClosedException if it is closed
     */
    public void checkOpen() {
        lifetime.checkOpen();
    }

    /** The bytes of the whole file, mapped or copied; read-only. */
    public MemorySegment map() {
        return map;
    }

    /** The total size of the segments that were used so far. These bytes may be in memory. */
    public synchronized long touchedBytes() {
        return touched.stream().mapToLong(number -> directory().segments().get(number).storedLength()).sum();
    }

    /** Whether a segment can be read: it has no codec, or the engine is present to decode it. */
    boolean isReadable(int number) {
        return directory().segments().get(number).isPlain() || Engines.isPresent();
    }

    /**
     * Two numbers: the decoded bytes in memory, here and in the engine, and how many of them stay until the
     * file is closed.
     */
    public synchronized long[] decodedAndPinnedBytes() {
        return engine == null
                ? new long[2]
                : new long[] {engine.decodedBytes() + keptBytes, engine.pinnedBytes() + keptBytes};
    }

    /**
     * The bytes of a segment for which {@link #isReadable} is true: the bytes in place, or those that the
     * engine has decoded, which stay in memory until the file is closed. If the blocks are compressed or the
     * file was opened with checks, the first call checks the segment's blocks.
     *
     * @throws VarviteException if a block is damaged, the file is closed, or the native library is missing
     */
    MemorySegment segment(int number) {
        checkOpen();
        int stored = commit.directory().segments().size();
        if (number >= stored) {
            return made.get(number - stored);
        }
        SegmentRow row = directory().segments().get(number);
        if (!row.isPlain()) {
            return decoded(number);
        }
        if (row.tableOffset() > map.byteSize()) {
            throw faults.damaged("file", row.tableOffset() + " bytes", "fewer");
        }
        MemorySegment bytes = map.asSlice(row.offset(), row.storedLength());
        if (member != null) {
            member.use();
        }
        touch(number, row);
        return bytes;
    }

    private synchronized MemorySegment decoded(int number) {
        // Check again under the lock: after the engine was closed, it must not be opened again.
        checkOpen();
        MemorySegment bytes = decoded.get(number);
        if (bytes == null) {
            bytes = engine().segment(number, lifetime.arena());
            decoded.put(number, bytes);
        }
        return bytes;
    }

    /**
     * Opens the file in the engine on first use. The engine reads the bytes of this map, because another file
     * may now be at the path.
     */
    private synchronized Engine engine() {
        checkOpen();
        if (engine == null) {
            engine = Engines.open(this, lifetime.arena(), budget);
            // Close it after the arena, whose end releases the engine's memory.
            lifetime.afterwards(engine::close);
        }
        return engine;
    }

    /**
     * Fills {@code out} with plain bytes of a compressed segment from {@code start} on. Decodes only the
     * blocks that contain these bytes.
     */
    void read(int number, long start, MemorySegment out) {
        engine().read(number, start, out);
    }

    /**
     * Decodes {@code length} plain bytes, from {@code start} on, to read-only memory that is released when
     * the file is closed.
     */
    synchronized MemorySegment readKept(int number, long start, long length) {
        checkOpen();
        MemorySegment bytes = lifetime.arena().allocate(length, Long.BYTES);
        read(number, start, bytes);
        keptBytes += length;
        return bytes.asReadOnly();
    }

    /**
     * Checks the columns of changes against their checksums, unless the file was opened with checks. Reads
     * all bytes of these columns.
     *
     * @throws VarviteException if a block of these columns is damaged
     */
    public void checkChanges() {
        if (checked || directory.changes().isEmpty()) {
            return;
        }
        BitSet left = new BitSet();
        directory.changes().get().columns().filter(column -> column != ColumnRow.NONE).forEach(left::set);
        // A column has a higher number than its children, so this loop visits each column once.
        for (int number = left.length() - 1; number >= 0; number = left.previousSetBit(number - 1)) {
            ColumnRow row = directory.columns().get(number);
            IntStream.of(row.child0(), row.child1(), row.child2())
                    .filter(child -> child != ColumnRow.NONE)
                    .forEach(left::set);
            IntStream.of(row.segment0(), row.segment1())
                    .filter(segment -> segment != ColumnRow.NONE)
                    .forEach(this::checkPlain);
        }
    }

    private void checkPlain(int number) {
        SegmentRow row = directory.segments().get(number);
        if (row.isPlain()) {
            segment(number);
            new BlockTable(header.fileId(), number, row, faults).check(map);
        }
    }

    private synchronized void touch(int number, SegmentRow row) {
        if (checked && !touched.get(number)) {
            new BlockTable(header.fileId(), number, row, faults).check(map);
        }
        touched.set(number);
    }

    /**
     * Closes and unmaps the file; on all threads, every slice of the file becomes invalid. A second call has
     * no effect. Takes some microseconds, more if other threads are reading.
     *
     * @throws GraphBusyException if an operation that uses a slice does not end in time
     */
    public void close() {
        lifetime.close();
    }
}
