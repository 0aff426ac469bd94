package varvite.management;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;

/** The memory of one open graph, as a periodic event of Flight Recorder. */
@Name(GraphMemoryEvent.NAME)
@Label("Varvite Graph Memory")
@Category("Varvite")
@Description("Memory of an open graph")
@Period("10 s")
@StackTrace(false)
final class GraphMemoryEvent extends Event {
    static final String NAME = "varvite.GraphMemory";

    @Label("File")
    String path;

    @Label("Mapped")
    @Description("Addresses of the file")
    @DataAmount
    long mapped;

    @Label("Touched")
    @Description("Segments of columns that were opened")
    @DataAmount
    long touched;

    @Label("Resident")
    @Description("Pages of the map that are in memory, or -1 if the operating system does not report them")
    @DataAmount
    long resident;

    @Label("Decoded")
    @Description("Private buffers of decoded blocks")
    @DataAmount
    long decoded;

    @Label("Pinned")
    @Description("Decoded bytes that are pinned")
    @DataAmount
    long pinned;

    /** Records one event for each open graph. */
    static void recordAll() {
        GraphUsage.ofAll().forEach(usage -> of(usage).commit());
    }

    private static GraphMemoryEvent of(GraphUsage usage) {
        GraphMemoryEvent event = new GraphMemoryEvent();
        event.path = usage.path();
        event.mapped = usage.mapped();
        event.touched = usage.touched();
        event.resident = usage.resident();
        event.decoded = usage.decoded();
        event.pinned = usage.pinned();
        return event;
    }
}
