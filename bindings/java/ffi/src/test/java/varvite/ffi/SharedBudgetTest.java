package varvite.ffi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import varvite.Graph;
import varvite.OpenMode;
import varvite.Profile;
import varvite.SharedBudget;
import varvite.error.EngineException;
import varvite.probe.ReadsAll;

/** Tests of graphs that share a budget, which also limits the engine's decoded data. */
class SharedBudgetTest {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final long LIMIT = 64 << 20;
    private static final int GRAPHS = 21;
    private static final int OVER_BUDGET = -35;

    @Test
    void manyMappedGraphsKeepToOneBudget() throws IOException {
        assumeTrue(Files.exists(STATUS), "only Linux tells what is in memory");
        try (SharedBudget budget = SharedBudget.of(LIMIT)) {
            List<Graph> graphs = new ArrayList<>();
            long before = filePages();
            long most = 0;
            try {
                for (int number = 0; number < GRAPHS; number++) {
                    Profile profile = number % 10 == 9 ? Profile.COMPACT : Profile.DIRECT;
                    graphs.add(Graph.open(Graphs.of(profile), OpenMode.MAPPED, budget));
                }
                String expected = Arrays.toString(ReadsAll.sums(graphs.get(0)));
                long mapped = 0;
                for (Graph graph : graphs) {
                    assertEquals(expected, Arrays.toString(ReadsAll.sums(graph)));
                    mapped += graph.memory().mapped();
                    most = Math.max(most, filePages() - before);
                }
                assertTrue(mapped > 2 * LIMIT, mapped + " bytes are mapped");
                assertTrue(most < LIMIT && budget.givenBack() > 0, most + " bytes of files");
                assertTrue(budget.heldBytes() < LIMIT, budget.heldBytes() + " bytes are held");
            } finally {
                graphs.forEach(Graph::close);
            }
            assertEquals(0, budget.heldBytes());
        }
        assertEquals(0, Call.liveHandles());
    }

    @Test
    void whatTheEngineDecodesIsRefusedBeyondTheBudget() throws IOException {
        try (SharedBudget budget = SharedBudget.of(2 << 20);
                Graph archive = Graph.open(Graphs.of(Profile.ARCHIVE), OpenMode.MAPPED, budget)) {
            EngineException refused = assertThrows(EngineException.class, () -> ReadsAll.sums(archive));
            assertEquals(OVER_BUDGET, refused.number());
            assertTrue(budget.heldBytes() > 0 && budget.heldBytes() <= budget.limit());
        }
        assertEquals(0, Call.liveHandles());
    }

    @Test
    void graphsOfBothWaysCountTogether() throws IOException {
        try (SharedBudget budget = SharedBudget.of(LIMIT);
                Graph ours = Graph.open(Graphs.of(Profile.ARCHIVE), OpenMode.MAPPED, budget);
                NativeGraph theirs = NativeGraph.open(Graphs.of(Profile.ARCHIVE), false, budget)) {
            long tables = budget.heldBytes();
            ReadsAll.sums(ours);
            long decoded = budget.heldBytes();
            try (NativeProperty code = theirs.property("CODE")) {
                assertNotNull(code);
                assertTrue(tables > 0 && decoded > tables && budget.heldBytes() > decoded);
            }
        }
        assertEquals(0, Call.liveHandles());
    }

    private static long filePages() throws IOException {
        for (String line : Files.readAllLines(STATUS)) {
            if (line.startsWith("RssFile:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
            }
        }
        throw new IOException("no RssFile in " + STATUS);
    }
}
