/**
 * Errors of graphs. Every message has the failed operation, the place, the expected and found values, and the
 * next step; every part of it is also a field.
 */
package varvite.error;
