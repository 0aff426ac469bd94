package varvite.change;

/** What has values: a node, or an edge. */
public sealed interface ElementRef permits NodeRef, EdgeRef, NewEdge {}
