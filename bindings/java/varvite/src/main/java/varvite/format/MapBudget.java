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
 * A memory limit that several open files share. One thread keeps all such files of the process within their
 * limits.
 *
 * <p>The thread checks the limits often; a check is one small read of the number of file pages in the
 * process. Mapped pages may fill half of the part of the budget that copies and the engine do not use. If the
 * pages that were added since the first file was opened exceed this size, the thread gives back maps, one
 * after the other, until at most half of this size is left. It begins with maps whose segments were not used
 * since maps were last given back. A later read maps the pages again. The thread refers to maps and not to
 * files, so that an unreachable file can be garbage-collected and closed.
 */
public final class MapBudget {
    private static final long LOOK_NANOS_MIN = 100_000;
    private static final long LOOK_NANOS_MAX = 10_000_000;
    /**
     * The approximate number of bytes of a map that a process can read in a microsecond, if the bytes are in
     * the system's cache.
     */
    private static final long BYTES_PER_MICROSECOND = 8192;
    /**
     * If the file pages of the process decrease by more than this number of bytes, the pages of the maps are
     * counted again.
     */
    private static final long SHRINK_MIN = 1 << 20;
    /** The pause between two counts is this many times the duration of a count. */
    private static final long COUNT_PAUSE = 20;

    /** Guards all fields of all budgets. */
    private static final ReentrantLock LOCK = new ReentrantLock();

    private static final Condition CHANGED = LOCK.newCondition();
    private static final Set<MapBudget> WATCHED = new LinkedHashSet<>();
    private static Thread watch;

    private final long limit;
    /** The files of the budget, in the order in which their maps are given back. */
    private final Set<Member> members = new LinkedHashSet<>();
    /** The number of bytes of those files that are copied instead of mapped. */
    private long copied;
    /** The engine's part of the budget; null until the first read of a compressed segment. */
    private EngineBudget engine;
    /** Whether the budget was closed. If so, the engine's part is released when the last file leaves. */
    private boolean isClosed;

    /**
     * File pages of the process, in bytes: {@code others} is those that did not belong to this budget's maps
     * at the last count, {@code last} all of them at the last check, {@code fallen} their total decrease
     * since the last count.
     */
    private long others;
    private long last;
    private long fallen;
    /**
     * The earliest time for the next count. Counts are limited because a count is slow if there are many
     * files.
     */
    private long countAt = System.nanoTime();
    private long givenBack;

    /** A file's bytes as a member of the budget. Holds no reference to readers of the file. */
    static final class Member {
        private final MemorySegment bytes;
        private final boolean isMapped;
        private volatile boolean isUsed;

        Member(MemorySegment bytes) {
            this.bytes = bytes;
            isMapped = bytes.isMapped();
        }

        /** Marks the file as used, so that the thread gives back other files' pages first. */
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
                // The file is closed, and its pages are already gone.
            }
        }
    }

    /** A budget of {@code limit} bytes. */
    public MapBudget(long limit) {
        this.limit = limit;
    }

    /** The limit in bytes. */
    public long limit() {
        return limit;
    }

    /** The private bytes that the files hold now: those of copies and of the engine. */
    public long heldBytes() {
        LOCK.lock();
        try {
            return copied + (engine == null ? 0 : engine.heldBytes());
        } finally {
            LOCK.unlock();
        }
    }

    /**
     * The number of bytes of the maps that are in memory now; -1 if the system does not report it. Counts the
     * pages of all maps.
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

    /** The number of times that the thread gave back maps. */
    public long givenBack() {
        LOCK.lock();
        try {
            return givenBack;
        } finally {
            LOCK.unlock();
        }
    }

    /** The native engine's part of the budget, which is created on first use. */
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

    /** Closes the budget: the engine's part is released when the last file leaves. */
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

    /** Adds a file to the budget. {@link #leave} removes it again. */
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

    /** Removes a file from the budget. The thread ends when no budget has files any more. */
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

    /** Begins to watch the budget. The file pages that the process has now do not belong to this budget. */
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
                // Checks take at most half of a processor's time, however many files there are.
                CHANGED.awaitNanos(Math.max(pause, System.nanoTime() - start));
            }
        } catch (IOException | InterruptedException e) {
            // Neither can happen: the thread is never interrupted, and closing a file that was only read
            // can't fail.
        } finally {
            watch = null;
            LOCK.unlock();
        }
    }

    /**
     * Checks the budget and gives back maps if they exceed it. Returns the nanoseconds until the next check.
     */
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
     * An upper bound of the bytes of this budget's maps that are in memory. {@code file} is the number of
     * bytes of all file pages of the process; those added since the last count are assumed to belong to these
     * maps.
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
     * Gives back maps until they fill at most half of {@code room}. Returns an upper bound of the maps'
     * remaining bytes.
     */
    private long giveBack(long room, ProcessPages pages) {
        // Give back the maps of used members last.
        List<Member> inTurn = new ArrayList<>(members.size());
        members.stream().filter(member -> member.isMapped && !member.isUsed).forEach(inTurn::add);
        int unused = inTurn.size();
        members.stream().filter(member -> member.isMapped && member.isUsed).forEach(inTurn::add);
        int given = 0;
        for (; given < inTurn.size() && last > others + room / 2; given++) {
            Member member = inTurn.get(given);
            member.giveBack();
            // Move the member to the end, so that the others come first the next time.
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

    /** The number of bytes of the maps that are in memory; -1 if the system does not report it. */
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
