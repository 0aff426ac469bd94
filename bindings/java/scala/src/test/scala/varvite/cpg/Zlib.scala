package varvite.cpg

import java.nio.file.{Files, Path}

import varvite.Profile
import varvite.ffi.FlatgraphImport

/** The code graph of zlib, imported once. */
object Zlib:
  private val root = Path.of(System.getProperty("varvite.root"))

  lazy val cpg: Cpg =
    val file = Files.createTempDirectory("varvite-scala").resolve("zlib.varvite")
    FlatgraphImport.to(Profile.DIRECT).run(root.resolve("examples/data/zlib.cpg.bin"), file)
    file.toFile.deleteOnExit()
    Cpg.open(file)

  /** The answers of plain loops by question, as rows of ids. */
  lazy val answers: Map[String, List[List[Int]]] =
    val text = Files.readString(root.resolve("conformance/cases/zlib-queries.json"))
    """"(\w+)":\[((?:\[[\d,]*\],?)*)\]""".r.findAllMatchIn(text).map(found => found.group(1) -> rows(found.group(2))).toMap

  private def rows(text: String): List[List[Int]] =
    """\[([\d,]+)\]""".r.findAllMatchIn(text).map(_.group(1).split(',').map(_.toInt).toList).toList
