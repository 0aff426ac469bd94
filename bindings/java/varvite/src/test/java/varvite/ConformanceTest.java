package varvite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import varvite.error.NativeRequiredException;
import varvite.format.Xxh3;

/**
 * Tests that the golden files in the catalogue give the same answers as the model. {@link CasesTest} tests
 * the conformance cases.
 */
class ConformanceTest {
    private static final Json CATALOGUE = Golden.json("files/catalogue.json");

    @Test
    void checksumsAreThoseOfTheEngine() {
        for (Json row : Golden.json("cases/checksums.json").get("hashes").list()) {
            byte[] bytes = new byte[row.get("length").number()];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (i * 167 + 13 + i / 251);
            }
            long seed = Long.parseUnsignedLong(row.get("seed").text(), 16);
            String hash = HexFormat.of().toHexDigits(Xxh3.hash(bytes, seed));
            assertEquals(row.get("hash").text(), hash, "of " + bytes.length + " bytes");
        }
    }

    @TestFactory
    Stream<DynamicTest> goldenFilesAreTheBytesOfTheCatalogue() {
        return Stream.of("graphs", "recovered", "damaged")
                .flatMap(kind -> CATALOGUE.get(kind).list().stream())
                .map(row -> dynamicTest(row.get("file").text(), () -> {
                    byte[] bytes = Files.readAllBytes(Golden.file(row.get("file").text()));
                    assertEquals(row.get("bytes").number(), bytes.length);
                    assertEquals(row.get("xxh3").text(), HexFormat.of().toHexDigits(Xxh3.hash(bytes, 0)));
                }));
    }

    @TestFactory
    Stream<DynamicTest> goldenFilesAnswerAsTheModelDoes() {
        return graphs().filter(row -> row.get("codec").text().equals("none"))
                .map(row -> dynamicTest(row.get("file").text(), () -> checkFile(row)));
    }

    private static Stream<Json> graphs() {
        return CATALOGUE.get("graphs").list().stream();
    }

    private static void checkFile(Json row) throws Exception {
        Json expected = Golden.json("cases/" + row.get("case").text());
        Path file = Golden.file(row.get("file").text());
        try (Graph graph = Graph.open(file)) {
            assertEquals(row.get("profile").text(), graph.profile().name().toLowerCase(java.util.Locale.ROOT));
            assertFalse(graph.isRecovered());
            checkGraph(graph, expected);
        }
        for (OpenMode mode : OpenMode.values()) {
            try (Graph graph = Graph.open(file, mode)) {
                checkGraph(graph, expected);
            }
        }
    }

    @Test
    void aGoldenFileHasIndexes() {
        try (Graph graph = Golden.open("awkward.indexed.varvite")) {
            assertTrue(graph.textIndex("NAME").isPresent());
            assertTrue(graph.textIndex("STRING_LIST").isPresent());
            assertTrue(graph.textIndex("I64").isEmpty());
        }
    }

    @TestFactory
    Stream<DynamicTest> filesInBlocksOfCodecsAreRefusedByColumn() {
        List<Json> coded = graphs().filter(row -> !row.get("codec").text().equals("none")).toList();
        assertEquals(1, coded.size(), "files that are skipped");
        return coded.stream().map(row -> dynamicTest(row.get("file").text(), () -> {
            try (Graph graph = Golden.open(row.get("file").text())) {
                var error = assertThrows(NativeRequiredException.class, () -> graph.property("I64"));
                assertTrue(error.column().contains("property I64"), error.column());
                assertEquals("zstd", error.codec());
                assertTrue(error.getMessage().contains("--profile direct"), error.getMessage());
            }
        }));
    }

    /** Codes and lengths of compressed texts can be read even without the engine. */
    @Test
    void textsInBlocksHaveCodesAndLengthsWithoutTheEngine() {
        try (Graph coded = Golden.open("awkward.archive.varvite");
                Graph plain = Golden.open("awkward.direct.varvite")) {
            TextProperty names = coded.texts("NAME");
            TextProperty expected = plain.texts("NAME");
            assertFalse(names.texts().isReadable());
            int node = expected.owners().next(0);
            for (int owner = node; owner >= 0 && owner < coded.nodeCount() - 1; owner = expected.owners().next(owner + 1)) {
                int code = names.code(owner);
                assertEquals(expected.code(owner), code);
                assertTrue(code == names.texts().count() || names.texts().length(code) == expected.texts().length(code));
            }
            assertThrows(NativeRequiredException.class, () -> names.get(node));
            assertThrows(NativeRequiredException.class, () -> names.texts().slice(names.code(node)));
            assertThrows(NativeRequiredException.class, () -> names.texts().find("name"));
        }
    }

    /** Sources are compressed in every profile; other columns of their file are not. */
    @Test
    void sourcesNeedTheEngineAndNothingElseDoes() {
        try (Graph graph = Golden.open("changes/sourced.varvite")) {
            TextProperty content = graph.texts("CONTENT");
            assertThrows(NativeRequiredException.class, () -> content.get(1));
            assertEquals("na", graph.texts("NAME").get(1));
            assertEquals(2, graph.longs("CONTENT_LINES").count(1));
        }
    }

    @Test
    void aFileWhoseNewestCommitIsDamagedOpensAndSaysSo() {
        try (Graph graph = Golden.open("recovered.varvite")) {
            assertTrue(graph.isRecovered());
            assertEquals(12, graph.nodes("METHOD").size());
        }
    }

    private static void checkGraph(Graph graph, Json expected) {
        assertEquals(expected.get("nodes").number(), graph.nodeCount());
        checkLabels(graph, expected.get("labels"));
        String forest = graph.forestLabel().map(EdgeLabel::name).orElse(null);
        assertEquals(expected.get("forest").value(), forest);
        checkSubtree(graph, expected.get("subtree"));
        for (String label : expected.get("edges").keys()) {
            checkEdges(graph, label, expected.get("edges").get(label));
        }
        for (String name : expected.get("properties").keys()) {
            Json property = expected.get("properties").get(name);
            assertEquals(property.get("type").text(), graph.property(name).info().type().toString());
            checkValues(graph.property(name), property.get("values").list());
            graph.textIndex(name).ifPresent(index -> checkIndex(graph, graph.texts(name), index));
        }
    }

    /** Checks that, for every text, an index finds the owners that have this text as a value. */
    private static void checkIndex(Graph graph, TextProperty property, TextIndex index) {
        assertEquals(-1, index.find("no node has such a text"));
        Label call = graph.label("CALL");
        for (int code = 0; code < property.texts().count(); code++) {
            int[] owners = owners(graph, property, code);
            assertEquals(code, index.find(property.texts().get(code)));
            checkNearTexts(index, property.texts(), code);
            assertEquals(owners.length, index.count(code));
            assertEquals(owners.length == 0 ? -1 : owners[0], index.first(code));
            IntList found = new IntList();
            index.append(code, found);
            assertArrayEquals(owners, found.stream().sorted().toArray());
            found.clear();
            index.append(code, call, found);
            assertArrayEquals(
                    IntStream.of(owners).filter(graph.nodes(call)::contains).toArray(),
                    found.stream().sorted().toArray());
            assertEquals(found.size(), index.count(code, call));
        }
    }

    /**
     * Checks that the index does not confuse a text with one that differs in one byte or is one byte longer
     * or shorter. Such a text is found with its own code, or not found if it does not exist.
     */
    private static void checkNearTexts(TextIndex index, TextTable texts, int code) {
        byte[] text = texts.get(code).getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < Math.min(text.length, 40); at++) {
            byte[] near = text.clone();
            near[at] ^= 0x40;
            assertEquals(texts.find(near), index.find(near));
            assertNotEquals(code, index.find(near));
        }
        for (int length = Math.max(text.length - 9, 0); length < text.length + 9; length++) {
            byte[] near = Arrays.copyOf(text, length);
            assertEquals(texts.find(near), index.find(near));
            assertEquals(length == text.length, index.find(near) == code);
        }
    }

    private static int[] owners(Graph graph, TextProperty property, int code) {
        return IntStream.range(0, graph.nodeCount())
                .filter(node -> IntStream.range(0, property.count(node))
                        .anyMatch(index -> property.codeAt(node, index) == code))
                .toArray();
    }

    private static void checkLabels(Graph graph, Json expected) {
        Labels sets = graph.labelSets();
        for (Label label : graph.labels()) {
            int[] members = expected.has(label.name()) ? expected.get(label.name()).ints() : new int[0];
            NodeSet nodes = graph.nodes(label.name());
            LabelTest test = sets.test(label);
            assertEquals(members.length, nodes.size());
            assertArrayEquals(members, nodes.toArray());
            assertArrayEquals(members, nodes.stream().toArray());
            int rank = 0;
            for (int node = 0; node < graph.nodeCount(); node++) {
                boolean has = rank < members.length && members[rank] == node;
                assertEquals(rank, nodes.rank(node), "rank of " + node + " in " + label);
                assertEquals(has ? rank : -1, nodes.memberRank(node));
                assertEquals(has, nodes.contains(node));
                assertEquals(has, sets.has(node, label));
                assertEquals(has, test.matches(node));
                assertEquals(has, sets.of(node).contains(label));
                assertEquals(has, (sets.word(node) >>> label.id() & 1) != 0);
                if (has) {
                    assertEquals(node, nodes.select(rank));
                    rank++;
                }
            }
            assertEquals(members.length, nodes.rank(graph.nodeCount()));
            assertEquals(members.length, nodes.countIn(0, graph.nodeCount()));
        }
    }

    private static void checkSubtree(Graph graph, Json expected) {
        assertEquals(expected.isNull(), graph.subtree().isEmpty());
        graph.subtree().ifPresent(subtree -> {
            int[] sizes = expected.ints();
            for (int node = 0; node < sizes.length; node++) {
                assertEquals(sizes[node], subtree.size(node));
                assertEquals(node + 1 + sizes[node], subtree.end(node));
                assertTrue(subtree.contains(node, node + sizes[node]));
                assertFalse(subtree.contains(node, node + sizes[node] + 1));
            }
        });
    }

    private static void checkEdges(Graph graph, String label, Json expected) {
        assertEquals(expected.get("count").number(), graph.out(label).edgeCount());
        checkLists(graph.out(label), expected.get("out").list());
        checkLists(graph.in(label), expected.get("in").list());
        EdgeLabel edgeLabel = graph.edgeLabel(label);
        assertEquals(expected.has("places"), graph.places(edgeLabel).isPresent());
        graph.places(edgeLabel).ifPresent(places -> {
            int[] found = IntStream.range(0, (int) edgeLabel.edges()).map(places::place).toArray();
            assertArrayEquals(expected.get("places").ints(), found);
            Property property = graph.edgeProperty(label, expected.get("property").text());
            checkValues(property, expected.get("values").list());
        });
    }

    /** Checks that all methods that read the neighbours of a node return the same neighbours. */
    private static void checkLists(Adjacency adjacency, List<Json> expected) {
        NeighborCursor cursor = adjacency.cursor();
        IntList appended = new IntList();
        long rank = 0;
        for (int node = 0; node < expected.size(); node++) {
            int[] neighbors = expected.get(node).ints();
            assertEquals(neighbors.length, adjacency.degree(node));
            assertEquals(neighbors.length == 0 ? -1 : neighbors[0], adjacency.first(node));
            assertArrayEquals(neighbors, adjacency.neighbors(node).toArray());
            appended.clear();
            adjacency.append(node, appended);
            assertArrayEquals(neighbors, appended.toArray());
            cursor.of(node);
            for (int i = 0; i < neighbors.length; i++) {
                assertTrue(cursor.next());
                assertEquals(neighbors[i], cursor.node());
                assertEquals(neighbors[i], adjacency.get(node, i));
                assertTrue(cursor.rank() == -1 || cursor.rank() == rank + i);
            }
            assertFalse(cursor.next());
            assertTrue(neighbors.length == 0 || adjacency.firstRank(node) == -1 || adjacency.firstRank(node) == rank);
            checkSlice(adjacency, node, neighbors);
            checkRest(adjacency, node, neighbors);
            rank += neighbors.length;
        }
        checkExpand(adjacency, expected);
    }

    private static void checkRest(Adjacency adjacency, int node, int[] neighbors) {
        int at = 0;
        for (long rest = adjacency.rest(node); rest != 0; rest = adjacency.after(node, rest)) {
            assertEquals(neighbors[at++], adjacency.neighbor(node, rest));
        }
        assertEquals(neighbors.length, at);
        assertTrue(neighbors.length == 0 || adjacency.mayHave(node));
    }

    private static void checkSlice(Adjacency adjacency, int node, int[] neighbors) {
        var slice = adjacency.slice(node);
        if (slice != null) {
            assertArrayEquals(neighbors, slice.toArray(java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED));
            assertTrue(slice.isReadOnly());
        }
    }

    private static void checkExpand(Adjacency adjacency, List<Json> expected) {
        int[] all = IntStream.range(0, expected.size()).toArray();
        int[] neighbors = expected.stream().flatMapToInt(list -> IntStream.of(list.ints())).toArray();
        int[] out = new int[neighbors.length];
        assertEquals(neighbors.length, adjacency.expand(all, all.length, out));
        assertArrayEquals(neighbors, out);
        if (neighbors.length > 0) {
            assertEquals(~neighbors.length, adjacency.expand(all, all.length, new int[neighbors.length - 1]));
        }
    }

    private static void checkValues(Property property, List<Json> expected) {
        int owners = 0;
        for (int owner = 0; owner < expected.size(); owner++) {
            List<String> wanted = expected.get(owner).list().stream().map(ConformanceTest::shown).toList();
            assertEquals(wanted, EveryValue.of(property, owner), property.info().name() + " of " + owner);
            assertEquals(!wanted.isEmpty(), property.isPresent(owner));
            assertEquals(!wanted.isEmpty(), property.owners().contains(owner));
            owners += wanted.isEmpty() ? 0 : 1;
        }
        assertEquals(owners, property.owners().size());
        if (property instanceof TextProperty texts) {
            checkCodes(texts, expected.size());
        }
    }

    private static String shown(Json value) {
        return String.valueOf(value.value());
    }

    /**
     * Checks that a text is found by its code, and that the owners with a code are found one after another.
     */
    private static void checkCodes(TextProperty property, int owners) {
        Map<Integer, Integer> last = new java.util.HashMap<>();
        for (int owner = 0; owner < owners; owner++) {
            int code = property.code(owner);
            if (code >= 0 && code < property.texts().count()) {
                assertEquals(code, property.texts().find(property.get(owner)));
                assertNotNull(property.slice(owner));
                int from = last.getOrDefault(code, -1) + 1;
                assertTrue(property.nextOwner(code, from) <= owner && property.nextOwner(code, from) >= from);
                last.put(code, owner);
            }
        }
    }
}
