package flatgraph;

import java.io.Serializable;
import java.nio.file.Path;
import org.slf4j.Logger;
import scala.Option;

/** The static members of {@link Graph}, in the form that compiled Scala needs. */
public final class Graph$ implements Serializable {
    private static final long serialVersionUID = 1;

    public static final Graph$ MODULE$ = new Graph$();

    private Graph$() {}

    private Object readResolve() {
        return MODULE$;
    }

    public Graph withStorage(Schema schema, Path path, boolean persistOnClose) {
        return Graph.withStorage(schema, path, persistOnClose);
    }

    public boolean withStorage$default$3() {
        return Graph.withStorage$default$3();
    }

    public Option<Path> $lessinit$greater$default$2() {
        return Graph.$lessinit$greater$default$2();
    }

    public int NeighborsSlotSize() {
        return Graph.NeighborsSlotSize();
    }

    public int NumberOfDirections() {
        return Graph.NumberOfDirections();
    }

    public int PropertySlotSize() {
        return Graph.PropertySlotSize();
    }

    public Logger logger() {
        return Graph.logger();
    }
}
