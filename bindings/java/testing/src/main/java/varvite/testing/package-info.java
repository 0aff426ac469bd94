/**
 * Measurements of their own process for the tests of several modules, and the conformance cases. Not part of
 * the published jars.
 */
package varvite.testing;
