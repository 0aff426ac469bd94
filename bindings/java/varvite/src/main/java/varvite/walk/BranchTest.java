package varvite.walk;

import java.util.Arrays;
import varvite.Property;

/**
 * An evaluator as it is asked, with names resolved. Most of what evaluators say of depths and labels is not here: it became numbers and the
 * bits of label sets. Bits are those of {@link Evaluation}.
 */
sealed interface BranchTest {
    /** What it says of a branch. */
    int evaluate(Loop loop, int number);

    /** The bits about which it may say this or that: it need not be asked where none of them is left. */
    default int decides() {
        return Evaluation.BOTH;
    }

    /** The bits that are left whatever it says. */
    default int always() {
        return 0;
    }

    /** By depth. */
    record Depths(int least, int most, int continuesBelow) implements BranchTest {
        @Override
        public int evaluate(Loop loop, int number) {
            int depth = loop.branches.depth(number);
            int ofDepth = least <= depth && depth <= most ? Evaluation.INCLUDES : 0;
            return depth < continuesBelow ? ofDepth | Evaluation.CONTINUES : ofDepth;
        }
    }

    /** The evaluation of each label set. */
    record Labels(byte[] ofCode) implements BranchTest {
        @Override
        public int evaluate(Loop loop, int number) {
            return ofCode[loop.branches.code(number)];
        }
    }

    /** The evaluation of each way, and of branches without one. */
    record LastEdge(byte[] ofWay, int other) implements BranchTest {
        @Override
        public int evaluate(Loop loop, int number) {
            int way = loop.branches.way(number);
            return way == Branches.NO_WAY ? other : ofWay[way];
        }
    }

    /** Whether the node is one of some, which rise. */
    record Ends(int[] nodes, int matched, int other) implements BranchTest {
        @Override
        public int evaluate(Loop loop, int number) {
            return Arrays.binarySearch(nodes, loop.branches.node(number)) >= 0 ? matched : other;
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
        public int evaluate(Loop loop, int number) {
            int found = loop.branches.depth(number);
            boolean isMatched = found == depth && Arrays.binarySearch(nodes, loop.branches.node(number)) >= 0;
            int includes = isMatched ? Evaluation.INCLUDES : 0;
            return found < depth ? includes | Evaluation.CONTINUES : includes;
        }
    }

    /** Whether all of some nodes are on the branch. */
    record ContainsAll(int[] nodes) implements BranchTest {
        @Override
        public int evaluate(Loop loop, int number) {
            for (int node : nodes) {
                if (!isOnPath(loop.branches, node, number)) {
                    return Evaluation.CONTINUES;
                }
            }
            return Evaluation.BOTH;
        }

        private static boolean isOnPath(Branches branches, int node, int last) {
            int number = last;
            while (number != Branches.NO_BRANCH && branches.node(number) != node) {
                number = branches.parent(number);
            }
            return number != Branches.NO_BRANCH;
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
        public int evaluate(Loop loop, int number) {
            loop.valueReads++;
            return property.isIn(least, greatest, loop.branches.node(number)) ? matched : other;
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
        public int evaluate(Loop loop, int number) {
            for (BranchTest test : tests) {
                if ((test.evaluate(loop, number) & Evaluation.INCLUDES) != 0) {
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
