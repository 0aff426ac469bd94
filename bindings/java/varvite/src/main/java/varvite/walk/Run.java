package varvite.walk;

import java.util.Optional;
import java.util.function.Consumer;
import varvite.error.CancelledException;
import varvite.error.OverBudgetException;
import varvite.error.TimedOutException;
import varvite.error.VarviteException;

/**
 * A walk on its way: {@link #next} goes from result to result, and does no more than it has to for each. One
 * run serves for one walk after another, each begun with {@link #from}.
 *
 * <pre>{@code
 * for (run.from(17); run.next(); ) {
 *     sum += run.visit().depth();
 * }
 * }</pre>
 *
 * <p>Ends with an exception where the file is damaged, the walk may hold no more memory, takes too long, its
 * thread is interrupted, or it was cancelled; earlier results are then incomplete. Interrupts are checked
 * every 4096 edges. Belongs to one thread, but for {@link #cancel}.
 */
public final class Run {
    private final Plan plan;
    private final Arena arena;
    private final Loop loop;
    private boolean givesPart;
    private boolean isEnded = true;
    private long results;
    private VarviteException stoppedBy;

    Run(Plan plan, Arena arena, Guide guide) {
        this.plan = plan;
        this.arena = arena;
        loop = Loop.of(plan, arena, guide);
    }

    /**
     * Begins a walk at a node; returns this run. Another run in the same arena ends.
     *
     * @throws varvite.error.NoSuchNodeException if the graph has no such node
     * @throws varvite.error.WalkException if the walk follows no edge
     * @throws OverBudgetException if there is no room to begin
     */
    public Run from(int start) {
        begin();
        loop.checkStart(start);
        loop.addStart(start);
        isEnded = false;
        return this;
    }

    /**
     * The same at several nodes, one after another.
     *
     * @throws VarviteException as {@link #from(int)}
     */
    public Run from(int[] starts) {
        begin();
        for (int start : starts) {
            loop.checkStart(start);
        }
        for (int start : starts) {
            loop.addStart(start);
        }
        isEnded = false;
        return this;
    }

    private void begin() {
        arena.begin(this);
        isEnded = true;
        results = 0;
        stoppedBy = null;
        loop.begin();
    }

    /**
     * If its memory or time is used up or it is cancelled, a walk of this run ends as if it were complete,
     * and {@link #stoppedBy} says why. Returns this run.
     */
    public Run allowPart() {
        givesPart = true;
        return this;
    }

    /**
     * Goes to the next result, which {@link #visit} shows; false at the end.
     *
     * @throws VarviteException what ended the walk; it is then at its end
     * @throws IllegalStateException if another walk was begun in the arena, or a function that leads a walk
     * calls this
     */
    public boolean next() {
        arena.checkOutside();
        if (isEnded || results >= plan.resultsMax) {
            isEnded = true;
            return false;
        }
        arena.enter(this);
        // Until it came to a result.
        isEnded = true;
        try {
            int number = loop.next();
            if (number == Loop.END) {
                return false;
            }
            loop.visit.at(number);
        } catch (OverBudgetException | TimedOutException | CancelledException e) {
            if (!givesPart) {
                throw e;
            }
            stoppedBy = e;
            return false;
        } finally {
            arena.leave();
        }
        isEnded = false;
        results++;
        return true;
    }

    /**
     * The result that the walk is at: the same object for all. Good until the next call of {@link #next} or
     * {@link #from}.
     */
    public Visit visit() {
        return loop.visit;
    }

    /**
     * Calls {@code action} with all results that are left.
     *
     * @throws VarviteException as {@link #next}
     */
    public void forEach(Consumer<? super Visit> action) {
        while (next()) {
            action.accept(loop.visit);
        }
    }

    /**
     * Counts the results that are left.
     *
     * @throws VarviteException as {@link #next}
     */
    public long count() {
        arena.checkOutside();
        long before = results;
        if (isEnded || results >= plan.resultsMax) {
            isEnded = true;
            return 0;
        }
        arena.enter(this);
        isEnded = true;
        long counted = loop.counted;
        try {
            loop.count(plan.resultsMax - results);
        } catch (OverBudgetException | TimedOutException | CancelledException e) {
            if (!givesPart) {
                throw e;
            }
            stoppedBy = e;
        } finally {
            results += loop.counted - counted;
            arena.leave();
        }
        return results - before;
    }

    /** The walk's counts so far. Allocates the answer. */
    public Counts counts() {
        return new Counts(loop.branchCount, results, loop.expansions, loop.edges, loop.labelReads, loop.visit.valueReads);
    }

    /** The reason why a walk that may end with a part did so. */
    public Optional<VarviteException> stoppedBy() {
        return Optional.ofNullable(stoppedBy);
    }

    /**
     * Makes the walk that is on its way end with {@link CancelledException}, soon. May be called from any
     * thread.
     */
    public void cancel() {
        loop.meter.cancel();
    }
}
