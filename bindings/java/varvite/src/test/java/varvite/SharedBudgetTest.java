package varvite;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import varvite.error.OverBudgetException;

/**
 * Tests of graphs that share a budget. Pages that were given back must be unchanged when they are read again,
 * and copies that do not fit must be refused.
 */
class SharedBudgetTest {
    private static final Path FILE = Golden.file("blocks.direct.varvite");
    private static final long SECONDS_MAX = 30;

    @Test
    void pagesAreGivenBackAndReadTheSame() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/pagemap")), "only Linux tells what is in memory");
        List<String> expected;
        try (Graph free = Graph.open(FILE)) {
            expected = values(free);
        }
        try (SharedBudget budget = SharedBudget.of(1);
                Graph one = Graph.open(FILE, OpenMode.MAPPED, budget);
                Graph other = Graph.open(FILE, OpenMode.CHECKED, budget)) {
            long deadline = System.nanoTime() + SECONDS_MAX * 1_000_000_000L;
            while (budget.givenBack() < 3) {
                assertEquals(expected, values(one));
                assertEquals(expected, values(other));
                assertTrue(System.nanoTime() < deadline, "nothing was given back");
            }
            assertEquals(1, budget.limit());
            assertTrue(isWatched());
        }
        for (int tries = 0; tries < 1000 && isWatched(); tries++) {
            Thread.sleep(10);
        }
        assertFalse(isWatched(), "the thread ends with the last graph");
    }

    @Test
    void pagesWithinTheBudgetStay() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/pagemap")), "only Linux tells what is in memory");
        try (SharedBudget budget = SharedBudget.of(1L << 40);
                Graph graph = Graph.open(FILE, OpenMode.MAPPED, budget)) {
            values(graph);
            Thread.sleep(50);
            assertEquals(0, budget.givenBack());
            assertTrue(budget.residentBytes() > 0);
            assertEquals(0, budget.heldBytes());
        }
    }

    @Test
    void copiesCountTogether() throws IOException {
        long length = Files.size(FILE);
        try (SharedBudget budget = SharedBudget.of(2 * length);
                Graph first = Graph.open(FILE, OpenMode.BUFFERED, budget)) {
            Graph second = Graph.open(FILE, OpenMode.BUFFERED, budget);
            assertEquals(2 * length, budget.heldBytes());
            int open = Graph.openGraphs().size();
            OverBudgetException refused =
                    assertThrows(OverBudgetException.class, () -> Graph.open(FILE, OpenMode.BUFFERED, budget));
            assertEquals(2 * length, refused.limit());
            assertEquals(3 * length, refused.needed());
            assertEquals(open, Graph.openGraphs().size());
            second.close();
            Graph.open(FILE, OpenMode.BUFFERED, budget).close();
            assertEquals(length, budget.heldBytes());
            assertEquals(values(first), values(first));
        }
    }

    @Test
    void aBudgetHasBytes() {
        assertThrows(IllegalArgumentException.class, () -> SharedBudget.of(0));
        assertThrows(IllegalArgumentException.class, () -> SharedBudget.of(-1));
    }

    private static boolean isWatched() {
        return Thread.getAllStackTraces().keySet().stream().anyMatch(thread -> thread.getName().equals("varvite-watch"));
    }

    private static List<String> values(Graph graph) {
        EveryValue.read(graph);
        List<String> values = new ArrayList<>();
        for (PropertyInfo info : graph.properties()) {
            Property property = graph.property(info);
            property.owners().forEach(owner -> values.addAll(EveryValue.of(property, owner)));
        }
        return values;
    }
}
