/**
 * What the tests of several modules measure of their own process, and the conformance cases that they ask. No
 * part of what is published.
 */
package varvite.testing;
