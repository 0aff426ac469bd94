package varvite.walk;

import varvite.Adjacency;
import varvite.Labels;

/**
 * A depth-first walk that needs neither ranks of edges, nor labels of targets, nor {@link Guide#expand}. It
 * works like {@link DepthFirst}, but with the current list in local variables. All branches in memory are
 * open, except that the last one may be a result that the walk does not continue from.
 */
final class PlainDepthFirst extends DepthFirst {
    private final Positions positions;
    /** Evaluation bits that the tests or the guide may clear. */
    private final int asked;
    /** The number of results that the loop still counts without returning them. */
    private long toCount;

    PlainDepthFirst(Plan plan, Arena arena, Guide guide) {
        super(plan, arena, guide);
        positions = arena.positions;
        asked = guide != null ? Evaluation.BOTH : plan.testsDecide;
    }

    @Override
    void count(long most) {
        while (counted < most) {
            // The last result is returned and not counted, which ends the loop.
            toCount = isPost ? 0 : most - counted - 1;
            int given;
            try {
                given = next();
            } finally {
                toCount = 0;
            }
            if (given == END) {
                return;
            }
            counted++;
        }
    }

    @Override
    int nextBranch() {
        while (true) {
            if (branches.count() > 0) {
                int given = goOn();
                if (given != END) {
                    return given;
                }
            }
            int evaluation = start();
            if (evaluation == NOWHERE) {
                return END;
            }
            if (!isPost && (evaluation & Evaluation.INCLUDES) != 0) {
                isFresh = true;
                return 0;
            }
            if (openLast(0, evaluation)) {
                return 0;
            }
        }
    }

    @Override
    boolean expand(int number) {
        expansions++;
        int place = plan.place(branches.code(number), branches.way(number));
        return open(number, branches.node(number), plan.wayStarts[place], plan.wayEnds[place]);
    }

    /**
     * Opens a branch at its first neighbour: stores the position in the list of the first way, from
     * {@code start} to {@code end}, that has neighbours. False if no way has any.
     */
    private boolean open(int number, int node, int start, int end) {
        for (int at = start; at < end; at++) {
            long rest = plan.adjacencies[plan.wayNumbers[at]].rest(node);
            if (rest != 0) {
                positions.put(number, rest, at, end);
                return true;
            }
        }
        return false;
    }

    /**
     * Continues in the list of the last open branch. Returns the next result, or {@link #END} if no branch is
     * left.
     */
    private int goOn() {
        Plan plan = this.plan;
        Branches branches = this.branches;
        Positions positions = this.positions;
        Labels labels = this.labels;
        Adjacency[] firstAdjacencies = plan.firstAdjacencies;
        int[] wayNumbers = plan.wayNumbers;
        byte[] ofCode = plan.ofCode;
        int asked = this.asked;
        boolean isUnique = this.isUnique;
        // The next visited branch gets this number, which is also its depth. Its parent is the branch whose
        // list is being read.
        int number = branches.count();
        long edges = this.edges;
        // The numbers of neighbours that were refused, and of those that were visited but not expanded.
        long refused = 0;
        long closed = 0;
        try {
            lists:
            while (true) {
                int node = branches.node(number - 1);
                int wayAt = positions.wayAt(number - 1);
                int wayEnd = positions.wayEnd(number - 1);
                long rest = positions.rest(number - 1);
                int way = wayNumbers[wayAt];
                Adjacency adjacency = plan.adjacencies[way];
                int ofDepth = plan.ofDepth(number);
                while (rest != 0) {
                    int neighbor = adjacency.neighbor(node, rest);
                    rest = adjacency.after(node, rest);
                    if ((++edges & Meter.TICKS - 1) == 0) {
                        meter.look();
                    }
                    if (isUnique && !admits(neighbor, way, Plan.NO_RANK, number - 1, number)) {
                        refused++;
                        continue;
                    }
                    int code = labels.code(neighbor);
                    int evaluation = ofCode[code] & ofDepth;
                    if ((evaluation & asked) != 0) {
                        visit.show(number, neighbor, number - 1, number, code, Plan.NO_RANK, way);
                        evaluation = ask(evaluation);
                    } else {
                        evaluation &= plan.testsAlways;
                    }
                    if ((evaluation & Evaluation.INCLUDES) != 0 && !isPost) {
                        if (toCount == 0) {
                            positions.park(number - 1, rest);
                            branches.push(neighbor, code, way, evaluation);
                            isFresh = true;
                            closed++;
                            return number;
                        }
                        toCount--;
                        counted++;
                    }
                    if ((evaluation & Evaluation.CONTINUES) != 0) {
                        int place = plan.place(code, way);
                        Adjacency first = firstAdjacencies[place];
                        long below = first != null && first.mayHave(neighbor) ? first.rest(neighbor) : 0;
                        if (below != 0) {
                            positions.park(number - 1, rest);
                            branches.push(neighbor, code, way, evaluation);
                            // The start of the new list has already been read.
                            node = neighbor;
                            wayAt = plan.wayStarts[place];
                            wayEnd = plan.wayEnds[place];
                            rest = below;
                            way = wayNumbers[wayAt];
                            adjacency = first;
                            positions.put(number, rest, wayAt, wayEnd);
                            number++;
                            ofDepth = plan.ofDepth(number);
                            continue;
                        }
                        if (plan.hasMoreWays(place) && open(number, neighbor, plan.wayStarts[place] + 1, plan.wayEnds[place])) {
                            positions.park(number - 1, rest);
                            branches.push(neighbor, code, way, evaluation);
                            number++;
                            continue lists;
                        }
                    } else {
                        closed++;
                    }
                    if ((evaluation & Evaluation.INCLUDES) != 0 && isPost) {
                        positions.park(number - 1, rest);
                        branches.push(neighbor, code, way, evaluation);
                        isClosing = true;
                        return number;
                    }
                    if (isUnique) {
                        leave(neighbor, Plan.NO_RANK, way);
                    }
                }
                int last = number - 1;
                if (open(last, node, wayAt + 1, wayEnd)) {
                    continue;
                }
                if (isPost && includes(last)) {
                    isClosing = true;
                    return last;
                }
                closeLast();
                if (last == 0) {
                    return END;
                }
                number = last;
            }
        } finally {
            long followed = edges - this.edges;
            this.edges = edges;
            branchCount += followed - refused;
            labelReads += followed - refused;
            expansions += followed - refused - closed;
        }
    }
}
