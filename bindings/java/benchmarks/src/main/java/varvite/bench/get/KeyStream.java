package varvite.bench.get;

import java.nio.file.Path;
import java.util.Random;
import varvite.Graph;
import varvite.TextProperty;

/**
 * The keys of a keyed file in a random order that is the same for all, each in memory before the clock
 * starts.
 */
final class KeyStream {
    /** A power of two, so that going round is a mask. */
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

    /** The file with values of a size. */
    static Path file(int size) {
        return Path.of(System.getProperty("varvite.bench.folder"), "keyed-" + size + ".varvite");
    }
}
