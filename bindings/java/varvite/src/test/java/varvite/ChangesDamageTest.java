package varvite;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import varvite.error.VarviteException;
import varvite.format.Xxh3;

/** Changes that no writer wrote give an error of this module or a wrong answer, and nothing else. */
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

    /** Changes some bytes of columns or of the directory, whose checksums are then put right. */
    private static void damage(byte[] file, SplittableRandom random) {
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        int superblock = bytes.getLong(PAGE + 8) > bytes.getLong(2 * PAGE + 8) ? PAGE : 2 * PAGE;
        int directory = (int) bytes.getLong(superblock + 16);
        int length = (int) bytes.getLong(superblock + 24);
        int changes = bytes.getInt(directory + 68);
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            int at = switch (random.nextInt(3)) {
                case 0 -> directory + length - 1 - random.nextInt(Math.max(changes, 1));
                case 1 -> random.nextInt(directory + 72, directory + length);
                default -> random.nextInt(3 * PAGE, directory);
            };
            file[at] = (byte) (random.nextBoolean() ? random.nextInt() : file[at] + random.nextInt(-2, 3));
        }
        bytes.putLong(
                superblock + 32,
                Xxh3.hash(Arrays.copyOfRange(file, directory, directory + length), bytes.getLong(superblock + 8)));
        long seed = Xxh3.hash(Arrays.copyOfRange(file, 24, 40), 0);
        bytes.putLong(
                superblock + 48, Xxh3.hash(Arrays.copyOfRange(file, superblock, superblock + 48), seed));
    }
}
