/** Open graphs seen from outside: {@link varvite.management.GraphMonitor} turns it on. */
package varvite.management;
