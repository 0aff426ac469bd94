package varvite.examples;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import varvite.Graph;
import varvite.TextProperty;
import varvite.ffi.NativeGraph;
import varvite.ffi.Site;

/** Prints the calls that may reach the METHODs with a given name, with file and line. */
public final class Callers {
    private Callers() {}

    /** Usage: {@code Callers FILE NAME}. */
    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            System.err.println("usage: Callers FILE NAME");
            System.exit(2);
        }
        Path path = Path.of(args[0]);
        try (Graph graph = Graph.open(path);
                NativeGraph engine = NativeGraph.open(path, false)) {
            TextProperty name = graph.texts("NAME");
            TextProperty code = graph.texts("CODE");
            int[] methods = graph.nodes("METHOD").stream().filter(method -> args[1].equals(name.get(method))).toArray();
            int[] calls = engine.callsOf(methods);
            List<Site> sites = engine.sites(calls);
            for (int i = 0; i < calls.length; i++) {
                Site site = sites.get(i);
                System.out.println(site.file().orElse("?") + ":" + site.line().orElse(0) + "\t"
                        + site.methodName().orElse("?") + "\t" + code.get(calls[i]));
            }
        }
    }
}
