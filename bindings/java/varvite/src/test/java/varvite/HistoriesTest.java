package varvite;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import varvite.error.NoSuchNodeException;

/**
 * Tests that graphs that random diffs have changed give the same answers as the model. The graphs are those
 * in the repository and those in the folder that {@code -Dvarvite.histories} names.
 */
class HistoriesTest {
    @TestFactory
    Stream<DynamicTest> changedGraphsAnswerAsTheModelDoes() throws IOException {
        Stream<Path> kept = Golden.json("files/catalogue.json").get("changes").list().stream()
                .filter(row -> row.has("facts"))
                .map(row -> Golden.file(row.get("file").text()));
        return Stream.concat(kept, written()).map(file -> dynamicTest(file.getFileName().toString(), () -> check(file)));
    }

    private static Stream<Path> written() throws IOException {
        String folder = System.getProperty("varvite.histories", "");
        if (folder.isEmpty()) {
            return Stream.of();
        }
        try (Stream<Path> files = Files.list(Path.of(folder))) {
            return files.filter(file -> file.toString().endsWith(".varvite")).sorted().toList().stream();
        }
    }

    private static void check(Path file) throws IOException {
        String name = file.toString();
        Json facts = Json.parse(Files.readString(Path.of(name.substring(0, name.lastIndexOf('.')) + ".json")));
        for (OpenMode mode : OpenMode.values()) {
            try (Graph graph = Graph.open(file, mode)) {
                check(graph, facts);
            }
        }
    }

    private static void check(Graph graph, Json facts) {
        assertEquals(facts.get("nodes").number(), graph.nodeCount());
        assertEquals(facts.get("records").number(), graph.log().records());
        checkRemoved(graph, facts.get("removed").ints());
        checkLabels(graph, facts.get("labels").list());
        checkLayers(graph, facts.get("properties"));
        long edges = 0;
        for (EdgeLabel label : graph.edgeLabels()) {
            if (!facts.get("edges").has(label.name())) {
                assertEquals(0, label.edges());
                continue;
            }
            Json expected = facts.get("edges").get(label.name());
            assertEquals(expected.get("count").number(), label.edges(), "edges of " + label.name());
            edges += label.edges();
            for (Direction direction : Direction.values()) {
                String side = direction == Direction.OUT ? "out" : "in";
                checkEdges(graph, label, direction, expected.get(side).list());
            }
            if (expected.has("values")) {
                Property property = graph.edgeProperty(label.name(), expected.get("property").text());
                checkValues(property, expected.get("values").list());
            }
        }
        assertEquals(edges, graph.edgeCount());
        for (String name : facts.get("properties").keys()) {
            checkValues(graph.property(name), facts.get("properties").get(name).list());
        }
        checkTree(graph);
        for (String name : facts.get("properties").keys()) {
            if (graph.property(name).info().type() == ValueType.STRING) {
                checkTexts(graph, graph.texts(name));
            }
        }
    }

    private static void checkRemoved(Graph graph, int[] removed) {
        assertEquals(graph.nodeCount() - removed.length, graph.liveNodeCount());
        int[] found = IntStream.range(0, graph.nodeCount()).filter(graph::isRemoved).toArray();
        assertArrayEquals(removed, found);
        assertThrows(NoSuchNodeException.class, () -> graph.isRemoved(graph.nodeCount()));
    }

    private static void checkLabels(Graph graph, List<Json> expected) {
        Labels sets = graph.labelSets();
        for (Label label : graph.labels()) {
            NodeSet nodes = graph.nodes(label);
            LabelTest test = sets.test(label);
            int rank = 0;
            long[] bits = new long[Bits.words(graph.nodeCount())];
            nodes.bits(0, graph.nodeCount(), bits);
            for (int node = 0; node < graph.nodeCount(); node++) {
                boolean has = expected.get(node).list().stream().anyMatch(it -> it.text().equals(label.name()));
                assertEquals(has, nodes.contains(node), label.name() + " of " + node);
                assertEquals(has, sets.has(node, label));
                assertEquals(has, test.matches(node));
                assertEquals(has, (bits[node >>> 6] >>> node & 1) != 0);
                assertEquals(rank, nodes.rank(node), "rank of " + node);
                if (has) {
                    assertEquals(node, nodes.select(rank));
                    assertEquals(node, nodes.next(node));
                    rank++;
                }
            }
            assertEquals(rank, nodes.size());
            assertEquals(rank, nodes.stream().count());
        }
        for (int node = 0; node < graph.nodeCount(); node++) {
            assertEquals(expected.get(node).list().size(), sets.of(node).size());
        }
        assertThrows(NoSuchNodeException.class, () -> sets.code(graph.nodeCount()));
    }

    /** Checks that dropped layers no longer exist, and neither do their names. */
    private static void checkLayers(Graph graph, Json properties) {
        for (String layer : List.of("one", "two")) {
            boolean isThere = properties.has(layer + "/COUNT");
            assertEquals(isThere, graph.layers().stream().anyMatch(it -> it.name().equals(layer)), layer);
            assertEquals(isThere, graph.labels().stream().anyMatch(it -> it.layer().name().equals(layer)), layer);
            assertEquals(isThere, graph.properties().stream().anyMatch(it -> it.layer().name().equals(layer)), layer);
        }
    }

    private static void checkEdges(Graph graph, EdgeLabel label, Direction direction, List<Json> expected) {
        Adjacency adjacency = graph.adjacency(label, direction);
        Places places = graph.places(label).orElse(null);
        NeighborCursor cursor = adjacency.cursor();
        IntList expanded = new IntList();
        int[] ends = new int[graph.nodeCount()];
        adjacency.expand(IntStream.range(0, graph.nodeCount()).toArray(), graph.nodeCount(), expanded, ends);
        int start = 0;
        for (int node = 0; node < graph.nodeCount(); node++) {
            List<Json> pairs = expected.get(node).list();
            int[] neighbors = pairs.stream().mapToInt(pair -> pair.list().get(0).number()).toArray();
            String of = label.name() + " " + direction + " of " + node;
            assertArrayEquals(neighbors, adjacency.neighbors(node).toArray(), of);
            assertArrayEquals(neighbors, Arrays.copyOfRange(expanded.array(), start, ends[node]), of);
            start = ends[node];
            assertEquals(neighbors.length, adjacency.degree(node), of);
            assertEquals(neighbors.length == 0 ? -1 : neighbors[0], adjacency.first(node), of);
            checkCopies(adjacency, node, neighbors);
            int index = 0;
            for (cursor.of(node); cursor.next(); index++) {
                int number = pairs.get(index).list().get(1).number();
                assertEquals(neighbors[index], cursor.node());
                assertEquals(neighbors[index], adjacency.get(node, index));
                if (direction == Direction.OUT && cursor.rank() >= 0) {
                    assertEquals(number, cursor.rank(), of);
                } else if (direction == Direction.IN && places != null) {
                    assertEquals(number, places.rank(cursor.node(), cursor.rank()), of);
                }
            }
            assertEquals(neighbors.length, index);
        }
        assertThrows(NoSuchNodeException.class, () -> adjacency.first(graph.nodeCount()));
        assertThrows(NoSuchNodeException.class, () -> cursor.of(-1));
    }

    private static void checkCopies(Adjacency adjacency, int node, int[] neighbors) {
        int[] copy = new int[neighbors.length];
        assertEquals(neighbors.length, adjacency.copyInto(node, copy, 0));
        assertArrayEquals(neighbors, copy);
        List<Integer> visited = new ArrayList<>();
        adjacency.forEach(node, visited::add);
        assertArrayEquals(neighbors, visited.stream().mapToInt(Integer::intValue).toArray());
        IntList appended = new IntList();
        adjacency.append(node, appended);
        assertArrayEquals(neighbors, appended.toArray());
    }

    private static void checkValues(Property property, List<Json> expected) {
        assertEquals(expected.size(), property.ownerLimit());
        List<Integer> owners = new ArrayList<>();
        long values = 0;
        for (int owner = 0; owner < expected.size(); owner++) {
            List<String> wanted = expected.get(owner).list().stream().map(it -> String.valueOf(it.value())).toList();
            assertEquals(wanted, EveryValue.of(property, owner), property.info().name() + " of " + owner);
            assertEquals(!wanted.isEmpty(), property.isPresent(owner));
            assertEquals(!wanted.isEmpty(), property.owners().contains(owner));
            values += wanted.size();
            if (!wanted.isEmpty()) {
                owners.add(owner);
            }
        }
        assertEquals(values, property.valueCount());
        assertArrayEquals(owners.stream().mapToInt(Integer::intValue).toArray(), property.owners().toArray());
        assertThrows(NoSuchNodeException.class, () -> property.count(expected.size()));
        checkRanges(property);
    }

    /** Checks that bulk reads return the same values as single reads. */
    private static void checkRanges(Property property) {
        int limit = property.ownerLimit();
        for (int start = 0; start < limit; start += 1 + limit / 3) {
            long[] numbers = new long[limit - start];
            long[] present = new long[Bits.words(limit - start)];
            property.fill(start, limit, numbers, present);
            long[] owners = new long[present.length];
            property.selectPresent(start, limit, owners);
            assertArrayEquals(owners, present);
            long count = 0;
            for (int owner = start; owner < limit; owner++) {
                long position = property.position(owner);
                assertEquals(position >= 0, (present[owner - start >>> 6] >>> owner - start & 1) != 0);
                assertEquals(position < 0 ? 0 : property.number(position, owner), numbers[owner - start]);
                count += property.count(owner);
            }
            assertEquals(count, property.countIn(Long.MIN_VALUE, Long.MAX_VALUE, start, limit));
            long[] selected = new long[present.length];
            property.select(Long.MIN_VALUE, Long.MAX_VALUE, start, limit, selected);
            assertArrayEquals(present, selected);
        }
    }

    /** Checks that the subtree index, if there still is one, agrees with the edges. */
    private static void checkTree(Graph graph) {
        graph.subtree().ifPresent(subtree -> {
            Adjacency children = graph.adjacency(graph.treeLabel().orElseThrow(), Direction.OUT);
            for (int node = 0; node < graph.nodeCount(); node++) {
                int below = children.neighbors(node).map(child -> 1 + subtree.size(child)).sum();
                assertEquals(below, subtree.size(node));
            }
        });
        assertEquals(graph.subtree().isPresent(), graph.forestLabel().isPresent());
    }

    /**
     * Checks that texts are found by code and codes by text: in the table, by owner, and in the index, if it
     * is still valid.
     */
    private static void checkTexts(Graph graph, TextProperty property) {
        TextTable texts = property.texts();
        BytesCursor cursor = property.cursor();
        RecentTexts recent = property.recentTexts();
        for (int node = 0; node < graph.nodeCount(); node++) {
            int code = property.code(node);
            boolean isText = code >= 0 && code < texts.count();
            assertEquals(isText, cursor.of(node));
            assertEquals(property.get(node), recent.get(node));
            if (isText) {
                byte[] bytes = texts.get(code).getBytes(java.nio.charset.StandardCharsets.UTF_8);
                assertTrue(cursor.contentEquals(bytes));
                assertEquals(bytes.length, texts.length(code));
                assertEquals(code, texts.find(bytes));
                byte[] copy = new byte[bytes.length];
                assertEquals(bytes.length, cursor.copyInto(copy, 0));
                assertArrayEquals(bytes, copy);
                assertEquals(bytes.length, property.slice(node).byteSize());
            }
        }
        assertThrows(IndexOutOfBoundsException.class, () -> texts.get(texts.count()));
        for (int code = 0; code <= texts.count(); code++) {
            int wanted = code;
            int[] owners = IntStream.range(0, graph.nodeCount())
                    .filter(node -> IntStream.range(0, property.count(node))
                            .anyMatch(index -> property.codeAt(node, index) == wanted))
                    .toArray();
            int next = 0;
            for (int owner : owners) {
                assertEquals(owner, property.nextOwner(code, next), "of " + code);
                next = owner + 1;
            }
            assertEquals(-1, property.nextOwner(code, next));
            graph.textIndex(property.info().name()).filter(index -> wanted < texts.count()).ifPresent(index -> {
                IntList found = new IntList();
                index.append(wanted, found);
                assertArrayEquals(owners, found.stream().sorted().toArray());
            });
        }
    }
}
