// The imports of Joern's shell, and the values that it declares for queries.
import _root_.io.joern.console.*
import _root_.io.shiftleft.codepropertygraph.cpgloading.*
import _root_.io.shiftleft.codepropertygraph.generated.{help => _, _}
import _root_.io.shiftleft.codepropertygraph.generated.nodes.*
import _root_.io.shiftleft.codepropertygraph.generated.nodes
import _root_.io.joern.dataflowengineoss.language.*
import _root_.io.joern.dataflowengineoss.queryengine.EngineContext
import _root_.io.shiftleft.semanticcpg.language.*
import _root_.io.shiftleft.semanticcpg.language.operatorextension.OpNodes
import scala.jdk.CollectionConverters.*
implicit val resolver: ICallResolver = NoResolve
implicit val finder: NodeExtensionFinder = DefaultNodeExtensionFinder
implicit val engineContext: EngineContext = EngineContext()
implicit val viewer: _root_.io.shiftleft.semanticcpg.language.dotextension.ImageViewer = (s: String) => scala.util.Try(s)
