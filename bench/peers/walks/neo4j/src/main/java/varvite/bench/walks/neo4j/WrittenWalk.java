package varvite.bench.walks.neo4j;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.neo4j.graphdb.Node;
import org.neo4j.graphdb.Path;
import org.neo4j.graphdb.Relationship;
import org.neo4j.graphdb.RelationshipType;
import org.neo4j.graphdb.traversal.BranchOrderingPolicies;
import org.neo4j.graphdb.traversal.Evaluation;
import org.neo4j.graphdb.traversal.Evaluator;
import org.neo4j.graphdb.traversal.Evaluators;
import org.neo4j.graphdb.traversal.TraversalDescription;
import org.neo4j.graphdb.traversal.Uniqueness;

/** A walk from a file, run as a traversal with Neo4j's own orders, levels of uniqueness and evaluators. */
final class WrittenWalk {
    private static final int ORDER = 1;
    private static final int UNIQUENESS = 2;
    private static final int HOPS = 3;
    private static final int TESTS = 4;
    private static final int STARTS = 5;
    private static final int EXTENT = 6;
    private static final int RESULTS = 7;

    private final WrittenGraph graph;
    private final String[] fields;

    WrittenWalk(WrittenGraph graph, String[] fields) {
        this.graph = graph;
        this.fields = fields;
    }

    /** The expected paths: all paths of the walk, or only the first ones if the file has no more. */
    List<String> expected() {
        return fields[RESULTS].equals("-") ? List.of() : List.of(fields[RESULTS].split(";"));
    }

    /** The paths that Neo4j finds; only the first {@code some} paths if the file does not have all. */
    List<String> walk(int some) {
        List<String> found = new ArrayList<>();
        int most = fields[EXTENT].equals("all") ? Integer.MAX_VALUE : some;
        if (most == 0) {
            return found;
        }
        for (Path path : description().traverse(graph.nodes(fields[STARTS]))) {
            found.add(shown(path));
            if (found.size() >= most) {
                break;
            }
        }
        return found;
    }

    private String shown(Path path) {
        var shown = new StringBuilder();
        Node before = null;
        Node node = path.startNode();
        shown.append(graph.numbers.get(node));
        for (Relationship edge : path.relationships()) {
            before = node;
            node = edge.getOtherNode(before);
            char sign = before.equals(node) ? '=' : edge.getStartNode().equals(before) ? '>' : '<';
            shown.append(' ').append(graph.numbers.get(node)).append(sign).append(edge.getType().name());
        }
        return shown.toString();
    }

    private TraversalDescription description() {
        TraversalDescription description = graph.transaction.traversalDescription().expand(new WrittenHops(graph, fields[HOPS]));
        description = description.order(
                switch (fields[ORDER]) {
                    case "DepthFirst" -> BranchOrderingPolicies.PREORDER_DEPTH_FIRST;
                    case "DepthFirstPost" -> BranchOrderingPolicies.POSTORDER_DEPTH_FIRST;
                    case "BreadthFirst" -> BranchOrderingPolicies.PREORDER_BREADTH_FIRST;
                    case "BreadthFirstPost" -> BranchOrderingPolicies.POSTORDER_BREADTH_FIRST;
                    default -> throw new IllegalArgumentException("unknown order: " + fields[ORDER]);
                });
        description = unique(description, fields[UNIQUENESS].split(" "));
        if (!fields[TESTS].equals("-")) {
            for (String test : fields[TESTS].split(";")) {
                description = description.evaluator(evaluator(test));
            }
        }
        return description;
    }

    private static TraversalDescription unique(TraversalDescription description, String[] words) {
        if (words[0].equals("none")) {
            return description.uniqueness(Uniqueness.NONE);
        }
        boolean isOfNodes = words[0].equals("node");
        return switch (words[1]) {
            case "walk" -> description.uniqueness(isOfNodes ? Uniqueness.NODE_GLOBAL : Uniqueness.RELATIONSHIP_GLOBAL);
            case "path" -> description.uniqueness(isOfNodes ? Uniqueness.NODE_PATH : Uniqueness.RELATIONSHIP_PATH);
            case "depth" -> description.uniqueness(isOfNodes ? Uniqueness.NODE_LEVEL : Uniqueness.RELATIONSHIP_LEVEL);
            default ->
                description.uniqueness(
                        isOfNodes ? Uniqueness.NODE_RECENT : Uniqueness.RELATIONSHIP_RECENT, Integer.parseInt(words[2]));
        };
    }

    private Evaluator evaluator(String test) {
        if (test.startsWith("any_of ")) {
            String[] tests = test.substring("any_of ".length()).split("\\|");
            return Evaluators.includeIfAcceptedByAny(Arrays.stream(tests).map(this::evaluator).toArray(Evaluator[]::new));
        }
        String[] words = test.split(" ");
        return switch (words[0]) {
            case "to_depth" -> Evaluators.toDepth(number(words[1]));
            case "from_depth" -> Evaluators.fromDepth(number(words[1]));
            case "depths" -> Evaluators.includingDepths(number(words[1]), number(words[2]));
            case "labels" -> {
                List<String> labels = WrittenGraph.names(words[1]);
                yield path -> evaluation(WrittenHops.hasAny(path.endNode(), labels) ? words[2] : words[3]);
            }
            case "last_edge" -> {
                RelationshipType[] types = WrittenGraph.names(words[1]).stream()
                        .map(RelationshipType::withName)
                        .toArray(RelationshipType[]::new);
                yield Evaluators.lastRelationshipTypeIs(
                        evaluation(words[2]), evaluation(words[3]), types[0], Arrays.copyOfRange(types, 1, types.length));
            }
            case "ends" -> Evaluators.endNodeIs(evaluation(words[2]), evaluation(words[3]), graph.nodes(words[1]));
            case "ends_at_depth" -> Evaluators.endNodeIsAtDepth(number(words[2]), graph.nodes(words[1]));
            case "contains_all" -> Evaluators.includeIfContainsAll(graph.nodes(words[1]));
            default -> throw new IllegalArgumentException("unknown test: " + test);
        };
    }

    private static int number(String word) {
        return Integer.parseInt(word);
    }

    /** The evaluation that two bits stand for: the first bit means include, and the second continue. */
    private static Evaluation evaluation(String bits) {
        return Evaluation.of(bits.charAt(0) == '1', bits.charAt(1) == '1');
    }
}
