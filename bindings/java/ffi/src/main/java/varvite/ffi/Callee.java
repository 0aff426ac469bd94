package varvite.ffi;

/**
 * A METHOD that other code may call.
 *
 * @param method the id of the METHOD
 * @param calls the number of CALL nodes that may call the METHOD
 */
public record Callee(int method, long calls) {}
