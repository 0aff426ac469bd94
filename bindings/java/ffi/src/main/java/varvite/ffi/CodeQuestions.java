package varvite.ffi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/** Calls the functions of {@code varvite_cpg.h}: allocates memory for results and converts them. */
final class CodeQuestions {
    /**
     * The size of the C struct {@code varvite_site}, with the fields line, file, file_length, method_name,
     * method_name_length, method and known.
     */
    private static final long SITE_BYTES = 48;

    private static final long FILE_AT = 8;
    private static final long METHOD_NAME_AT = 24;
    private static final long METHOD_AT = 40;
    private static final long KNOWN_AT = 44;

    private static final int FILE = 1;
    private static final int LINE = 2;
    private static final int METHOD = 4;
    private static final int METHOD_NAME = 8;
    private static final int CUT_OFF = 16;

    /** The maximum number of nodes in one native call. */
    private static final int NODES_AT_ONCE = 4096;
    /** The initial size in bytes of the buffer for the names that one native call returns. */
    static final long TEXT_BYTES = 1 << 16;
    /** The initial capacity of the memory for a result, in nodes. */
    private static final long ROOM = 256;

    private CodeQuestions() {}

    /**
     * The source locations of nodes. Initially, the buffer for the names that one native call returns has
     * {@code textBytes} bytes.
     */
    static List<Site> sites(NativeGraph graph, int[] nodes, long textBytes) {
        List<Site> sites = new ArrayList<>(nodes.length);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            MemorySegment answered = arena.allocate(JAVA_LONG);
            MemorySegment asked = arena.allocateFrom(JAVA_INT, nodes);
            MemorySegment room = arena.allocate(SITE_BYTES * Math.min(nodes.length, NODES_AT_ONCE), Long.BYTES);
            MemorySegment texts = arena.allocate(textBytes);
            do {
                MemorySegment rest = asked.asSlice((long) Integer.BYTES * sites.size());
                long count = Math.min(nodes.length - sites.size(), NODES_AT_ONCE);
                int status = (int) Call.SITES.invokeExact(
                        graph.handle(), rest, count, room, SITE_BYTES, texts, texts.byteSize(), answered, error);
                if (status == Call.TOO_SMALL) {
                    // Not even the names of the first node fit in the buffer.
                    texts = arena.allocate(2 * texts.byteSize());
                    continue;
                }
                Call.check(status, error);
                read(room.asSlice(0, SITE_BYTES * answered.get(JAVA_LONG, 0)), texts, sites);
            } while (sites.size() < nodes.length);
        } catch (Throwable e) {
            throw graph.failure(e);
        }
        return sites;
    }

    private static void read(MemorySegment found, MemorySegment texts, List<Site> sites) {
        Name file = new Name(FILE_AT);
        Name methodName = new Name(METHOD_NAME_AT);
        for (long at = 0; at < found.byteSize(); at += SITE_BYTES) {
            MemorySegment site = found.asSlice(at, SITE_BYTES);
            int known = site.get(JAVA_INT, KNOWN_AT);
            sites.add(new Site(
                    (known & FILE) == 0 ? Optional.empty() : Optional.of(file.of(site, texts)),
                    (known & LINE) == 0 ? OptionalLong.empty() : OptionalLong.of(site.get(JAVA_LONG, 0)),
                    (known & METHOD) == 0 ? OptionalInt.empty() : OptionalInt.of(site.get(JAVA_INT, METHOD_AT)),
                    (known & METHOD_NAME) == 0 ? Optional.empty() : Optional.of(methodName.of(site, texts)),
                    (known & CUT_OFF) != 0));
        }
    }

    /** Reads one of the two names of each site. Consecutive nodes with the same name share one string. */
    private static final class Name {
        private final long at;
        private long start = -1;
        private long length;
        private String text;

        /**
         * Reads the name whose address is the field at offset {@code at} of a site; the next field is its
         * length.
         */
        Name(long at) {
            this.at = at;
        }

        String of(MemorySegment site, MemorySegment texts) {
            long nextStart = site.get(JAVA_LONG, at);
            long nextLength = site.get(JAVA_LONG, at + Long.BYTES);
            if (nextStart != start || nextLength != length) {
                start = nextStart;
                length = nextLength;
                text = new String(texts.asSlice(start, length).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
            }
            return text;
        }
    }

    static int[] callsOf(NativeGraph graph, int[] methods) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            MemorySegment count = arena.allocate(JAVA_LONG);
            MemorySegment asked = arena.allocateFrom(JAVA_INT, methods);
            MemorySegment calls;
            long room = ROOM;
            int status;
            do {
                calls = arena.allocate(JAVA_INT, room);
                status = (int) Call.CALLS_OF.invokeExact(
                        graph.handle(), asked, (long) methods.length, calls, room, count, error);
                room = count.get(JAVA_LONG, 0);
            } while (status == Call.TOO_SMALL);
            Call.check(status, error);
            return calls.asSlice(0, Integer.BYTES * room).toArray(JAVA_INT);
        } catch (Throwable e) {
            throw graph.failure(e);
        }
    }

    static List<Callee> calleesOf(NativeGraph graph, int[] methods) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment error = Call.error(arena);
            MemorySegment count = arena.allocate(JAVA_LONG);
            MemorySegment asked = arena.allocateFrom(JAVA_INT, methods);
            MemorySegment callees;
            MemorySegment calls;
            long room = ROOM;
            int status;
            do {
                callees = arena.allocate(JAVA_INT, room);
                calls = arena.allocate(JAVA_LONG, room);
                status = (int) Call.CALLEES_OF.invokeExact(
                        graph.handle(), asked, (long) methods.length, callees, calls, room, count, error);
                room = count.get(JAVA_LONG, 0);
            } while (status == Call.TOO_SMALL);
            Call.check(status, error);
            int[] ids = callees.asSlice(0, Integer.BYTES * room).toArray(JAVA_INT);
            long[] numbers = calls.asSlice(0, Long.BYTES * room).toArray(JAVA_LONG);
            return IntStream.range(0, ids.length).mapToObj(at -> new Callee(ids[at], numbers[at])).toList();
        } catch (Throwable e) {
            throw graph.failure(e);
        }
    }
}
