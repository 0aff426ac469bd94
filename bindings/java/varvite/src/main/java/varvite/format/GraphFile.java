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
 * An open file: one map in one shared arena, or a copy in memory, and the directory.
 *
 * <p>Opening reads three pages and the directory, with their checksums, for a file of any size. Segments are
 * slices of the map; closing the arena invalidates them all before the file is unmapped, so that no reader
 * can be inside. A file that was not closed is closed when it is collected: a reader of its columns keeps it,
 * but a slice alone does not. All methods may be called from any thread.
 */
public final class GraphFile {
    /** Bytes that are read at once from a file that is not mapped. */
    private static final long READ_BYTES = 1 << 20;

    private final Faults faults;
    /** The operating system's identity of the file; null where there is none. */
    private final Object key;
    private final Way way;
    private final Header header;
    private final Commit commit;
    /** The directory of the file, with the columns of its log if it has one. */
    private Directory directory;
    /** Segments that are not in the file, by number behind those of the file. */
    private List<MemorySegment> made = List.of();
    private final Lifetime lifetime;
    private final MemorySegment map;
    private final boolean checked;
    private final BitSet touched = new BitSet();
    /** Segments that the engine decoded, by number; they live as long as the arena. */
    private final Map<Integer, MemorySegment> decoded = new HashMap<>();
    /** Null until the first read of a coded segment. */
    private Engine engine;
    /** The budget that the file shares with others, and its part there; null without one. */
    private MapBudget budget;

    private MapBudget.Member member;
    /** Bytes of blocks that slices were taken of. */
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

    /** The way in which the bytes of a file come into memory, where they stay until the arena ends. */
    private interface Way {
        MemorySegment bytes(FileChannel channel, long length, Arena arena) throws IOException;
    }

    /**
     * Opens and maps a file.
     *
     * @param checked whether every block of a segment is checked when the segment is first touched
     * @throws IOException an error of the operating system
     * @throws VarviteException the fault of the file
     */
    public static GraphFile map(Path path, boolean checked) throws IOException {
        return open(path, checked, (channel, length, arena) -> channel.map(MapMode.READ_ONLY, 0, length, arena));
    }

    /**
     * Opens a file and copies it into memory. Every block of a segment is checked when the segment is first
     * touched.
     *
     * @throws IOException an error of the operating system
     * @throws VarviteException the fault of the file
     */
    public static GraphFile copy(Path path) throws IOException {
        return open(path, true, (channel, length, arena) -> wholeOf(path, channel, length, arena));
    }

    /**
     * Adds the file to a budget that several files share. Only for the code that opens the file, before other
     * threads have it. A file that finds no room in the budget is closed.
     *
     * @throws varvite.error.OverBudgetException if a copy has no room
     */
    public void share(MapBudget budget) {
        MapBudget.Member member = new MapBudget.Member(map);
        try {
            budget.join(member);
        } catch (RuntimeException | Error e) {
            lifetime.close();
            throw e;
        }
        // It leads to the map, not to this.
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
     * The file as it is now, opened as this one was; null if it is as this one. Costs as much as opening it.
     *
     * @throws ReplacedFileException if the path leads to another file by now
     * @throws IOException an error of the operating system
     * @throws VarviteException the fault of the file
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

    /** A file with its header, and the way to read its bytes. */
    private record Opened(FileChannel channel, Faults faults, Object key, Header header, boolean checked, Way way)
            implements AutoCloseable {
        static Opened of(Path path, boolean checked, Way way) throws IOException {
            Faults faults = new Faults(path);
            // Before it is opened, since opening a pipe waits for its other end; and after, since the name
            // may change hands.
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

    /** The attributes of a regular file. */
    private static BasicFileAttributes regular(Path path) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
        if (!attributes.isRegularFile()) {
            throw new NotAFileException(path);
        }
        return attributes;
    }

    /** The file in memory of our own. */
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

    /** The {@code length} bytes at {@code offset}, or as many as there are. */
    static ByteBuffer read(FileChannel channel, long offset, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        while (bytes.hasRemaining() && channel.read(bytes, offset + bytes.position()) >= 0) {
            // Reads may be short; the channel returns -1 at the end.
        }
        return bytes.flip();
    }

    /** The path of the file. */
    public Path path() {
        return faults.path();
    }

    /** The maker of exceptions for damage of this file. */
    public Faults faults() {
        return faults;
    }

    /** The first page. */
    public Header header() {
        return header;
    }

    /** The directory of the file. */
    public Directory directory() {
        return directory;
    }

    /** The records behind the commit that was opened. */
    public Log log() {
        return commit.log();
    }

    /**
     * Replaces the changes of the file by the changes of file and log together, whose columns were made in
     * memory. Only for the code that opens a graph, before other threads have the file.
     *
     * @param nodes how many nodes there are now
     */
    public void replaceChanges(int nodes, Changes changes, MadeColumns columns) {
        directory = directory.withChanges(nodes, changes, columns);
        made = columns.segments();
    }

    /** Memory that lives as long as the file is open. */
    MemorySegment allocate(long length) {
        return lifetime.arena().allocate(length, Long.BYTES);
    }

    /** Number of the commit that was opened. */
    public long generation() {
        return commit.generation();
    }

    /** Whether the newest commit was damaged and the one before it was opened. */
    public boolean isRecovered() {
        return commit.recovered();
    }

    /** Whether the file is open. */
    public boolean isOpen() {
        return lifetime.isOpen();
    }

    /**
     * Passes if the file still has the bytes that were mapped: in a file that was shortened, reads of the
     * missing bytes throw Java's {@link InternalError}. A file that was replaced by another stays whole while
     * it is open.
     *
     * @throws TruncatedFileException if it was shortened
     */
    public void checkLength() {
        try {
            BasicFileAttributes now = Files.readAttributes(path(), BasicFileAttributes.class);
            if (key != null && key.equals(now.fileKey()) && now.size() < map.byteSize()) {
                throw new TruncatedFileException(path(), 0, map.byteSize(), now.size());
            }
        } catch (IOException e) {
            // A file without a name can't be shortened by name.
        }
    }

    /**
     * Passes if the file is open.
     *
     * @throws GraphClosedException if it is not
     */
    public void checkOpen() {
        lifetime.checkOpen();
    }

    /** The whole file, read-only: a map of it, or a copy. */
    public MemorySegment map() {
        return map;
    }

    /** Bytes of the segments that were touched so far; they may be in memory. */
    public synchronized long touchedBytes() {
        return touched.stream().mapToLong(number -> directory().segments().get(number).storedLength()).sum();
    }

    /** Whether a segment needs no codec, or there is an engine to decode it. */
    boolean isReadable(int number) {
        return directory().segments().get(number).isPlain() || Engines.isPresent();
    }

    /**
     * Bytes of decoded blocks here and in the engine, and those of them that stay until the file is closed.
     */
    public synchronized long[] decodedAndPinnedBytes() {
        return engine == null
                ? new long[2]
                : new long[] {engine.decodedBytes() + keptBytes, engine.pinnedBytes() + keptBytes};
    }

    /**
     * The bytes of a segment that {@link #isReadable}: in place, or decoded by the engine, once, until the
     * file is closed. The first call checks its blocks in a checked mode, or if they are coded.
     *
     * @throws VarviteException if its blocks are damaged, or the file is closed, or there is no native
     * library
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
        // Again, under the lock: after the engine was closed it must not be opened anew.
        checkOpen();
        MemorySegment bytes = decoded.get(number);
        if (bytes == null) {
            bytes = engine().segment(number, lifetime.arena());
            decoded.put(number, bytes);
        }
        return bytes;
    }

    /** The engine, on the bytes of our map: the file at the path may be another one by now. */
    private synchronized Engine engine() {
        checkOpen();
        if (engine == null) {
            engine = Engines.open(this, lifetime.arena(), budget);
            // After the end of the arena, which releases the engine's memory.
            lifetime.afterwards(engine::close);
        }
        return engine;
    }

    /**
     * Decodes plain bytes of a segment from {@code start} on, as many as {@code out} has room for: the blocks
     * that they are in.
     */
    void read(int number, long start, MemorySegment out) {
        engine().read(number, start, out);
    }

    /** The same in memory that stays until the file is closed, read-only. */
    synchronized MemorySegment readKept(int number, long start, long length) {
        checkOpen();
        MemorySegment bytes = lifetime.arena().allocate(length, Long.BYTES);
        read(number, start, bytes);
        keptBytes += length;
        return bytes.asReadOnly();
    }

    /**
     * Passes if the columns of changes have the bytes that were written, for a map whose reads are not
     * checked. Costs a read of all of them.
     *
     * @throws VarviteException if a block of one is damaged
     */
    public void checkChanges() {
        if (checked || directory.changes().isEmpty()) {
            return;
        }
        BitSet left = new BitSet();
        directory.changes().get().columns().filter(column -> column != ColumnRow.NONE).forEach(left::set);
        // Columns come behind their children, so that each is taken once.
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
     * Closes the file: every slice of it is dead from then on, on all threads, and the file is unmapped.
     * Closing twice is closing once. Costs some microseconds, more where other threads are reading.
     *
     * @throws GraphBusyException if a slice is in use by an operation that does not end
     */
    public void close() {
        lifetime.close();
    }
}
