import java.io.File
import java.nio.file.{Files, Path, Paths}
import scala.collection.JavaConverters._
import scala.collection.mutable
import scala.tools.nsc.{Global, Settings}
import scala.tools.nsc.reporters.StoreReporter

/** Writes what Scala's compiler says every call of a tree's Scala files leads to; bench_compiled_edges.py compares the
  * resolver with it.
  *
  * Run: scalac_calls.py ROOT OUTPUT.json [CLASSPATH]
  *
  * The answer is a list of [path, line, name, number, targets, overloads] in the order of the text, the last empty;
  * targets are [path, line] of definitions inside ROOT, "external" for what stands elsewhere, "unknown". What makes an
  * object calls the constructor and its class; a call of a value is that of its `apply`, in a case class of the class.
  * Calls without brackets are left out, operators too.
  */
object ScalaCalls {
  def main(arguments: Array[String]): Unit = {
    val root = Paths.get(arguments(0)).toRealPath()
    val settings = new Settings()
    settings.usejavacp.value = true
    settings.Yrangepos.value = true
    settings.stopAfter.value = List("typer")
    if (arguments.length > 2) settings.classpath.append(arguments(2))
    val compiler = new Global(settings, new StoreReporter)
    val files = Files.walk(root).iterator.asScala.map(_.toString).toList.sorted
    val run = new compiler.Run
    run.compile(files.filter(path => path.endsWith(".scala") || path.endsWith(".java")))
    val rows = run.units.filterNot(_.isJava).flatMap(unit => new Calls[compiler.type](compiler, root).in(unit))
    Files.write(Paths.get(arguments(1)), rows.mkString("[", ",\n", "]\n").getBytes("utf-8"))
    ()
  }
}

class Calls[G <: Global](val compiler: G, root: Path) {
  import compiler._

  private val Words = Set("return", "throw", "else", "yield", "do", "try", "extends", "with", "new", "case", "in", "match")
  private val sites = mutable.Map[Int, (String, Symbol)]()

  def in(unit: CompilationUnit): Seq[String] = {
    val text = unit.source.content
    new Traverser {
      override def traverse(tree: Tree): Unit = {
        tree match {
          case Apply(called, _) => note(called)
          case New(made) if made.pos.isOpaqueRange =>
            add(made.pos.start, made.symbol.name.decode, made.symbol)
          case _ =>
        }
        super.traverse(tree)
      }

      private def note(called: Tree): Unit = called match {
        case TypeApply(inner, _) => note(inner)
        case Select(New(_), _) =>
        case Select(inner, _) if called.symbol.name.decode == "apply" && !written(called) => note(inner, called.symbol)
        case _ if called.pos.isRange => note(called, called.symbol)
        case _ =>
      }

      private def note(named: Tree, target: Symbol): Unit = named match {
        case TypeApply(inner, _) => note(inner, target)
        case Select(_, name) if named.pos.isRange => add(named.pos.point, name.decode, target)
        case Ident(name) if named.pos.isRange => add(named.pos.start, name.decode, target)
        case _ =>
      }

      private def written(select: Tree): Boolean =
        select.pos.isRange && text.startsWith("apply", select.pos.point)

      private def add(at: Int, name: String, target: Symbol): Unit =
        if (text.startsWith(name, at) && !isInfix(at) && isCalled(at + name.length))
          sites.getOrElseUpdate(at, (name, target))

      private def isInfix(at: Int): Boolean = {
        val before = text.lastIndexWhere(!_.isWhitespace, at - 1)
        val isBehindValue = before >= 0 && (text(before).isLetterOrDigit || ")]}".indexOf(text(before)) >= 0)
        isBehindValue && text.lastIndexOf('\n', at) < before && !text.startsWith("new ", at - 4) && !isKeyword(before)
      }

      private def isKeyword(end: Int): Boolean =
        Words.contains(text.slice(text.lastIndexWhere(!_.isLetterOrDigit, end) + 1, end + 1).mkString)

      /** Whether brackets or type arguments follow. */
      private def isCalled(end: Int): Boolean = end < text.length && ("([{".indexOf(text(end)) >= 0 || text.startsWith(" {", end))
    }.traverse(unit.body)
    val path = root.relativize(unit.source.file.file.toPath)
    sites.toSeq.sortBy(_._1).map { case (at, (name, target)) =>
      s"""["$path", ${unit.source.offsetToLine(at) + 1}, "$name", 0, ${targets(target)}, []]"""
    }
  }

  private def targets(found: Symbol): String = {
    if (found == null || found == NoSymbol || found.isError) return "\"unknown\""
    val all = found.alternatives.flatMap(each => if (each.isConstructor) List(each, each.owner) else List(each))
    val whole = all.flatMap(each => if (each.isSynthetic || each.isModule) List(each, each.owner.companion) else List(each))
    val places = whole.flatMap(place).distinct
    if (places.isEmpty) "\"external\"" else places.mkString("[", ", ", "]")
  }

  private def place(symbol: Symbol): Option[String] = {
    val (pos, file) = (symbol.pos, symbol.sourceFile)
    if (pos == null || !pos.isDefined || file == null || file.file == null) return None
    val path = file.file.toPath.toAbsolutePath
    if (path.startsWith(root)) Some(s"""["${root.relativize(path)}", ${pos.line}]""") else None
  }
}
