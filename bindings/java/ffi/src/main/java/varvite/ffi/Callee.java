package varvite.ffi;

/**
 * A METHOD that is called.
 *
 * @param method the id of the METHOD
 * @param calls the number of calls that may call it
 */
public record Callee(int method, long calls) {}
