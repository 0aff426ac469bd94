# The program that the explorer copies for Python.
import varvite

graph = varvite.open("zlib.varvite")
for row in graph.ask("cpg.method.name(\"inflate(Init|Reset).*\").name.l"):
    print(row)
