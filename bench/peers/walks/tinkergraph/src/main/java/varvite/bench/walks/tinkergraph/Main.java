package varvite.bench.walks.tinkergraph;

import java.io.IOException;
import java.nio.file.Path;
import varvite.bench.walks.Session;

/** {@code Main TABLES}: TinkerGraph with the tree of these tables. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws IOException {
        Session.serve(() -> TinkerSide.open(Path.of(arguments[0])));
    }
}
