package varvite.bench.flatgraph;

import flatgraph.GNode;
import java.util.Arrays;
import scala.collection.Iterator;

/** A stack of nodes that grows as needed and is reused, so that later walks do not allocate memory for it. */
final class NodeStack {
    private GNode[] nodes = new GNode[1024];
    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    void clear() {
        count = 0;
    }

    GNode pop() {
        return nodes[--count];
    }

    void push(GNode node) {
        if (count == nodes.length) {
            nodes = Arrays.copyOf(nodes, count * 2);
        }
        nodes[count++] = node;
    }

    void pushAll(Iterator<GNode> added) {
        while (added.hasNext()) {
            push(added.next());
        }
    }

    void pushAll(GNode[] added) {
        if (count + added.length > nodes.length) {
            nodes = Arrays.copyOf(nodes, Math.max(nodes.length * 2, count + added.length));
        }
        System.arraycopy(added, 0, nodes, count, added.length);
        count += added.length;
    }
}
