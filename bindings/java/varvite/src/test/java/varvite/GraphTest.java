package varvite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import varvite.error.DamagedFileException;
import varvite.error.GraphBusyException;
import varvite.error.GraphClosedException;
import varvite.error.NativeRequiredException;
import varvite.error.NoSuchNodeException;
import varvite.error.NotAFileException;
import varvite.error.NotVarviteException;
import varvite.error.UnknownNameException;
import varvite.error.UnsupportedFileException;
import varvite.error.VarviteException;
import varvite.error.WrongTypeException;

/** Tests of names, invalid calls, and handles. */
class GraphTest {
    private static final Graph GRAPH = Golden.open("blocks.compact.varvite");

    @AfterAll
    static void close() {
        GRAPH.close();
    }

    @Test
    void anUnknownNameIsAnsweredWithTheNearest() {
        checkUnknown("label", "METHODS", "METHOD", () -> GRAPH.nodes("METHODS"));
        checkUnknown("edge label", "cfg", "CFG", () -> GRAPH.out("cfg"));
        checkUnknown("property", "SLOPES", "SLOPE", () -> GRAPH.ints("SLOPES"));
        checkUnknown("property", "VARIABLE", null, () -> GRAPH.property("VARIABLE"));
        checkUnknown("edge property", "VARIABEL", "VARIABLE", () -> GRAPH.edgeProperty("REACHING_DEF", "VARIABEL"));
        checkUnknown("label", "QQQQQQQQ", null, () -> GRAPH.label("QQQQQQQQ"));
    }

    private static void checkUnknown(String kind, String name, String nearest, Executable question) {
        UnknownNameException error = assertThrows(UnknownNameException.class, question);
        assertEquals(List.of(kind, name), List.of(error.kind(), error.name()));
        assertEquals(Optional.ofNullable(nearest), error.nearest());
        assertTrue(error.getMessage().contains("\"" + name + "\""), error.getMessage());
    }

    @Test
    void aPropertyIsReadAsTheTypeThatItHas() {
        WrongTypeException error = assertThrows(WrongTypeException.class, () -> GRAPH.ints("NAME"));
        assertEquals("property NAME holds string, not bool or an integer of up to 32 bits", error.getMessage());
        assertThrows(WrongTypeException.class, () -> GRAPH.ints("I64"));
        assertThrows(WrongTypeException.class, () -> GRAPH.texts("KEY"));
        assertThrows(WrongTypeException.class, () -> GRAPH.refs("ZERO"));
        assertThrows(WrongTypeException.class, () -> GRAPH.doubles("ZERO"));
        assertEquals(5, GRAPH.longs("NUMBER").get(0, -1));
        assertEquals(GRAPH.ints("SLOPE").get(7, -1), GRAPH.longs("SLOPE").get(7, -1));
    }

    @Test
    void aBitTellsOfNodesThatTheyHaveNoNeighbours() {
        int told = 0;
        for (EdgeLabel label : GRAPH.edgeLabels()) {
            Adjacency out = GRAPH.out(label.name());
            assertTrue(out.mayHave(-1) && out.mayHave(GRAPH.nodeCount()));
            for (int node = 0; node < GRAPH.nodeCount(); node++) {
                if (!out.mayHave(node)) {
                    assertEquals(0, out.degree(node));
                    told++;
                }
            }
        }
        assertTrue(told > 0);
    }

    @Test
    void anIdOutOfRangeIsNamed() {
        Adjacency flow = GRAPH.out("CFG");
        for (int id : new int[] {-1, GRAPH.nodeCount(), Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            for (Executable question : List.<Executable>of(
                    () -> flow.first(id),
                    () -> flow.cursor().of(id),
                    () -> flow.append(id, new IntList()),
                    () -> GRAPH.in("AST").first(id),
                    () -> GRAPH.out("AST").degree(id),
                    () -> GRAPH.subtree().orElseThrow().size(id),
                    () -> GRAPH.labelSets().word(id),
                    () -> GRAPH.ints("SLOPE").get(id, 0),
                    () -> GRAPH.texts("NAME").code(id),
                    () -> GRAPH.node(id))) {
                NoSuchNodeException error = assertThrows(NoSuchNodeException.class, question);
                assertEquals("there is no node " + id + ": ids are 0 to 1299", error.getMessage());
            }
        }
        assertThrows(NoSuchNodeException.class, () -> GRAPH.edgeProperty("REACHING_DEF", "VARIABLE").count(100_000));
        assertThrows(IndexOutOfBoundsException.class, () -> flow.get(0, 100));
        assertThrows(IndexOutOfBoundsException.class, () -> GRAPH.nodes("CALL").select(5000));
        assertThrows(IndexOutOfBoundsException.class, () -> GRAPH.texts("NAME").texts().get(5000));
        assertThrows(IndexOutOfBoundsException.class, () -> GRAPH.ints("LIST").at(0, 9));
    }

    @Test
    void whatNobodyHasIsEmpty() {
        assertEquals(0, GRAPH.nodes("NOBODY").size());
        assertEquals(-1, GRAPH.nodes("NOBODY").next(0));
        assertEquals(0, GRAPH.out("NEVER").degree(5));
    }

    @Test
    void whatIsNoFileIsNoGraph(@TempDir Path folder) throws IOException {
        assertThrows(NoSuchFileException.class, () -> Graph.open(folder.resolve("absent.varvite")));
        assertEquals(-11, assertThrows(NotAFileException.class, () -> Graph.open(folder)).number());
    }

    @Test
    void aBadByteIsFoundWhereChecksumsAreRead(@TempDir Path folder) throws IOException {
        Path path = Files.copy(Golden.file("blocks.direct.varvite"), folder.resolve("bad.varvite"));
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(3 * 4096 + 5);
            file.write(file.read() ^ 1);
        }
        try (Graph graph = Graph.openChecked(path)) {
            DamagedFileException error = assertThrows(DamagedFileException.class, () -> EveryValue.read(graph));
            assertEquals("segment 0, block 0", error.part());
            assertEquals(3 * 4096, error.offset());
            assertTrue(error.expected().startsWith("checksum "), error.expected());
        }
    }

    @Test
    void errorsHaveTheNumbersOfTheTable() {
        String table = Golden.page("docs/errors.md");
        Path path = Path.of("a.varvite");
        checkNumber(table, "DAMAGED", new DamagedFileException(path, "x", 1, "a", "b"));
        checkNumber(table, "HANDLE", new GraphClosedException(path, null));
        checkNumber(table, "HANDLE", new GraphBusyException(path, 5, null));
        checkNumber(table, "UNKNOWN_FEATURE", new NativeRequiredException(path, "x", "zstd"));
        checkNumber(table, "NO_SUCH_NODE", new NoSuchNodeException("node", 7, 0));
        checkNumber(table, "NOT_VARVITE", new NotVarviteException(path, "x"));
        checkNumber(table, "UNKNOWN", new UnknownNameException("label", "x", null));
        checkNumber(table, "WRONG_TYPE", new WrongTypeException("x", "a", "b"));
        for (var row : Map.of("NEWER_FORMAT", -21, "UNKNOWN_FEATURE", -22, "TOO_LARGE", -24).entrySet()) {
            checkNumber(table, row.getKey(), new UnsupportedFileException(path, row.getValue(), "x"));
        }
    }

    private static void checkNumber(String table, String name, VarviteException error) {
        assertTrue(table.contains("| " + error.number() + " | `" + name + "` |"), name + " is not " + error.number());
    }

    @Test
    void handlesAnswerAsColumnsDo() {
        Node node = GRAPH.node(1);
        assertEquals(GRAPH.in("AST").first(1), node.parent().orElseThrow().id());
        assertEquals(GRAPH.out("CFG").degree(1), node.out("CFG").size());
        assertEquals(GRAPH.in("CFG").degree(1), node.in("CFG").size());
        assertTrue(node.is("EVERY") && node.labels().contains(GRAPH.label("EVERY")));
        assertEquals(8, node.number("NUMBER", -1));
        assertEquals(node, GRAPH.node(1));
        NodeSet owners = GRAPH.edgeProperty("REACHING_DEF", "VARIABLE").owners();
        int rank = owners.next(0);
        Node source = source(rank);
        Edge edge = source.outEdges("REACHING_DEF").stream().filter(one -> one.rank() == rank).findFirst().orElseThrow();
        assertTrue(List.of("x", "y", "größe").contains(edge.text("VARIABLE")), edge.text("VARIABLE"));
        assertEquals(source, edge.source());
        assertTrue(edge.target().in("REACHING_DEF").contains(source));
    }

    /** The source of the edge with a rank. */
    private static Node source(long rank) {
        Adjacency out = GRAPH.out("REACHING_DEF");
        int node = 0;
        while (out.firstRank(node) + out.degree(node) <= rank || out.degree(node) == 0) {
            node++;
        }
        return GRAPH.node(node);
    }

    @Test
    void theSchemaNamesWhatThereIs() {
        PropertyInfo name = GRAPH.property("NAME").info();
        assertEquals(ValueType.STRING, name.type());
        assertEquals(Cardinality.OPTIONAL, name.cardinality());
        assertEquals(Optional.of("<empty>"), name.defaultValue());
        assertEquals(Cardinality.LIST, GRAPH.property("LIST").info().cardinality());
        assertEquals(List.of("code", "code/dataflow"), GRAPH.layers().stream().map(Layer::name).toList());
        assertEquals("draft", name.layer().tool());
        assertEquals(Optional.of("REACHING_DEF"), GRAPH.edgeProperty("REACHING_DEF", "VARIABLE").info().edgeLabel());
    }

    @Test
    void memoryIsAccountedFor() throws IOException {
        GRAPH.out("CFG").first(0);
        GraphMemory memory = GRAPH.memory();
        assertEquals(Files.size(GRAPH.path()), memory.mapped());
        assertTrue(memory.touched() > 0 && memory.touched() < memory.mapped(), memory.toString());
        assertTrue(memory.resident() == -1 || memory.resident() > 0, memory.toString());
        assertEquals(0, memory.decoded() + memory.pinned());
    }
}
