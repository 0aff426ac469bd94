
/** Times queries for the benchmark, which sends commands: `run ID ROUNDS without-gc`, or `quit`. Each gets a
  * line of JSON.
  */
class Rounds(val cpg: Cpg) extends Asked {
  private val Second = 1000000000L
  private val answers = collection.mutable.Map.empty[String, () => Any]
  private val warmed = collection.mutable.Set.empty[String]

  def apply(id: String, answer: => Any): Unit = answers(id) = () => answer

  def run(id: String, rounds: Int): String = {
    val answer = answers.getOrElse(id, throw java.util.NoSuchElementException("the program has no such query"))
    if (warmed.add(id)) warmUp(answer)
    val (samples, rows) = Seq.fill(rounds)(round(answer)).unzip
    s"""{"answer":${rows.last},"samples":[${samples.mkString(",")}]}"""
  }

  /** Runs a query until its rounds no longer get faster: for at least a second, and at most ten. */
  private def warmUp(answer: () => Any): Unit = {
    val begin = System.nanoTime
    def elapsed = System.nanoTime - begin
    var (before, now) = (Long.MaxValue, window(answer))
    while (elapsed < 10 * Second && (elapsed < Second || now < before / 20 * 19)) {
      before = now
      now = window(answer)
    }
  }

  /** The median round of a quarter of a second. */
  private def window(answer: () => Any): Long = {
    val begin = System.nanoTime
    val samples = collection.mutable.ArrayBuffer(round(answer)._1)
    while (System.nanoTime - begin < Second / 4) samples += round(answer)._1
    samples.sorted.apply(samples.size / 2)
  }

  /** The time of a round in nanoseconds, and the number of rows. */
  private def round(answer: () => Any): (Long, Long) = {
    val begin = System.nanoTime
    val rows = Rounds.read(answer())
    (System.nanoTime - begin, rows)
  }
}

object Rounds {
  /** Reads an answer to its end, since some are lazy, and counts its rows. */
  def read(answer: Any): Long = answer match {
    case _: String => 1
    case items: IterableOnce[?] => items.iterator.foldLeft(0L)((rows, _) => rows + 1)
    case _ => 1
  }
}

@main def measure(graph: String): Unit = {
  // Queries print, too: their text must not get among the answers.
  val answers = System.out
  val rounds = Rounds(CpgLoader.load(graph))
  scala.Console.withOut(java.io.OutputStream.nullOutputStream) {
    askAll(rounds)
    val commands = Iterator.continually(scala.io.StdIn.readLine()).takeWhile(line => line != null && line != "quit")
    commands.foreach { line =>
      val answer =
        try line.split(" ") match {
          case Array("run", id, count, _) => rounds.run(id, count.toInt)
          case _ => throw IllegalArgumentException(s"unknown command: $line")
        }
        catch { case error: Throwable => s"""{"error":${ujson.write(error.toString)}}""" }
      answers.println(answer)
      answers.flush()
    }
  }
  answers.println("{}")
}
