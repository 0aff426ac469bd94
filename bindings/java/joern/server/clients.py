"""Asks a server of Joern questions, by its own client for Python and by plain requests, and prints the answers.

    python clients.py PORT first GRAPH   imports the graph, changes it, and saves it
    python clients.py PORT again         opens the saved graph in a server that was started anew

Each line is a question and its answer. A test runs this script with a server on flatgraph and with one on a mapped
file, and compares the lines. `cargo xtask test-joern --server` makes the environment.
"""

import re
import sys
import time

import requests
from cpgqls_client import CPGQLSClient

UP_SECONDS = 120
COLORS = re.compile(r"\x1b\[[0-9;]*m")
# The address of an object, which differs between two runs.
ADDRESS = re.compile(r"@[0-9a-f]+")
# What the shell prints before a value: a name and a type.
NAME = re.compile(r"val \w+[^=]*= ")

METHODS = 'cpg.method.name("(deflate|inflate).*").callIn.map(call => (call.id, call.code)).l'
TAGGED = 'cpg.method.where(_.tag.nameExact("seen")).fullName.l'


def main():
    port, step, *rest = sys.argv[1:]
    wait_for(port)
    # With the first answer, the shell prints its own definitions.
    sync(port, "1")
    if step == "first":
        first(port, *rest)
    else:
        again(port)


def first(port, graph):
    one, two = CPGQLSClient(f"127.0.0.1:{port}"), CPGQLSClient(f"127.0.0.1:{port}")
    ask(one, f'importCpg("{graph}", "served").isDefined')
    ask(one, METHODS)
    ask(one, "val most = cpg.method.map(method => (method.callIn.size, method.fullName)).l.max")
    ask(two, "most._2")
    ask(two, 'cpg.call.name("mem.*").argument.isLiteral.code.toSet.size')
    tell("a question with an error", "error" in text(one.execute("cpg.method.nam(")).lower())
    impatient(port)
    show("sync", sync(port, 'cpg.method.name("inflate").parameter.typeFullName.l')["stdout"])
    ask(one, 'opts.commit.diffGraphBuilder.addEdge(cpg.method.nameExact("inflate").head, NewTag().name("seen"), '
             'EdgeTypes.TAGGED_BY).size')
    one.execute("run.commit")
    ask(two, TAGGED)
    one.execute("save")
    ask(one, TAGGED)
    ask(two, "workspace.projects.map(_.name).toList")
    one.execute('close("served")')
    ask(two, "workspace.projects.flatMap(_.cpg).size")


def again(port):
    client = CPGQLSClient(f"127.0.0.1:{port}")
    ask(client, 'open("served").isDefined')
    ask(client, TAGGED)
    ask(client, METHODS)


def impatient(port):
    """A client that gives up does not disturb the next one."""
    began = time.monotonic()
    try:
        sync(port, "Thread.sleep(5000)", timeout=1)
        tell("a client that waits a second for five", "got an answer")
    except requests.Timeout:
        tell("a client that waits a second for five", time.monotonic() - began < 4)
    show("the next client", sync(port, "6 * 7")["stdout"])


def sync(port, query, timeout=600):
    answer = requests.post(f"http://127.0.0.1:{port}/query-sync", json={"query": query}, timeout=timeout)
    answer.raise_for_status()
    return answer.json()


def ask(client, query):
    show(query, client.execute(query)["stdout"])


def show(question, output):
    tell(question, " ".join(NAME.sub("", plain(output), count=1).split()))


def tell(question, answer):
    print(f"{question}: {answer}", flush=True)


def text(answer):
    return plain(answer.get("stdout", "") + answer.get("err", ""))


def plain(output):
    return ADDRESS.sub("@", COLORS.sub("", output))


def wait_for(port):
    end = time.monotonic() + UP_SECONDS
    while True:
        try:
            return requests.get(f"http://127.0.0.1:{port}/", timeout=10)
        except requests.ConnectionError:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


main()
