/**
 * Errors of graphs. Every message says what failed, where, what was expected and found, and what to do next;
 * every part of it is also a field.
 */
package varvite.error;
