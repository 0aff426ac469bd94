package varvite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import varvite.format.GraphFile;

/**
 * Tests that objects that the program does not close are released when they are unreachable, but not while
 * they are in use.
 */
class ForgottenTest {
    private static final Path FILE = Golden.file("blocks.direct.varvite");
    private static final int TRIES = 200;

    @Test
    void aForgottenGraphIsClosedWhenItIsCollected() throws Exception {
        MemorySegment slice = sliceOfAForgottenGraph();
        for (int i = 0; i < TRIES && slice.scope().isAlive(); i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertFalse(slice.scope().isAlive(), "the file is still mapped");
        assertThrows(IllegalStateException.class, () -> slice.get(ValueLayout.JAVA_BYTE, 0));
        assertTrue(Graph.openGraphs().stream().allMatch(Graph::isOpen));
    }

    private static MemorySegment sliceOfAForgottenGraph() throws IOException {
        return Graph.open(FILE).bytes("KEY").slice(0);
    }

    @Test
    void aColumnKeepsItsGraphOpen() throws Exception {
        Adjacency flow = Graph.open(FILE).out("CFG");
        int degree = flow.degree(0);
        for (int i = 0; i < 5; i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertEquals(degree, flow.degree(0));
    }

    @Test
    void aFileIsClosedWhereItsGraphCannotBeMade() throws IOException {
        AtomicReference<GraphFile> opened = new AtomicReference<>(GraphFile.map(FILE, false));
        assertThrows(OutOfMemoryError.class, () -> Graph.of(opened.get(), file -> {
            throw new OutOfMemoryError("as if");
        }));
        assertFalse(opened.get().isOpen());
    }
}
