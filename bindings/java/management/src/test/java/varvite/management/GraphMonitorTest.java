package varvite.management;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.JMX;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import varvite.Graph;

@SuppressWarnings("try") // An open monitor works without being used.
class GraphMonitorTest {
    private static final Path FILE = golden("conformance/files/blocks.direct.varvite");

    /** A file of the repository, whose root is some folder above the working directory. */
    private static Path golden(String name) {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            if (Files.isRegularFile(at.resolve(name))) {
                return at.resolve(name);
            }
        }
        throw new IllegalStateException("no " + name + " at or above the current folder");
    }

    @Test
    void theBeanShowsOpenGraphsAndNoOthers() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        try (GraphMonitor monitor = GraphMonitor.start()) {
            GraphMemoryMXBean bean =
                    JMX.newMXBeanProxy(server, new ObjectName(GraphMonitor.BEAN), GraphMemoryMXBean.class);
            assertEquals(0, bean.getOpenGraphs());
            try (Graph graph = Graph.open(FILE)) {
                graph.out("CFG").first(0);
                assertEquals(1, bean.getOpenGraphs());
                assertEquals(Files.size(FILE), bean.getMappedBytes());
                assertTrue(bean.getTouchedBytes() > 0 && bean.getTouchedBytes() < bean.getMappedBytes());
                assertTrue(bean.getResidentBytes() == -1 || bean.getResidentBytes() > 0);
                assertEquals(0, bean.getDecodedBytes() + bean.getPinnedBytes());
                assertEquals(FILE.toString(), bean.getGraphs().getFirst().path());
            }
            assertEquals(0, bean.getOpenGraphs());
            assertThrows(IllegalStateException.class, GraphMonitor::start);
        }
        assertFalse(server.isRegistered(new ObjectName(GraphMonitor.BEAN)));
    }

    @Test
    void flightRecorderIsToldOfEachGraph() throws Exception {
        BlockingQueue<RecordedEvent> events = new LinkedBlockingQueue<>();
        try (GraphMonitor monitor = GraphMonitor.start();
                Graph graph = Graph.open(FILE);
                RecordingStream stream = new RecordingStream()) {
            stream.enable(GraphMonitor.EVENT).withPeriod(Duration.ofMillis(20));
            stream.setReuse(false);
            stream.onEvent(GraphMonitor.EVENT, events::add);
            stream.startAsync();
            RecordedEvent event = events.poll(60, TimeUnit.SECONDS);
            assertEquals(FILE.toString(), event.getString("path"));
            assertEquals(Files.size(FILE), event.getLong("mapped"));
        }
    }
}
