/**
 * What a graph can answer instead of an answer. Every message says what failed, where, what was expected and
 * found, and what to do next; every field of it can be asked for.
 */
package varvite.error;
