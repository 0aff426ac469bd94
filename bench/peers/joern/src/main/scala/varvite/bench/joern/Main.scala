package varvite.bench.joern

import varvite.bench.protocol.Session

/** The main program: answers commands from standard input, one JSON line for each (see [[Session]]). */
object Main:
  def main(arguments: Array[String]): Unit =
    if arguments.isEmpty then Session.serve(Steps)
    else
      System.err.println("usage: Main   answer commands from standard input")
      System.exit(2)
