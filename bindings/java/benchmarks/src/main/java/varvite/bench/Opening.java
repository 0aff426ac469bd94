package varvite.bench;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The figures of {@link OpeningBenchmark#measure}, as JMH wants counters to be. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class Opening {
    /** Nanoseconds until the first answer. */
    public long nanoseconds;

    /** Bytes of the heap that the graph keeps alive; a full collection before and after. */
    public long heapBytes;

    /** Starts over. */
    @Setup(Level.Iteration)
    public void reset() {
        nanoseconds = 0;
        heapBytes = 0;
    }
}
