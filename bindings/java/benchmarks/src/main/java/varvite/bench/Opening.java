package varvite.bench;

import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** The results of {@link OpeningBenchmark#measure}, in the form that JMH requires of counters. */
@State(Scope.Thread)
@AuxCounters(AuxCounters.Type.EVENTS)
public class Opening {
    /** Nanoseconds from the start of opening to the first answer. */
    public long nanoseconds;

    /**
     * Bytes of the heap that the graph keeps alive, measured by a full garbage collection before and after.
     */
    public long heapBytes;

    /** Resets both numbers. */
    @Setup(Level.Iteration)
    public void reset() {
        nanoseconds = 0;
        heapBytes = 0;
    }
}
