package varvite.bench.walks.tinkergraph;

import java.io.IOException;
import java.nio.file.Path;
import varvite.bench.walks.Session;

/** {@code Main TABLES}: runs TinkerGraph in the benchmark of walks. It loads the tree from the tables. */
public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws IOException {
        Session.serve(() -> TinkerSide.open(Path.of(arguments[0])));
    }
}
