package varvite.walk;

import varvite.Adjacency;
import varvite.Ranks;

/**
 * The frames of a walk. A frame has the unvisited neighbours of one open node: in a depth-first walk all
 * nodes of the path are open, in other walks only one node. Neighbours are not copied: a frame stores the
 * remaining part of a list as a number ({@link Adjacency#rest}). The last frame is in fields, earlier frames
 * are in arrays.
 */
final class Frames {
    private static final int WORDS = 7;

    private final Budget budget;
    private final Pending pending;
    private final PairedLists.Entries entries;
    private Plan plan;
    private Meter meter;
    private long[] rests = {};
    private int[] words = {};
    private int count;

    /** The last frame: its node, the way that is being read, and the ways that are still to be read. */
    int node;

    int way;
    private int wayAt;
    private int wayEnd;
    /** The remaining neighbours along the way, as in {@link Adjacency#rest}. */
    long rest;
    /** The indexes of the frame's neighbours in {@link #pending}: the first, the next, and the end. */
    private int begin;

    private int next;
    private int end;
    /** The adjacency of the way that is being read. */
    Adjacency adjacency;

    private Ranks ranks;

    /** The neighbour that {@link #next} found last. */
    private int neighbor;

    private int rank;
    private int neighborWay;

    Frames(Budget budget, Pending pending) {
        this.budget = budget;
        this.pending = pending;
        entries = new PairedLists.Entries(budget);
    }

    void begin(Plan plan, Meter meter) {
        this.plan = plan;
        this.meter = meter;
        count = 0;
        pending.truncate(0);
    }

    boolean isEmpty() {
        return count == 0;
    }

    /**
     * Adds a frame for a node's neighbours along the ways at index {@code place} of {@link Plan#wayStarts};
     * false if there are no neighbours.
     */
    boolean open(int node, int place) {
        Plan plan = this.plan;
        int start = plan.wayStarts[place];
        int end = plan.wayEnds[place];
        Adjacency first = plan.firstAdjacencies[place];
        if (first == null) {
            return start < end && openAny(node, start, end);
        }
        long rest = first.rest(node);
        if (rest == 0) {
            return start + 1 < end && openAny(node, start + 1, end);
        }
        push(node, start + 1, end, pending.count());
        turnTo(plan.wayNumbers[start], rest);
        return true;
    }

    /**
     * Adds a frame for a node's neighbours along the ways from index {@code start} to {@code end} of
     * {@link Plan#wayNumbers}. If there are no neighbours, removes the frame again and returns false.
     */
    private boolean openAny(int node, int start, int end) {
        push(node, start, end, pending.count());
        turn();
        if (rest == 0 && next == this.end) {
            close();
            return false;
        }
        return true;
    }

    /**
     * Adds a frame for the neighbours in {@link #pending} from index {@code begin} on; false if there are
     * none.
     */
    boolean openGiven(int node, int begin) {
        if (pending.count() == begin) {
            return false;
        }
        push(node, 0, 0, begin);
        end = pending.count();
        return true;
    }

    private void push(int node, int wayAt, int wayEnd, int begin) {
        if (count > 0) {
            save();
        }
        count++;
        this.node = node;
        this.wayAt = wayAt;
        this.wayEnd = wayEnd;
        this.begin = begin;
        next = begin;
        end = begin;
        rest = 0;
        way = Branches.NO_WAY;
    }

    private void save() {
        int last = count - 1;
        if (last == rests.length) {
            rests = budget.grow(rests, count);
        }
        if (last * WORDS + WORDS > words.length) {
            words = budget.grow(words, (long) count * WORDS);
        }
        int[] words = this.words;
        int at = last * WORDS;
        rests[last] = rest;
        words[at + 6] = end;
        words[at] = node;
        words[at + 1] = way;
        words[at + 2] = wayAt;
        words[at + 3] = wayEnd;
        words[at + 4] = begin;
        words[at + 5] = next;
    }

    /** Removes the last frame. */
    void close() {
        pending.truncate(begin);
        count--;
        if (count > 0) {
            restore();
        }
    }

    private void restore() {
        int last = count - 1;
        int[] words = this.words;
        int at = last * WORDS;
        end = words[at + 6];
        node = words[at];
        wayAt = words[at + 2];
        wayEnd = words[at + 3];
        begin = words[at + 4];
        next = words[at + 5];
        turnTo(words[at + 1], rests[last]);
    }

    private void turnTo(int way, long rest) {
        this.way = way;
        this.rest = rest;
        if (way != Branches.NO_WAY) {
            adjacency = plan.adjacencies[way];
            ranks = plan.ranks == null ? null : plan.ranks[way];
        }
    }

    /** Moves to the next neighbour of the last frame; false if there is none. */
    boolean next() {
        boolean isThere = nextEntry();
        if (plan.meetsLoopsTwice()) {
            while (isThere && neighbor == node && plan.leavesLoopsOf(node, neighborWay)) {
                isThere = nextEntry();
            }
        }
        return isThere;
    }

    private boolean nextEntry() {
        return rest != 0 ? nextOfList() : nextElsewhere();
    }

    private boolean nextOfList() {
        Adjacency adjacency = this.adjacency;
        int node = this.node;
        long rest = this.rest;
        neighbor = adjacency.neighbor(node, rest);
        neighborWay = way;
        rank = ranks == null ? Plan.NO_RANK : ranks.of(node, rest);
        this.rest = adjacency.after(node, rest);
        return true;
    }

    private boolean nextElsewhere() {
        if (next == end) {
            turn();
            if (rest != 0) {
                return nextOfList();
            }
        }
        if (next == end) {
            return false;
        }
        neighbor = pending.node(next);
        rank = pending.rank(next);
        neighborWay = pending.way(next);
        next++;
        return true;
    }

    /** Moves to the next way that has neighbours, if there is one. */
    private void turn() {
        while (wayAt < wayEnd && rest == 0 && next == end) {
            pending.truncate(begin);
            next = begin;
            end = begin;
            int number = plan.wayNumbers[wayAt++];
            PairedLists lists = plan.paired == null ? null : plan.paired[number];
            if (lists == null) {
                turnTo(number, plan.adjacencies[number].rest(node));
            } else {
                lists.read(node, number, entries, pending, meter);
                end = pending.count();
            }
        }
    }

    /** The neighbour that {@link #next} has moved to. */
    int neighbor() {
        return neighbor;
    }

    /** The rank of the edge to that neighbour, if the walk identifies edges. */
    int rank() {
        return rank;
    }

    /** The way of the edge to that neighbour. */
    int way() {
        return neighborWay;
    }
}
