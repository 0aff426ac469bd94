package varvite;

/** Reads some data of a graph by every kind of read that accesses the file. */
final class EveryHop {
    static long sum(Graph graph) {
        Adjacency flow = graph.out("CFG");
        Adjacency tree = graph.in("AST");
        IntProperty slope = graph.ints("SLOPE");
        TextProperty name = graph.texts("NAME");
        NeighborCursor cursor = flow.cursor();
        long sum = 0;
        for (int node = 0; node < graph.nodeCount(); node++) {
            for (cursor.of(node); cursor.next(); ) {
                sum += cursor.node() + slope.get(cursor.node(), 0);
            }
            sum += tree.first(node) + name.code(node);
        }
        return sum;
    }
}
