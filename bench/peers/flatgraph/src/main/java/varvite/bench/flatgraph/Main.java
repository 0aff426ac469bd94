package varvite.bench.flatgraph;

import java.io.IOException;
import java.nio.file.Path;
import varvite.bench.protocol.Session;

/**
 * The way in. Without arguments the process is a peer that answers commands from standard input (see {@link Session});
 * with {@code facts GRAPH OUT.json} it writes what flatgraph sees in a file (see {@link Facts}) and ends.
 *
 * <p>Exit codes: 0 done, 1 the work failed, 2 wrong arguments.
 */
public final class Main {
    private static final String USAGE = """
            usage: Main                        answer commands from standard input, one JSON line for each
                   Main facts GRAPH OUT.json   write what flatgraph sees in GRAPH
            """;

    private Main() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length == 0) {
            Session.serve(new Loops());
        } else if (arguments.length == 3 && arguments[0].equals("facts")) {
            System.exit(writeFacts(Path.of(arguments[1]), Path.of(arguments[2])));
        } else {
            System.err.print(USAGE);
            System.exit(2);
        }
    }

    private static int writeFacts(Path source, Path target) {
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        try {
            Facts.write(CodeGraph.load(source), target);
            return 0;
        } catch (Exception failure) {
            System.err.println("facts of " + source + " to " + target + " failed: " + failure);
            return 1;
        }
    }
}
