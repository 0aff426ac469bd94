package varvite.ffi;

/**
 * A METHOD that is called.
 *
 * @param method its node
 * @param calls how many calls may lead to it
 */
public record Callee(int method, long calls) {}
