/** Monitoring of open graphs, which {@link varvite.management.GraphMonitor} starts. */
package varvite.management;
