package varvite.walk;

/**
 * The branches of a walk. Each branch has the number of its parent branch, so that the path to a branch can
 * be computed on request. A depth-first walk holds only the branches of one path, and the number of a branch
 * is its depth.
 *
 * <pre>
 * word 0 = node          word 3 = code of the node's label set
 * word 1 = parent branch word 4 = rank of the last edge
 * word 2 = depth         word 5 = way of the last edge (16 bits), evaluation (2 bits)
 * </pre>
 */
final class Branches {
    /** Stands for no branch; no branch has this number. */
    static final int NO_BRANCH = -1;
    /** Stands for no {@link Plan way}; no way has this number. */
    static final int NO_WAY = 0xffff;

    static final int WORDS = 6;
    private static final int PARENT = 1;
    private static final int DEPTH = 2;
    private static final int CODE = 3;
    private static final int RANK = 4;
    private static final int WAY = 5;
    private static final int EVALUATION_SHIFT = 16;

    private final Budget budget;
    private int[] words = {};
    private int count;

    Branches(Budget budget) {
        this.budget = budget;
    }

    int count() {
        return count;
    }

    void clear() {
        count = 0;
    }

    /** Adds a branch and returns its number. */
    int push(int node, int parent, int depth, int code, int rank, int way) {
        int at = count * WORDS;
        if (at + WORDS > words.length) {
            words = budget.grow(words, (count + 1L) * WORDS);
        }
        int[] words = this.words;
        words[at + WAY] = way;
        words[at] = node;
        words[at + PARENT] = parent;
        words[at + DEPTH] = depth;
        words[at + CODE] = code;
        words[at + RANK] = rank;
        return count++;
    }

    /** Adds a branch to the path of a depth-first walk, without the rank of its edge. */
    void push(int node, int code, int way, int evaluation) {
        push(node, count - 1, count, code, Plan.NO_RANK, way | evaluation << EVALUATION_SHIFT);
    }

    /** Removes the last branch. */
    void pop() {
        count--;
    }

    int node(int number) {
        return words[number * WORDS];
    }

    int parent(int number) {
        return words[number * WORDS + PARENT];
    }

    int depth(int number) {
        return words[number * WORDS + DEPTH];
    }

    int code(int number) {
        return words[number * WORDS + CODE];
    }

    int rank(int number) {
        return words[number * WORDS + RANK];
    }

    int way(int number) {
        return words[number * WORDS + WAY] & NO_WAY;
    }

    int evaluation(int number) {
        return words[number * WORDS + WAY] >>> EVALUATION_SHIFT;
    }

    /** Stores a branch's evaluation, together with the way of its last edge. */
    void evaluate(int number, int way, int evaluation) {
        words[number * WORDS + WAY] = way | evaluation << EVALUATION_SHIFT;
    }
}
