package varvite.joern.judge

import java.io.PrintWriter
import java.nio.file.{Files, Path}
import org.scalatest.Reporter
import org.scalatest.events.*

/**
  * Writes the result of each test to the file in the system property `varvite.verdicts`, as a line with
  * verdict, class, test and fault.
  */
final class Verdicts extends Reporter:
  private val out = PrintWriter(Files.newBufferedWriter(Path.of(System.getProperty("varvite.verdicts"))), true)

  def apply(event: Event): Unit = event match
    case test: TestSucceeded => line("passed", test.suiteClassName, test.testName)
    case test: TestFailed    => line("failed", test.suiteClassName, test.testName, test.message)
    case test: TestCanceled  => line("left out", test.suiteClassName, test.testName)
    case test: TestIgnored   => line("left out", test.suiteClassName, test.testName)
    case test: TestPending   => line("left out", test.suiteClassName, test.testName)
    case suite: SuiteAborted => line("failed", suite.suiteClassName, "all", suite.message)
    case end: RunAborted     => line("ended", None, "early", end.message)
    case _: RunStopped       => line("ended", None, "early")
    case _: RunCompleted     => line("ended", None, "whole")
    case _                   => ()

  private def line(verdict: String, suite: Option[String], words: String*): Unit = synchronized:
    out.println((verdict +: suite.getOrElse("") +: words).map(_.replaceAll("\\s+", " ")).mkString("\t"))
