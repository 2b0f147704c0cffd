import { describe, expect, it } from "vitest"
import { countedLanguage, recognisedLanguage } from "../../../engine/page/code/CountedLanguage.ts"

const lines = (...some: ReadonlyArray<string>): string => some.join("\n")

const PROGRAMS: ReadonlyArray<readonly [language: string, code: string]> = [
  ["python", lines("import parcels", "", 'client = parcels.Client(key="k")', 'print(client.track("P1"))')],
  ["python", lines("from parcels import Client", "", "for parcel in Client().list():", "    print(parcel.id)")],
  ["python", lines("def track(code):", '    return get("/parcels/" + code)', "", 'state = track("P1")')],
  ["python", lines(">>> import parcels", ">>> for one in parcels.all():", "...     one.send()")],
  [
    "python",
    lines("  Example:", "", "  import parcel_pb2", "  # build it", "  box = parcel_pb2.Box()", "  print(box)")
  ],
  ["javascript", lines('import { Parcels } from "parcels"', "const client = new Parcels(key)")],
  ["javascript", lines('const parcels = require("parcels")', "parcels.track(1).then((state) => show(state))")],
  ["javascript", lines("const box = new Box(id);", "", 'box.onSent = () => console.log("sent");')],
  ["javascript", lines("async function track(id) {", '  const answer = await fetch("/parcels/" + id)', "}")],
  ["java", lines("import dev.parcels.Client;", "", "Client client = new Client(key);", 'client.track("P1");')],
  [
    "java",
    lines(
      "public class Track {",
      "  public static void main(String[] args) {",
      "    System.out.println(1);",
      "  }",
      "}"
    )
  ],
  [
    "csharp",
    lines("using Parcels.Api;", "", "var client = new Client(key);", 'Console.WriteLine(client.Track("P1"));')
  ],
  ["csharp", lines("var client = new Client(key);", 'var state = await client.TrackAsync("P1");')],
  ["php", lines('require __DIR__ . "/vendor/autoload.php";', "", "$client = new Parcels\\Client($key);")],
  ["php", lines("use Parcels\\Client;", "$client = new Client($key);", 'echo $client->track("P1");')],
  ["go", lines("package main", "", 'import "fmt"', "", "func main() {", '\tfmt.Println("P1")', "}")],
  ["go", lines('state, err := client.Track(ctx, "P1")', "if err != nil {", "\treturn err", "}")],
  ["ruby", lines('require "parcels"', "", "client = Parcels::Client.new(key: ENV['KEY'])")],
  ["ruby", lines("client = Parcels.new", "client.list.each do |parcel|", "  puts parcel.id", "end")]
]

const OTHERS: ReadonlyArray<readonly [what: string, text: string]> = [
  ["Swift", lines("import ParcelKit", "", "let client = Client(key: key)", 'print(client.track("P1"))')],
  ["Kotlin", lines("import dev.parcels.Client", "", "val client = Client(key)", 'println(client.track("P1"))')],
  ["Scala", lines("import dev.parcels.Client", "val client = new Client(key)", "client.list.map(one => show(one))")],
  [
    "Dart",
    lines(
      "import 'package:parcels/parcels.dart';",
      "",
      "Client client = new Client(key);",
      "String state = client.track('P1');"
    )
  ],
  ["Rust", lines("use parcels::Client;", "", "let client = Client::new(key);", 'println!("{}", client.track("P1")?);')],
  [
    "C++",
    lines("#include <parcels/client.h>", "", "Parcels::Client client(key);", 'std::string state = client.track("P1");')
  ],
  [
    "Lua",
    lines('local parcels = require "parcels"', "for _, one in ipairs(parcels.list()) do", "  print(one.id)", "end")
  ],
  ["Perl", lines("use strict;", "my $client = Parcels->new(key => 'k');", "print $client->track('P1');")],
  [
    "Elixir",
    lines(
      "defmodule Track do",
      "  def run(client) do",
      "    client |> Parcels.list() |> Enum.each(&IO.puts/1)",
      "  end",
      "end"
    )
  ],
  ["Julia", lines("using Parcels", "client = Client(key)", "for one in list(client)", "    println(one)", "end")],
  ["PowerShell", lines("$client = New-ParcelClient -Key $key", '$client.Track("P1") | Format-List')],
  [
    "TypeScript",
    lines(
      'import { Parcels } from "parcels"',
      "const track = async (id: string): Promise<State> => {",
      "  console.log(id)",
      "}"
    )
  ],
  [
    "a language that cannot be told from another",
    lines("Client client = new Client(key);", 'Order order = client.getOrder("O1");')
  ],
  ["a signature", "def track(code, *, retries=3) -> State:"],
  ["a constructor's call", "new Parcels(key, { retries: 3 })"],
  [
    "prose that speaks of code",
    "Import parcels from the console, then print the label (you need a printer):\n- for each parcel in the list:\n- with a name as shown:"
  ],
  ["JSON", '{\n  "import": "from parcels import Client",\n  "run": "console.log(1)"\n}'],
  ["YAML", lines("import: parcels", "function: track", "steps:", "  - name: print(1)", "  - run: echo done")],
  ["a configuration", lines("[client]", "key = new Key()", "print = True", "self.retry = None")],
  ["settings in lines", lines("# how parcels are sent", "retries = 3", "key = ${KEY}", "console.log = true")],
  ["a web server's configuration", lines("server {", "  location / {", "    proxy_pass http://parcels;", "  }", "}")],
  ["a log", lines("2026-05-03 10:11:12 INFO import parcels", "2026-05-03 10:11:13 WARN print(parcel) is slow")],
  [
    "a stack trace of Python",
    lines(
      "Traceback (most recent call last):",
      '  File "a.py", line 1, in <module>',
      "    from parcels import Client",
      "    for one in Client():",
      "ImportError: no parcels"
    )
  ],
  [
    "a stack trace of JavaScript",
    lines(
      "Error: no parcel",
      "    at Parcels.track (parcels.js:3:1)",
      "const box = await fetch(url)",
      "console.log(box)"
    )
  ],
  [
    "a session in a shell",
    lines("$ cat track.py", "from parcels import Client", "for one in Client().list():", "    print(one)")
  ],
  [
    "a difference between files",
    lines(
      "--- a/track.py",
      "+++ b/track.py",
      "@@ -1 +1,2 @@",
      " from parcels import Client",
      "+print(Client())",
      " for one in two:"
    )
  ],
  [
    "a prompt in Markdown",
    lines(
      "Write a program:",
      "",
      "```python",
      "from parcels import Client",
      "for one in Client():",
      "    one.send()",
      "```"
    )
  ],
  ["a tree of files", lines("parcels", "├── track.py", "└── import.py")],
  [
    "markup with a script",
    lines("<script>", '  const parcels = await fetch("/parcels")', "  console.log(parcels)", "</script>")
  ]
]

describe("the language of code that does not say it", () => {
  it.each(PROGRAMS)("is %s by several signs of it: %s", (language, code) => {
    expect(recognisedLanguage(code)).toBe(language)
  })

  it.each(OTHERS)("is not said of %s", (_, text) => {
    expect(recognisedLanguage(text)).toBeNull()
  })

  it("is not looked for far into a block", () => {
    const [, code = ""] = PROGRAMS[0] ?? []
    expect(recognisedLanguage(`${"word ".repeat(700)}\n${code}`)).toBeNull()
  })
})

describe("the language that code counts as", () => {
  it.each(PROGRAMS)("is what it is recognised as where it has no tag, or that of text: %s", (language, text) => {
    expect(countedLanguage({ text, language: null })).toBe(language)
    expect(countedLanguage({ text, language: "text" })).toBe(language)
  })

  it.each(PROGRAMS)("is what the page says, whatever it looks like: %s", (_, text) => {
    expect(countedLanguage({ text, language: "kotlin" })).toBe("kotlin")
  })

  it.each(OTHERS)("stays unknown, or text, for %s", (what, text) => {
    expect(countedLanguage({ text, language: "text" })).toBe(what === "JSON" ? "json" : "text")
  })

  it("is shell behind the tag of text only for a request, since other commands may have been printed", () => {
    expect(countedLanguage({ text: "curl https://api.parcels.dev/v1/parcels", language: "text" })).toBe("shell")
    expect(countedLanguage({ text: "$ parcels list\nP1\nP2", language: "text" })).toBe("text")
    expect(countedLanguage({ text: "docker is what we run it with", language: "text" })).toBe("text")
  })

  it("is PHP behind its tag also where it is tagged as text", () => {
    expect(countedLanguage({ text: "<?php\necho 1;", language: "text" })).toBe("php")
  })
})
