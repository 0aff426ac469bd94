package varvite.walk;

import java.util.Arrays;
import varvite.Property;

/**
 * An evaluator in its compiled form, with names resolved. Most tests of depths and labels are not here: they
 * became numbers and the bits of label sets. Bits are those of {@link Evaluation}.
 */
sealed interface BranchTest {
    /** Its evaluation of a branch. */
    int evaluate(Visit visit);

    /** The bits that it may clear or not: it is skipped if none of them is set. */
    default int decides() {
        return Evaluation.BOTH;
    }

    /** The bits that stay set with any result. */
    default int always() {
        return 0;
    }

    /** By depth. */
    record Depths(int least, int most, int continuesBelow) implements BranchTest {
        @Override
        public int evaluate(Visit visit) {
            int depth = visit.depth();
            int ofDepth = least <= depth && depth <= most ? Evaluation.INCLUDES : 0;
            return depth < continuesBelow ? ofDepth | Evaluation.CONTINUES : ofDepth;
        }
    }

    /** The evaluation of each label set. */
    record Labels(byte[] ofCode) implements BranchTest {
        @Override
        public int evaluate(Visit visit) {
            return ofCode[visit.labelCode()];
        }
    }

    /** The evaluation of each way, and of branches without one. */
    record LastEdge(byte[] ofWay, int other) implements BranchTest {
        @Override
        public int evaluate(Visit visit) {
            int way = visit.way();
            return way == Branches.NO_WAY ? other : ofWay[way];
        }
    }

    /** Whether the node is one of some, which rise. */
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

    /** The same, at one depth. */
    record EndsAtDepth(int[] nodes, int depth) implements BranchTest {
        @Override
        public int evaluate(Visit visit) {
            int found = visit.depth();
            boolean isMatched = found == depth && Arrays.binarySearch(nodes, visit.node()) >= 0;
            int includes = isMatched ? Evaluation.INCLUDES : 0;
            return found < depth ? includes | Evaluation.CONTINUES : includes;
        }
    }

    /** Whether all of some nodes are on the branch. */
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

    /** Whether the node has a value in a range. */
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

    /** Whether any of some tests includes it. */
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
