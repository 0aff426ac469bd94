package varvite.error;

import java.time.Duration;

/** A walk took longer than its limit. Its results so far are incomplete. */
public final class TimedOutException extends VarviteException {
    private static final long serialVersionUID = 1;

    private final Duration limit;

    /**
     * Makes the exception for a walk that took too long.
     *
     * @param limit the time limit of the walk
     */
    public TimedOutException(Duration limit) {
        super("the walk reached its time limit of " + limit + ": limit the depth, or raise the time limit", null);
        this.limit = limit;
    }

    /** The time limit of the walk. */
    public Duration limit() {
        return limit;
    }

    @Override
    public int number() {
        return -36;
    }
}
