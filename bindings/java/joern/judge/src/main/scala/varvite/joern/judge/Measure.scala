package varvite.joern.judge

import io.shiftleft.codepropertygraph.generated.Cpg
import java.lang.management.ManagementFactory
import java.nio.file.{Files, Path}
import io.shiftleft.semanticcpg.language.*

/** How long opening and the queries take, and what stays on the heap. */
object Measure:
  /** The queries are asked so often: `-Dvarvite.rounds=2` for large graphs. */
  private val rounds: Int = Integer.getInteger("varvite.rounds", 5)

  def print(file: Path): Unit =
    println(f"heap before: ${heap()}%.1f MB")
    val (cpg, open) = timed(Cpg.withStorage(file, persistOnClose = false))
    val (_, first) = timed(cpg.method.nameExact("main").fullName.headOption)
    println(f"open, cold JVM: $open%.1f ms; with the first answer ${open + first}%.1f ms")
    println(f"heap after opening: ${heap()}%.1f MB")
    val times = Queries.all.map((name, query) => name -> Seq.fill(rounds)(cpuOf(query(cpg))))
    for (name, of) <- times do println(f"$name%-32s first ${of.head}%8.1f ms, best ${of.min}%8.1f ms")
    println(f"${"all"}%-32s first ${times.map(_._2.head).sum}%8.1f ms, best ${times.map(_._2.min).sum}%8.1f ms")
    println(f"heap after the queries: ${heap()}%.1f MB")
    println(s"resident: ${resident()}")
    cpg.close()
    val opens = Seq.fill(rounds)(again(file))
    println(f"open with the first answer, warm JVM: best ${opens.min}%.2f ms")

  private def again(file: Path): Double =
    val (cpg, time) = timed:
      val cpg = Cpg.withStorage(file, persistOnClose = false)
      cpg.method.nameExact("main").fullName.headOption
      cpg
    cpg.close()
    time

  private def timed[A](work: => A): (A, Double) =
    val start = System.nanoTime
    val result = work
    (result, (System.nanoTime - start) / 1e6)

  private def cpuOf(work: => Any): Double =
    val threads = ManagementFactory.getThreadMXBean
    val start = threads.getCurrentThreadCpuTime
    work
    (threads.getCurrentThreadCpuTime - start) / 1e6

  private def heap(): Double =
    for _ <- 1 to 3 do System.gc()
    ManagementFactory.getMemoryMXBean.getHeapMemoryUsage.getUsed / 1e6

  private def resident(): String =
    val wanted = Set("VmHWM", "VmRSS", "RssFile")
    Files.readString(Path.of("/proc/self/status")).linesIterator.filter(line => wanted(line.takeWhile(_ != ':')))
      .map(_.split("\\s+").mkString(" ")).mkString(", ")
