package varvite.joern.judge

import com.sun.management.OperatingSystemMXBean
import io.shiftleft.codepropertygraph.generated.Cpg
import io.shiftleft.semanticcpg.language.*
import java.lang.management.ManagementFactory
import java.nio.file.{Files, Path}

/**
 * Measures the time of opening, of queries and of data flow, and the heap that remains in use. Prints a line
 * with a name and a number for each.
 */
object Measure:
  /** The number of rounds of the queries. Use `-Dvarvite.rounds=2` for large graphs. */
  private val rounds: Int = Integer.getInteger("varvite.rounds", 5)

  /**
   * Prints times in milliseconds: wall-clock time for opening, processor time for queries. Prints memory in
   * megabytes.
   */
  def print(file: Path): Unit =
    val before = heap()
    val (cpg, open) = timed(opened(file))
    line("open, new JVM", open)
    line("heap after opening", heap() - before)
    val times = Queries.all.map((name, query) => name -> Seq.fill(rounds)(cpuOf(query(cpg))))
    for (name, of) <- times do
      line(s"first: $name", of.head)
      line(s"best: $name", of.min)
    line("first round", times.map(_._2.head).sum)
    line("best round", times.map(_._2.min).sum)
    line("heap after the queries", heap() - before)
    resident().foreach(line)
    cpg.close()
    line("open, warm JVM", Seq.fill(4 * rounds)(again(file)).min)

  /**
   * Measures data flow. The time is the processor time of the process, because Joern computes data flow on
   * all processors.
   */
  def flows(file: Path): Unit =
    val cpg = Cpg.withStorage(file, persistOnClose = false)
    val times = Seq.fill(rounds)(processCpuOf(Flows.all(cpg)))
    line("first: data flow", times.head)
    line("best: data flow", times.min)
    cpg.close()

  private def line(name: String, value: Double): Unit = println(f"$name\t$value%.3f")

  /** Opens a graph and runs a first query. */
  private def opened(file: Path): Cpg =
    val cpg = Cpg.withStorage(file, persistOnClose = false)
    cpg.method.nameExact("main").fullName.headOption
    cpg

  private def again(file: Path): Double =
    val (cpg, time) = timed(opened(file))
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

  private def processCpuOf(work: => Any): Double =
    val system = ManagementFactory.getPlatformMXBean(classOf[OperatingSystemMXBean])
    val start = system.getProcessCpuTime
    work
    (system.getProcessCpuTime - start) / 1e6

  private def heap(): Double =
    for _ <- 1 to 3 do System.gc()
    ManagementFactory.getMemoryMXBean.getHeapMemoryUsage.getUsed / 1e6

  /** The memory of this process as Linux reports it. */
  private def resident(): Seq[(String, Double)] =
    val names = Map("VmHWM" -> "resident at most", "RssFile" -> "pages of files at the end")
    val lines = Files.readString(Path.of("/proc/self/status")).linesIterator.map(_.split("\\W+")).toSeq
    for words <- lines; name <- names.get(words.head) yield name -> words(1).toDouble / 1e3
