import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { callsIn } from "../../../engine/drift/calls/CallsIn.ts"

const LANGUAGES = [
  null,
  "shell",
  "http",
  "javascript",
  "python",
  "go",
  "java",
  "kotlin",
  "php",
  "ruby",
  "csharp",
  "json"
]

/** Pieces of programs, so that texts get past the first signs of a client. */
const PIECES = [
  "curl ",
  "http POST ",
  "wget ",
  "-d ",
  "-H ",
  "--url ",
  "https://api.acme.dev/orders",
  "GET /orders\n",
  "HTTP/1.1",
  "fetch(",
  "axios.post(",
  "requests.post(",
  "httpx.Client(",
  "http.NewRequest(",
  "HttpRequest.newBuilder()",
  "Net::HTTP::Post.new(",
  "curl_setopt($ch, ",
  "new HttpClient",
  "URI(",
  "URLSearchParams(",
  "JSON.stringify(",
  "json=",
  "params = ",
  "{",
  "}",
  "[",
  "]",
  "(",
  ")",
  ",",
  ":",
  "=",
  ":=",
  "=>",
  "->",
  "::",
  ".",
  "...",
  "+",
  "?",
  "*",
  "**",
  "<",
  ">",
  "<<EOF\n",
  "EOF\n",
  "<<~A\n",
  "<<<A\n",
  "A\n",
  "'",
  '"',
  "`",
  '"""',
  "${",
  "#{",
  "$(",
  "\\",
  "\\u{110000}",
  "\\ud800",
  "f'",
  '$"',
  "@",
  "#",
  "//",
  "/*",
  "*/",
  "\n",
  "\r\n",
  " ",
  "\t",
  "a",
  "id",
  "new ",
  "def f(",
  "function ",
  "func ",
  "lambda x",
  "do |r|",
  "for x in ",
  "import a as b\n",
  "as c",
  "await ",
  "return ",
  "1",
  "-1.5e3",
  "true",
  "null",
  "é",
  "\ud800",
  "日",
  "…",
  "%s",
  "{id}",
  ".format(",
  ".add(",
  ".update("
]

describe("any block of code", () => {
  it("is read without an error, in any language", () => {
    const block = fc.record({
      language: fc.constantFrom(...LANGUAGES),
      text: fc
        .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: "grapheme" })), { maxLength: 40 })
        .map((parts) => parts.join(""))
    })
    fc.assert(
      fc.property(block, (random) => {
        const lines = random.text.split(/\r\n?|\n/).length
        for (const { line, method } of callsIn(random)) {
          expect(method).toMatch(/^[A-Z]{3,10}$/)
          expect(line).toBeLessThan(lines)
        }
      }),
      { numRuns: 5_000 }
    )
  })

  it("gives values of bounded size, though names hold each other", () => {
    const grown = (statement: string) =>
      `a = {"x": 1}\n${statement.repeat(60)}requests.post("https://api.acme.dev/orders", json=a)`
    for (const statement of ["a = [a, a]\n", 'a = {"x": a, "y": a}\n', "a = a + a\n", 'a["b"] = a\n', "a.update(a)\n"])
      expect(JSON.stringify(callsIn({ language: "python", text: grown(statement) })).length).toBeLessThan(200_000)
  })
})
