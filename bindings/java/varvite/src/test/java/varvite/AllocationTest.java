package varvite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.function.IntBinaryOperator;
import java.util.function.IntConsumer;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import varvite.testing.Allocation;

/** Tests that reading an edge or a value allocates nothing. */
class AllocationTest {
    /**
     * The number of measured calls. It is so large that noise is less than one smallest object per hundred
     * calls.
     */
    private static final int CALLS = 20_000;
    private static final double NOISE = 0.1;
    private static final byte[] NAME = "name7".getBytes(StandardCharsets.UTF_8);
    private static final byte[] OUT = new byte[1 << 12];
    private static final long[] BITS = new long[1 << 10];
    private static final long[] NUMBERS = new long[1 << 8];
    private static final int[] INTS = new int[1 << 8];

    private static final Graph DIRECT = Golden.open("blocks.direct.varvite");
    private static final Graph COMPACT = Golden.open("blocks.compact.varvite");

    private static final Graph INDEXED = Golden.open("awkward.indexed.varvite");

    @Test
    void anAllocationIsSeen() {
        assertTrue(Allocation.perCall(CALLS, i -> new long[1 + (i & 3)].length) > NOISE);
    }

    @TestFactory
    Stream<DynamicTest> hopsAllocateNothing() {
        return bothProfiles("CFG", "AST", "REF", "CALL").flatMap(way -> Stream.of(
                quiet(way + " first", way.adjacency::first),
                quiet(way + " degree", way.adjacency::degree),
                quiet(way + " firstRank", way.adjacency::firstRank),
                quiet(way + " get", node -> way.adjacency.degree(node) == 0 || way.isTree() ? 0 : way.adjacency.get(node, 0)),
                quiet(way + " cursor", way::sumOfCursor),
                quiet(way + " forEach", way::sumOfEach),
                quiet(way + " append", way::append),
                quiet(way + " copyInto", node -> way.adjacency.copyInto(node, way.out, 0)),
                quiet(way + " expand", node -> way.adjacency.expand(way.frontier(node), 2, way.out)),
                quiet(way + " expand into a list", way::expand),
                quiet(way + " expand with ends", way::expandWithEnds)));
    }

    @TestFactory
    Stream<DynamicTest> valuesAllocateNothing() {
        return Stream.of(DIRECT, COMPACT).flatMap(graph -> {
            IntProperty slope = graph.ints("SLOPE");
            IntProperty list = graph.ints("LIST");
            LongProperty wide = graph.longs("I64");
            TextProperty name = graph.texts("NAME");
            BytesProperty key = graph.bytes("KEY");
            BytesProperty code = graph.bytes("CODE");
            RefProperty evidence = graph.refs("EVIDENCE");
            RecentTexts recentText = someTexts(name);
            int[] ints = new int[8];
            String profile = graph.profile() + " ";
            return Stream.of(
                    quiet(profile + "int", node -> slope.get(node, -1)),
                    quiet(profile + "list", node -> list.count(node) + list.copyInto(node, ints, 0)),
                    quiet(profile + "long", node -> wide.get(node, -1)),
                    quiet(profile + "presence", node -> wide.isPresent(node) ? 1 : 0),
                    quiet(profile + "ref", evidence::get),
                    quiet(profile + "code", name::code),
                    quiet(profile + "recent text", node -> recentText.get(node) == null ? 0 : 1),
                    quiet(profile + "find text", node -> name.texts().find(NAME)),
                    quiet(profile + "length", code::length),
                    quiet(profile + "bytes", node -> key.copyInto(node, OUT, 0)),
                    quiet(profile + "text as bytes", node -> code.copyInto(node, OUT, 0)));
        });
    }

    /** A reader that has already cached the strings of all owners. */
    private static RecentTexts someTexts(TextProperty property) {
        RecentTexts recent = property.recentTexts();
        property.owners().forEach(recent::get);
        return recent;
    }

    @TestFactory
    Stream<DynamicTest> bytesReadInPlaceAllocateNothing() {
        return Stream.of(DIRECT, COMPACT).flatMap(graph -> Stream.of(graph.bytes("KEY").cursor(), graph.texts("NAME").cursor())
                .flatMap(value -> Stream.of(
                        quiet(graph.profile() + " first byte", node -> value.of(node) ? value.get(0) : 0),
                        quiet(graph.profile() + " last bytes", node -> lastBytes(value, node)),
                        quiet(graph.profile() + " in place", node -> inPlace(value, node)),
                        quiet(graph.profile() + " same bytes", node -> value.of(node) && value.contentEquals(NAME) ? 1 : 0),
                        quiet(graph.profile() + " copy", node -> value.of(node) ? value.copyInto(OUT, 0) : 0))));
    }

    private static long lastBytes(BytesCursor value, int node) {
        return value.of(node) && value.length() >= Long.BYTES ? value.getLong(value.length() - Long.BYTES) : 0;
    }

    private static long inPlace(BytesCursor value, int node) {
        return value.of(node) ? value.segment().get(ValueLayout.JAVA_BYTE, value.offset()) : 0;
    }

    @TestFactory
    Stream<DynamicTest> lookUpsByTextAllocateNothing() {
        TextIndex index = INDEXED.textIndex("NAME").orElseThrow();
        byte[] name = INDEXED.bytes("NAME").table().slice(0).toArray(ValueLayout.JAVA_BYTE);
        int codes = INDEXED.texts("NAME").texts().count();
        IntList found = new IntList();
        return Stream.of(
                quiet("find", node -> index.find(name) + index.find(NAME)),
                quiet("first", node -> index.first(node % codes) + index.count(node % codes)),
                quiet("append", node -> {
                    found.clear();
                    index.append(node % codes, found);
                    return found.size();
                }));
    }

    /** Tests every property of every type and cardinality, of nodes and of edges. */
    @TestFactory
    Stream<DynamicTest> everyPropertyAllocatesNothing() {
        return Stream.of(DIRECT, COMPACT, INDEXED, Golden.open("awkward.direct.varvite"), Golden.open("awkward.compact.varvite"))
                .flatMap(graph -> graph.properties().stream().map(graph::property).map(property -> {
                    int owners = Math.max(1, property.owners().limit());
                    IntToLongFunction read = readerOf(property);
                    String name = graph.path().getFileName() + " " + property.info().name() + " " + property.info().type();
                    return quietCalls(name, i -> i % owners < property.owners().limit() ? read.applyAsLong(i % owners) : 0);
                }));
    }

    /**
     * Reads presence, count, first value and all values of an owner, by the methods for the property's type.
     */
    private static IntToLongFunction readerOf(Property property) {
        long[] longs = new long[64];
        double[] doubles = new double[64];
        int[] ints = new int[64];
        IntToLongFunction read = switch (property) {
            case IntProperty one -> owner -> one.get(owner, -1) + one.copyInto(owner, ints, 0);
            case LongProperty one -> owner -> one.get(owner, -1) + one.copyInto(owner, longs, 0);
            case DoubleProperty one -> owner -> (long) one.get(owner, -1) + one.copyInto(owner, doubles, 0);
            case RefProperty one -> owner -> one.get(owner) + one.copyInto(owner, ints, 0);
            case BytesProperty one -> bytesReader(one.cursor(), one::code, one::codeAt, one);
            case TextProperty one -> bytesReader(one.cursor(), one::code, one::codeAt, one);
        };
        RecentNumbers recent = property.recentNumbers();
        return owner -> {
            int end = Math.min(owner + NUMBERS.length, property.owners().limit());
            property.fill(owner, end, NUMBERS, BITS);
            property.selectPresent(owner, end, BITS);
            property.select(1, 7, owner, end, BITS);
            long more = property.countIn(1, 7, owner, end) + sumAndFill(property, owner, end);
            return more + (property.isPresent(owner) ? property.count(owner) : 0) + read.applyAsLong(owner) + recent.get(owner, -1) + NUMBERS[0];
        };
    }

    private static long sumAndFill(Property property, int owner, int end) {
        return switch (property) {
            case IntProperty one -> {
                one.fill(owner, end, INTS, BITS);
                yield one.sum(owner, end);
            }
            case LongProperty one -> sumOf(one, owner, end);
            case TextProperty one -> {
                one.fill(owner, end, INTS, BITS);
                yield INTS[0];
            }
            default -> 0;
        };
    }

    /** The sum, or 0 if it may not fit in a long. The test for this does not compute a sum. */
    private static long sumOf(LongProperty property, int start, int end) {
        boolean isSmall = property.countIn(-1L << 40, 1L << 40, start, end) == property.countIn(Long.MIN_VALUE, Long.MAX_VALUE, start, end);
        return isSmall ? property.sum(start, end) : 0;
    }

    private static IntToLongFunction bytesReader(
            BytesCursor value, IntUnaryOperator code, IntBinaryOperator codeAt, Property property) {
        return owner -> {
            long sum = code.applyAsInt(owner) + (value.of(owner) ? value.length() + value.copyInto(OUT, 0) : 0);
            for (int i = 0; i < property.count(owner); i++) {
                sum += value.ofCode(codeAt.applyAsInt(owner, i)) && value.length() > 0 ? value.get(0) : 0;
            }
            return sum;
        };
    }

    @TestFactory
    Stream<DynamicTest> labelsAndSubtreesAllocateNothing() {
        return Stream.of(DIRECT, COMPACT).flatMap(graph -> {
            Labels labels = graph.labelSets();
            Label call = graph.label("CALL");
            LabelTest test = labels.test(call);
            NodeSet calls = graph.nodes("CALL");
            NodeSet methods = graph.nodes("METHOD");
            Subtree subtree = graph.subtree().orElseThrow();
            String profile = graph.profile() + " ";
            return Stream.of(
                    quiet(profile + "label word", labels::word),
                    quiet(profile + "label test", node -> test.matches(node) && labels.has(node, call) ? 1 : 0),
                    quiet(profile + "bitmap", node -> calls.rank(node) + calls.next(node) + calls.memberRank(node)),
                    quiet(profile + "sparse", node -> methods.rank(node) + methods.next(node) + methods.memberRank(node)),
                    quiet(profile + "bits", node -> {
                        calls.bits(node, graph.nodeCount(), BITS);
                        methods.bits(0, node, BITS);
                        return BITS[0];
                    }),
                    quiet(profile + "select", node -> calls.select(node % calls.size())),
                    quiet(profile + "subtree", node -> subtree.end(node)));
        });
    }

    /** Calls {@code read} repeatedly, with the node ids of the smallest graph. */
    private static DynamicTest quiet(String name, IntToLongFunction read) {
        int nodes = DIRECT.nodeCount();
        return quietCalls(name, i -> read.applyAsLong(i % nodes));
    }

    private static DynamicTest quietCalls(String name, IntToLongFunction read) {
        return dynamicTest(name, () -> {
            assumeTrue(Allocation.isCounted());
            double bytes = Allocation.perCall(CALLS, read);
            assertTrue(bytes < NOISE, bytes + " bytes allocated for each");
        });
    }

    private static Stream<Way> bothProfiles(String... labels) {
        return Stream.of(DIRECT, COMPACT).flatMap(graph -> Stream.of(labels).flatMap(label -> Stream.of(
                new Way(graph, label, Direction.OUT), new Way(graph, label, Direction.IN))));
    }

    /** One direction of an edge label, with the memory that all reads reuse. */
    private static final class Way {
        private final String name;
        private final Adjacency adjacency;
        private final NeighborCursor cursor;
        private final IntList list = new IntList();
        private long sum;
        private final IntConsumer add = node -> sum += node;
        private final int[] frontier = new int[2];
        private final int[] all = IntStream.range(0, 64).toArray();
        private final int[] ends = new int[64];
        private final int[] out = new int[1 << 12];

        Way(Graph graph, String label, Direction direction) {
            name = graph.profile() + " " + label + " " + direction;
            adjacency = graph.adjacency(graph.edgeLabel(label), direction);
            cursor = adjacency.cursor();
        }

        /** Whether this is the tree label, whose children cannot be read by index in constant time. */
        boolean isTree() {
            return name.contains("AST");
        }

        long sumOfCursor(int node) {
            long sum = 0;
            for (cursor.of(node); cursor.next(); ) {
                sum += cursor.node();
            }
            return sum;
        }

        long sumOfEach(int node) {
            sum = 0;
            adjacency.forEach(node, add);
            return sum;
        }

        long append(int node) {
            list.clear();
            adjacency.append(node, list);
            return list.size();
        }

        long expand(int node) {
            list.clear();
            adjacency.expand(all, all.length, list);
            return list.size();
        }

        long expandWithEnds(int node) {
            list.clear();
            adjacency.expand(all, all.length, list, ends);
            return ends[node % ends.length];
        }

        int[] frontier(int node) {
            frontier[0] = node;
            frontier[1] = node / 2;
            return frontier;
        }

        @Override
        public String toString() {
            return name;
        }
    }

    @Test
    void theHeapHoldsNoColumns() throws Exception {
        try (Graph graph = Graph.open(Golden.file("blocks.direct.varvite"))) {
            graph.out("CFG");
            long before = Allocation.ofThisThread();
            Graph again = Graph.open(graph.path());
            long opened = Allocation.ofThisThread() - before;
            again.close();
            assertTrue(opened < 200_000, opened + " bytes for a directory");
            assertEquals(Files.size(graph.path()), graph.memory().mapped());
        }
    }
}
