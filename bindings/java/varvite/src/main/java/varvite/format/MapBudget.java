package varvite.format;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import varvite.error.OverBudgetException;
import varvite.spi.EngineBudget;

/**
 * The memory that open files may have together, and the thread that keeps all such files of the process
 * within it.
 *
 * <p>Each check is a small read: the number of file pages in the process. If the pages that came since the
 * first file was opened fill half of the room that copies and the engine leave, the thread gives maps back,
 * one after the other, those without a use of a segment since the last check first, until half of that is
 * free. A later read maps the pages again. The thread refers to maps and not to files, so that an unreachable
 * file can be collected and closed.
 */
public final class MapBudget {
    private static final long LOOK_NANOS_MIN = 100_000;
    private static final long LOOK_NANOS_MAX = 10_000_000;
    /**
     * Bytes of a map that a process may read in a microsecond, more or less, which are in the system's cache.
     */
    private static final long BYTES_PER_MICROSECOND = 8192;
    /** File pages may become fewer by this much without a count. */
    private static final long SHRINK_MIN = 1 << 20;
    /** Counts take no more than this share of the time. */
    private static final long COUNT_PAUSE = 20;

    /** Guards everything here. */
    private static final ReentrantLock LOCK = new ReentrantLock();

    private static final Condition CHANGED = LOCK.newCondition();
    private static final Set<MapBudget> WATCHED = new LinkedHashSet<>();
    private static Thread watch;

    private final long limit;
    /** In the order in which they are given back. */
    private final Set<Member> members = new LinkedHashSet<>();
    /** Bytes of files that are copied, and not mapped. */
    private long copied;
    /** Null until the first read of a coded segment. */
    private EngineBudget engine;
    /** Whether no more files come: the engine's part goes with the last one. */
    private boolean isClosed;

    /**
     * File pages that are not of these maps, by the last count; all of them at the last look; and how many
     * went between two counts.
     */
    private long others;
    private long last;
    private long fallen;
    /** The earliest time of the next count of pages, which takes long for many files. */
    private long countAt = System.nanoTime();
    private long givenBack;

    /** The bytes of one file, without a reference to its readers. */
    static final class Member {
        private final MemorySegment bytes;
        private final boolean isMapped;
        private volatile boolean isUsed;

        Member(MemorySegment bytes) {
            this.bytes = bytes;
            isMapped = bytes.isMapped();
        }

        /** Notes a use of the file, so that pages of other files are given back first. */
        void use() {
            isUsed = true;
        }

        private long copied() {
            return isMapped ? 0 : bytes.byteSize();
        }

        private void giveBack() {
            try {
                bytes.unload();
            } catch (IllegalStateException closed) {
                // Its pages are gone anyway.
            }
        }
    }

    /** A budget of so many bytes. */
    public MapBudget(long limit) {
        this.limit = limit;
    }

    /** Most bytes that files may have together. */
    public long limit() {
        return limit;
    }

    /** Private bytes of the files now: copies, and the engine's bytes. */
    public long heldBytes() {
        LOCK.lock();
        try {
            return copied + (engine == null ? 0 : engine.heldBytes());
        } finally {
            LOCK.unlock();
        }
    }

    /**
     * Bytes of the maps that are in memory now; -1 if the system does not report it. Costs a count of them.
     */
    public long residentBytes() {
        LOCK.lock();
        try (ProcessPages pages = ProcessPages.open()) {
            return pages == null ? -1 : resident(pages);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            LOCK.unlock();
        }
    }

    /** The number of times that maps were given back. */
    public long givenBack() {
        LOCK.lock();
        try {
            return givenBack;
        } finally {
            LOCK.unlock();
        }
    }

    /** The native engine's part of the budget, made on first use. */
    public EngineBudget engine() {
        LOCK.lock();
        try {
            if (engine == null) {
                engine = Engines.budget(limit);
            }
            return engine;
        } finally {
            LOCK.unlock();
        }
    }

    /** Gives the engine's part back, when the last file leaves. */
    public void close() {
        LOCK.lock();
        try {
            isClosed = true;
            closeEngine();
        } finally {
            LOCK.unlock();
        }
    }

    private void closeEngine() {
        if (isClosed && members.isEmpty() && engine != null) {
            engine.close();
            engine = null;
        }
    }

    /** Adds a file, which {@link #leave} takes out. */
    void join(Member member) {
        LOCK.lock();
        try {
            if (copied + member.copied() > limit) {
                throw OverBudgetException.ofGraphs(limit, copied + member.copied());
            }
            if (members.isEmpty()) {
                begin();
            }
            members.add(member);
            copied += member.copied();
            CHANGED.signal();
        } finally {
            LOCK.unlock();
        }
    }

    /** Takes a file out; with the last one the thread ends. */
    void leave(Member member) {
        LOCK.lock();
        try {
            if (members.remove(member)) {
                copied -= member.copied();
            }
            if (members.isEmpty()) {
                WATCHED.remove(this);
                closeEngine();
                CHANGED.signal();
            }
        } finally {
            LOCK.unlock();
        }
    }

    /** Pages that the process has by now are not of this budget. */
    private void begin() {
        try (ProcessPages pages = ProcessPages.open()) {
            if (pages == null) {
                return;
            }
            note(pages.ofFiles(), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        WATCHED.add(this);
        if (watch == null) {
            watch = Thread.ofPlatform().name("varvite-watch").daemon().start(MapBudget::watch);
        }
    }

    private static void watch() {
        LOCK.lock();
        try (ProcessPages pages = ProcessPages.open()) {
            while (pages != null && !WATCHED.isEmpty()) {
                long start = System.nanoTime();
                long file = pages.ofFiles();
                long pause = LOOK_NANOS_MAX;
                for (MapBudget budget : WATCHED) {
                    pause = Math.min(pause, budget.look(file, pages));
                }
                // Looks take half of a processor at most, however many files there are.
                CHANGED.awaitNanos(Math.max(pause, System.nanoTime() - start));
            }
        } catch (IOException | InterruptedException e) {
            // The thread is never interrupted, and closing a file that was only read can't fail.
        } finally {
            watch = null;
            LOCK.unlock();
        }
    }

    /** Gives back the excess. Returns the time until the next check. */
    private long look(long file, ProcessPages pages) {
        if (file < 0) {
            return LOOK_NANOS_MAX;
        }
        long room = Math.max(limit - heldBytes(), 0) / 2;
        long ofMaps = ofMaps(file, pages);
        if (ofMaps > room) {
            ofMaps = giveBack(room, pages);
        }
        long nanos = Math.max(room - ofMaps, 0) / BYTES_PER_MICROSECOND * 1000;
        return Math.clamp(nanos, LOOK_NANOS_MIN, LOOK_NANOS_MAX);
    }

    /**
     * An upper bound of the maps' part of {@code file} bytes: all bytes since the last count are included.
     */
    private long ofMaps(long file, ProcessPages pages) {
        fallen += Math.max(last - file, 0);
        last = file;
        long start = System.nanoTime();
        if (fallen > SHRINK_MIN && start - countAt >= 0) {
            long resident = resident(pages);
            note(file, resident < 0 ? file : resident);
            long end = System.nanoTime();
            countAt = end + (end - start) * COUNT_PAUSE;
        }
        return Math.max(file - others, 0);
    }

    private void note(long file, long ofMaps) {
        others = Math.max(file - ofMaps, 0);
        last = file;
        fallen = 0;
    }

    /**
     * Gives maps back until they leave half of {@code room} free. Returns an upper bound of the remaining
     * bytes.
     */
    private long giveBack(long room, ProcessPages pages) {
        // Members that are in use come last.
        List<Member> inTurn = new ArrayList<>(members.size());
        members.stream().filter(member -> member.isMapped && !member.isUsed).forEach(inTurn::add);
        int unused = inTurn.size();
        members.stream().filter(member -> member.isMapped && member.isUsed).forEach(inTurn::add);
        int given = 0;
        for (; given < inTurn.size() && last > others + room / 2; given++) {
            Member member = inTurn.get(given);
            member.giveBack();
            // Next time the others come first.
            members.remove(member);
            members.add(member);
            last = pages.ofFiles();
        }
        inTurn.subList(unused, inTurn.size()).forEach(member -> member.isUsed = false);
        givenBack += given > 0 ? 1 : 0;
        if (given == inTurn.size()) {
            note(last, 0);
        }
        return Math.max(last - others, 0);
    }

    /** Bytes of the maps that are in memory; -1 if the system does not report it. */
    private long resident(ProcessPages pages) {
        long resident = 0;
        for (Member member : members) {
            long bytes = member.isMapped ? pages.of(member.bytes) : 0;
            if (bytes < 0) {
                return -1;
            }
            resident += bytes;
        }
        return resident;
    }
}
