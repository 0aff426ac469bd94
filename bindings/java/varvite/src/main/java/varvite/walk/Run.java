package varvite.walk;

import java.util.Optional;
import java.util.function.Consumer;
import varvite.error.CancelledException;
import varvite.error.OverBudgetException;
import varvite.error.TimedOutException;
import varvite.error.VarviteException;

/**
 * A running walk. {@link #next} moves to the next result and does only the work that this result needs. A run
 * can be used for one walk after another; {@link #from} begins each walk.
 *
 * <pre>{@code
 * for (run.from(17); run.next(); ) {
 *     sum += run.visit().depth();
 * }
 * }</pre>
 *
 * <p>A walk ends with an exception if the file is damaged, if the walk reaches its memory limit or its time
 * limit, if its thread is interrupted, or if it is cancelled. The results up to then are incomplete.
 * Interrupts are checked every 4096 edges. A run belongs to one thread, except for {@link #cancel}.
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
     * Begins a walk at a node, and returns this run. A walk of another run in the same arena ends.
     *
     * @throws varvite.error.NoSuchNodeException if the graph has no node with this id
     * @throws varvite.error.WalkException if the walk follows no edge
     * @throws OverBudgetException if the arena's limit is too small to begin
     */
    public Run from(int start) {
        begin();
        loop.checkStart(start);
        loop.addStart(start);
        isEnded = false;
        return this;
    }

    /**
     * Begins a walk at several start nodes, which the walk visits in this order.
     *
     * @throws VarviteException as for {@link #from(int)}
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
     * Makes walks of this run end without an exception if they reach their memory or time limit or are
     * cancelled. {@link #stoppedBy} then returns the reason. Returns this run.
     */
    public Run allowPart() {
        givesPart = true;
        return this;
    }

    /**
     * Moves to the next result, which {@link #visit} then shows; false if no result is left.
     *
     * @throws VarviteException if the walk ended early; further calls then return false
     * @throws IllegalStateException if another walk was begun in the arena, or if a function of the guide
     * calls this method
     */
    public boolean next() {
        arena.checkOutside();
        if (isEnded || results >= plan.resultsMax) {
            isEnded = true;
            return false;
        }
        arena.enter(this);
        // Set this now, so that the walk counts as ended if this call throws.
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
     * The current result. All results share one object, whose content is valid until the next call of
     * {@link #next} or {@link #from}.
     */
    public Visit visit() {
        return loop.visit;
    }

    /**
     * Calls {@code action} with each remaining result.
     *
     * @throws VarviteException as for {@link #next}
     */
    public void forEach(Consumer<? super Visit> action) {
        while (next()) {
            action.accept(loop.visit);
        }
    }

    /**
     * Counts the remaining results.
     *
     * @throws VarviteException as for {@link #next}
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

    /** Counts of the walk's work so far. Allocates the returned object. */
    public Counts counts() {
        return new Counts(loop.branchCount, results, loop.expansions, loop.edges, loop.labelReads, loop.visit.valueReads);
    }

    /**
     * The reason why the walk ended early, if {@link #allowPart} was called; empty if the walk did not end
     * early.
     */
    public Optional<VarviteException> stoppedBy() {
        return Optional.ofNullable(stoppedBy);
    }

    /**
     * Cancels the running walk, which soon ends with {@link CancelledException}. May be called from any
     * thread.
     */
    public void cancel() {
        loop.meter.cancel();
    }
}
