package varvite.management;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.function.ToLongFunction;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import jdk.jfr.FlightRecorder;

/**
 * Shows open graphs to JMX, as {@code varvite:type=GraphMemory}, and to Flight Recorder, as the periodic
 * event {@code varvite.GraphMemory}:
 *
 * <pre>{@code
 * try (GraphMonitor monitor = GraphMonitor.start()) { ... }
 * }</pre>
 *
 * <p>A monitor costs nothing until a client reads an attribute or a recording runs. Only one monitor may run
 * at a time; any thread may start and close it.
 */
public final class GraphMonitor implements AutoCloseable {
    /** The name of the bean. */
    public static final String BEAN = "varvite:type=GraphMemory";
    /** The name of the event. */
    public static final String EVENT = GraphMemoryEvent.NAME;

    private static final Runnable HOOK = GraphMemoryEvent::recordAll;

    private final ObjectName name;
    private final boolean recorded;

    private GraphMonitor(ObjectName name, boolean recorded) {
        this.name = name;
        this.recorded = recorded;
    }

    /**
     * Registers the bean, and the event if this virtual machine has Flight Recorder.
     *
     * @throws IllegalStateException if a monitor is already running
     */
    public static GraphMonitor start() {
        try {
            ObjectName name = new ObjectName(BEAN);
            server().registerMBean(new Bean(), name);
            boolean recorded = FlightRecorder.isAvailable();
            if (recorded) {
                FlightRecorder.addPeriodicEvent(GraphMemoryEvent.class, HOOK);
            }
            return new GraphMonitor(name, recorded);
        } catch (JMException e) {
            throw new IllegalStateException("cannot register " + BEAN + ": is there a monitor already?", e);
        }
    }

    private static MBeanServer server() {
        return ManagementFactory.getPlatformMBeanServer();
    }

    /** Unregisters the bean and the event. A second call has no effect. */
    @Override
    public void close() {
        if (recorded) {
            FlightRecorder.removePeriodicEvent(HOOK);
        }
        try {
            if (server().isRegistered(name)) {
                server().unregisterMBean(name);
            }
        } catch (JMException e) {
            throw new IllegalStateException("cannot unregister " + BEAN, e);
        }
    }

    private static final class Bean implements GraphMemoryMXBean {
        @Override
        public int getOpenGraphs() {
            return getGraphs().size();
        }

        @Override
        public long getMappedBytes() {
            return sum(GraphUsage::mapped);
        }

        @Override
        public long getTouchedBytes() {
            return sum(GraphUsage::touched);
        }

        @Override
        public long getResidentBytes() {
            boolean unknown = getGraphs().stream().anyMatch(usage -> usage.resident() < 0);
            return unknown ? -1 : sum(GraphUsage::resident);
        }

        @Override
        public long getDecodedBytes() {
            return sum(GraphUsage::decoded);
        }

        @Override
        public long getPinnedBytes() {
            return sum(GraphUsage::pinned);
        }

        @Override
        public List<GraphUsage> getGraphs() {
            return GraphUsage.ofAll();
        }

        private long sum(ToLongFunction<GraphUsage> part) {
            return getGraphs().stream().mapToLong(part).sum();
        }
    }
}
