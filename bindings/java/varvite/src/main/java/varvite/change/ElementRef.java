package varvite.change;

/** An owner of values: a node or an edge. */
public sealed interface ElementRef permits NodeRef, EdgeRef, NewEdge {}
