package varvite;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import varvite.error.VarviteException;

/**
 * Tests that changes and logs that no writer wrote give an exception of this module or a wrong answer, and
 * nothing else.
 */
class ChangesDamageTest {
    private static final int PAGE = 4096;
    private static final int TRIES = Integer.getInteger("varvite.tries", 400);

    @Test
    void bytesThatWereChangedGiveAnErrorOrAnAnswer(@TempDir Path folder) throws IOException {
        Path[] files = Golden.json("files/catalogue.json").get("changes").list().stream()
                .map(row -> Golden.file(row.get("file").text()))
                .toArray(Path[]::new);
        int refused = 0;
        for (int seed = 0; seed < TRIES; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            byte[] bytes = Files.readAllBytes(files[random.nextInt(files.length)]);
            damage(bytes, random);
            Path path = Files.write(folder.resolve("damaged.varvite"), bytes);
            refused += isRefused(path, seed) ? 1 : 0;
        }
        assertTrue(refused > TRIES / 10, refused + " of " + TRIES + " were noticed");
    }

    private static boolean isRefused(Path path, int seed) throws IOException {
        try (Graph graph = Graph.open(path)) {
            readAll(graph);
            return false;
        } catch (VarviteException e) {
            return true;
        } catch (RuntimeException | Error e) {
            throw new AssertionError("of seed " + seed, e);
        }
    }

    private static void readAll(Graph graph) {
        VarviteException first = null;
        for (Runnable question : questions(graph)) {
            try {
                question.run();
            } catch (VarviteException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    private static Runnable[] questions(Graph graph) {
        return new Runnable[] {
            () -> EveryValue.read(graph),
            graph::liveNodeCount,
            () -> graph.labels().forEach(label -> graph.nodes(label).stream().count()),
            () -> graph.edgeLabels().forEach(label -> readEdges(graph, label)),
            () -> graph.properties().forEach(info -> readValues(graph.property(info))),
            () -> graph.subtree().ifPresent(subtree -> {
                for (int node = 0; node < graph.nodeCount(); node++) {
                    subtree.size(node);
                }
            }),
        };
    }

    private static void readEdges(Graph graph, EdgeLabel label) {
        for (Direction direction : Direction.values()) {
            Adjacency adjacency = graph.adjacency(label, direction);
            NeighborCursor cursor = adjacency.cursor();
            for (int node = 0; node < graph.nodeCount(); node++) {
                adjacency.degree(node);
                int number = 0;
                for (cursor.of(node); cursor.next(); number++) {
                    adjacency.get(node, number);
                    long rank = cursor.rank();
                    if (direction == Direction.IN && rank >= 0) {
                        graph.places(label).ifPresent(places -> places.rank(cursor.node(), rank));
                    }
                }
            }
        }
    }

    private static void readValues(Property property) {
        int limit = property.ownerLimit();
        long[] numbers = new long[limit];
        long[] present = new long[Bits.words(limit)];
        property.fill(0, limit, numbers, present);
        property.countIn(-5, 1000, 0, limit);
        property.selectPresent(0, limit, present);
        property.owners().toArray();
        if (property instanceof TextProperty texts) {
            BytesCursor cursor = texts.cursor();
            for (int owner = 0; owner < limit; owner++) {
                if (cursor.of(owner) && cursor.length() > 0) {
                    cursor.get(cursor.length() - 1);
                }
            }
            texts.nextOwner(texts.texts().count() - 1, 0);
            texts.texts().find("no node has such a text");
        }
    }

    /** Changes some bytes of columns, of the directory or of the log, and then corrects the checksums. */
    private static void damage(byte[] bytes, SplittableRandom random) {
        LogFile file = new LogFile(bytes);
        file.forgetOlder();
        int directory = file.directory();
        int end = file.directoryEnd();
        List<Integer> records = file.records();
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            int at = switch (random.nextInt(records.isEmpty() ? 3 : 6)) {
                case 0 -> end - 1 - random.nextInt(Math.max(end - file.changes(), 1));
                case 1 -> random.nextInt(directory + 72, end);
                case 2 -> random.nextInt(3 * PAGE, directory);
                default -> {
                    int record = records.get(random.nextInt(records.size()));
                    yield file.payload(record) + random.nextInt(file.payloadLength(record));
                }
            };
            bytes[at] = (byte) (random.nextBoolean() ? random.nextInt() : bytes[at] + random.nextInt(-2, 3));
        }
        file.repair();
    }
}
