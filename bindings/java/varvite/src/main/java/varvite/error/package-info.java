/**
 * Errors of graphs. Every message names the failed operation, the file and position, the expected and found
 * values, and the next step; every part of a message is also a field.
 */
package varvite.error;
