package varvite.bench.flatgraph;

import java.io.IOException;
import java.nio.file.Path;
import varvite.bench.protocol.Session;

/**
 * The main class. Without arguments the process is a peer that answers commands from standard input (see
 * {@link Session}). With {@code facts GRAPH OUT.json} it writes the facts of a graph (see {@link Facts}),
 * with {@code dump} it writes the whole content of a graph (see {@link Dump}), and with {@code odd} it makes
 * a random graph (see {@link OddGraph}).
 *
 * <p>Exit codes: 0 for success, 1 if the work failed, 2 for wrong arguments.
 */
public final class Main {
    private static final String USAGE = """
            usage: Main                        answer commands from standard input, one JSON line for each
                   Main facts GRAPH OUT.json   write what flatgraph sees in GRAPH
                   Main dump GRAPH OUT.jsonl   write all that flatgraph holds of GRAPH
                   Main odd SEED OUT.cpg.bin   write a random graph of odd shapes
            """;

    /** The work of a command with its two arguments. */
    private interface Work {
        void run(String source, Path target) throws Exception;
    }

    private Main() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length == 0) {
            Session.serve(new Loops());
        } else if (arguments.length == 3 && work(arguments[0]) != null) {
            System.exit(run(arguments));
        } else {
            System.err.print(USAGE);
            System.exit(2);
        }
    }

    private static Work work(String command) {
        return switch (command) {
            case "facts" -> (source, target) -> Facts.write(CodeGraph.load(Path.of(source)), target);
            case "dump" -> (source, target) -> Dump.write(CodeGraph.load(Path.of(source)), target);
            case "odd" -> (seed, target) -> OddGraph.write(Long.parseLong(seed), target);
            default -> null;
        };
    }

    private static int run(String[] arguments) {
        System.setProperty("slf4j.internal.verbosity", "ERROR");
        try {
            work(arguments[0]).run(arguments[1], Path.of(arguments[2]));
            return 0;
        } catch (Exception failure) {
            System.err.println(arguments[0] + " of " + arguments[1] + " to " + arguments[2] + " failed: " + failure);
            return 1;
        }
    }
}
