package varvite.bench.get;

import java.nio.file.Path;
import java.util.Random;
import varvite.Graph;
import varvite.TextProperty;

/**
 * Keys of the benchmark's file, in a random order that is the same for all databases. All keys are in memory
 * before the measurement starts.
 */
final class KeyStream {
    /** The number of keys. A power of two, so that a mask makes the index wrap around. */
    private static final int LENGTH = 1 << 16;

    private final byte[][] keys = new byte[LENGTH][];
    private int next;

    KeyStream(Graph graph) {
        TextProperty property = graph.texts("KEY");
        Random random = new Random(1);
        for (int i = 0; i < LENGTH; i++) {
            int code = property.code(random.nextInt(graph.nodeCount()));
            keys[i] = new byte[property.texts().length(code)];
            property.texts().copyInto(code, keys[i], 0);
        }
    }

    /** The next key. */
    byte[] next() {
        return keys[next++ & LENGTH - 1];
    }

    /** The path of the file whose values have {@code size} bytes. */
    static Path file(int size) {
        return Path.of(System.getProperty("varvite.bench.folder"), "keyed-" + size + ".varvite");
    }
}
