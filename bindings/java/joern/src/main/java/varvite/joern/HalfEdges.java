package varvite.joern;

import flatgraph.GNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;

/** Edges that a diff adds end by end: both ends of one get the same number, as if it had been added whole. */
final class HalfEdges {
    private final Map<Half, Deque<Integer>> waiting = new HashMap<>();

    /** An end that has no other yet. */
    private record Half(GNode source, GNode target, int edgeKind, Object value, boolean isOut) {}

    /** The number of an end: that of the first other end that waits for it, else a new one. */
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
