package varvite.bench.flatgraph;

import flatgraph.Graph;
import flatgraph.storage.Serialization;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import scala.Option;
import varvite.bench.protocol.Engine;
import varvite.bench.protocol.Workload;

/** The peer {@code flatgraph}, which answers questions by plain loops over flatgraph's accessors. */
final class Loops implements Engine<CodeGraph> {
    @Override
    public String name() {
        return "flatgraph";
    }

    @Override
    public String version() {
        return Graph.class.getPackage().getImplementationVersion();
    }

    @Override
    public CodeGraph load(Path path) throws IOException {
        return CodeGraph.load(path);
    }

    @Override
    public long countMethods(CodeGraph graph) {
        return graph.graph.nodeCount("METHOD");
    }

    @Override
    public void save(CodeGraph graph, Path target) {
        Serialization.writeGraph(graph.graph, target, Option.empty());
    }

    @Override
    public Map<String, Workload<CodeGraph>> workloads() {
        return Workloads.BY_NAME;
    }
}
