package varvite.joern;

import flatgraph.GNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * Pairs the half edges of a diff. Both halves of an edge get the same number, as if the edge had been added
 * as a whole.
 */
final class HalfEdges {
    private final Map<Half, Deque<Integer>> waiting = new HashMap<>();

    /** A half edge whose other half has not been found yet. */
    private record Half(GNode source, GNode target, int edgeKind, Object value, boolean isOut) {}

    /**
     * The number of a half edge: that of the first matching half that has no other half yet, else a new
     * number.
     */
    int number(GNode source, GNode target, int edgeKind, Object value, boolean isOut, IntSupplier next) {
        Deque<Integer> others = waiting.get(new Half(source, target, edgeKind, value, !isOut));
        if (others != null && !others.isEmpty()) {
            return others.removeFirst();
        }
        int number = next.getAsInt();
        waiting.computeIfAbsent(new Half(source, target, edgeKind, value, isOut), ignored -> new ArrayDeque<>()).add(number);
        return number;
    }
}
