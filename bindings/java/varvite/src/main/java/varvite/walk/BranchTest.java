package varvite.walk;

import java.util.Arrays;
import varvite.Property;

/**
 * A compiled evaluator, with names resolved. Most tests of depths are compiled to numbers instead, and most
 * tests of labels to a table with an evaluation for each label set. Bits are those of {@link Evaluation}.
 */
sealed interface BranchTest {
    /** Evaluates the visited branch and returns the bits of the evaluation. */
    int evaluate(Visit visit);

    /** The bits that the test may clear. If none of them is set, the test is skipped. */
    default int decides() {
        return Evaluation.BOTH;
    }

    /** The bits that the test never clears. */
    default int always() {
        return 0;
    }

    /** A test of the branch's depth. */
    record Depths(int least, int most, int continuesBelow) implements BranchTest {
        @Override
        public int evaluate(Visit visit) {
            int depth = visit.depth();
            int ofDepth = least <= depth && depth <= most ? Evaluation.INCLUDES : 0;
            return depth < continuesBelow ? ofDepth | Evaluation.CONTINUES : ofDepth;
        }
    }

    /** A test with an evaluation for each label set that the branch's last node may have. */
    record Labels(byte[] ofCode) implements BranchTest {
        @Override
        public int evaluate(Visit visit) {
            return ofCode[visit.labelCode()];
        }
    }

    /**
     * A test with an evaluation for each {@link Plan way} of the last edge, and one for branches without a
     * last edge.
     */
    record LastEdge(byte[] ofWay, int other) implements BranchTest {
        @Override
        public int evaluate(Visit visit) {
            int way = visit.way();
            return way == Branches.NO_WAY ? other : ofWay[way];
        }
    }

    /** A test of the branch's last node against a list of nodes in rising order. */
    record Ends(int[] nodes, int matched, int other) implements BranchTest {
        @Override
        public int evaluate(Visit visit) {
            return Arrays.binarySearch(nodes, visit.node()) >= 0 ? matched : other;
        }

        @Override
        public int decides() {
            return matched ^ other;
        }

        @Override
        public int always() {
            return matched & other;
        }
    }

    /** A test that the branch's last node is in a list of nodes and that the branch has a certain depth. */
    record EndsAtDepth(int[] nodes, int depth) implements BranchTest {
        @Override
        public int evaluate(Visit visit) {
            int found = visit.depth();
            boolean isMatched = found == depth && Arrays.binarySearch(nodes, visit.node()) >= 0;
            int includes = isMatched ? Evaluation.INCLUDES : 0;
            return found < depth ? includes | Evaluation.CONTINUES : includes;
        }
    }

    /** A test that the branch contains all nodes of a list. */
    record ContainsAll(int[] nodes) implements BranchTest {
        @Override
        public int evaluate(Visit visit) {
            for (int node : nodes) {
                if (!visit.contains(node)) {
                    return Evaluation.CONTINUES;
                }
            }
            return Evaluation.BOTH;
        }

        @Override
        public int decides() {
            return Evaluation.INCLUDES;
        }

        @Override
        public int always() {
            return Evaluation.CONTINUES;
        }
    }

    /** A test that the branch's last node has a value in a range. */
    record Number(Property property, long least, long greatest, int matched, int other) implements BranchTest {
        @Override
        public int evaluate(Visit visit) {
            visit.valueReads++;
            return property.isIn(least, greatest, visit.node()) ? matched : other;
        }

        @Override
        public int decides() {
            return matched ^ other;
        }

        @Override
        public int always() {
            return matched & other;
        }
    }

    /** A test that includes a branch if any test of a list includes it. */
    record AnyOf(BranchTest[] tests) implements BranchTest {
        @Override
        public int evaluate(Visit visit) {
            for (BranchTest test : tests) {
                if ((test.evaluate(visit) & Evaluation.INCLUDES) != 0) {
                    return Evaluation.BOTH;
                }
            }
            return Evaluation.CONTINUES;
        }

        @Override
        public int decides() {
            return Evaluation.INCLUDES;
        }

        @Override
        public int always() {
            return Evaluation.CONTINUES;
        }
    }
}
