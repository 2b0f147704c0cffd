import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import * as Effect from "effect/Effect"
import { stringify } from "yaml"
import { serveFakeSite } from "../../../engine/testing/FakeSite.ts"
import type { CliRun } from "../RunCli.ts"
import { runHere } from "../RunHere.ts"

const root = mkdtempSync(join(tmpdir(), "docgauge-drift-cli-"))
afterAll(() => rmSync(root, { recursive: true }))

const WORDS = "<p>How to move a crate from one shelf to another, and what comes back once it has arrived.</p>".repeat(6)

const page = (title: string, more: string): string =>
  `<!doctype html>\n<html lang="en"><head><title>${title}</title></head>\n<body><main><h1>${title}</h1>\n${WORDS}\n${more}\n<a href="/">Start</a></main></body></html>\n`

const call = (query: string): string =>
  `<pre><code class="language-sh">curl "https://api.crate-depot.example/v1/crates?${query}"</code></pre>`

const SPEC = {
  openapi: "3.0.3",
  info: { title: "Crate Depot", version: "1.0.0" },
  servers: [{ url: "https://api.crate-depot.example/v1" }],
  paths: {
    "/crates": {
      get: {
        parameters: [
          { name: "shelf", in: "query", schema: { type: "string" } },
          { name: "limit", in: "query", schema: { type: "integer" } }
        ],
        responses: {
          200: {
            description: "Crates",
            content: { "application/json": { schema: { type: "object", properties: { total: { type: "integer" } } } } }
          }
        }
      }
    }
  }
}

const FALSE_EXAMPLE = structuredClone(SPEC)
Object.assign(FALSE_EXAMPLE.paths["/crates"].get.responses[200].content["application/json"], {
  example: { total: "many" }
})

const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const START = '<a href="/crates">Crates</a> <a href="/openapi.json">OpenAPI</a>'
const EDIT = '<a href="https://github.com/crate-depot/docs/edit/main/docs/crates.md">Edit this page</a>'

/** Three builds: one that is honest, one with a false call and a false example, one without a description. */
write("honest/index.html", page("Crate Depot", START))
write("honest/crates.html", page("Crates", call("shelf=a1")))
write("honest/openapi.json", JSON.stringify(SPEC))
write("wrong/index.html", page("Crate Depot", START))
write("wrong/crates.html", page("Crates", `${call("shelve=a1")}\n${call("limit=3")}\n${EDIT}`))
write("wrong/openapi.json", JSON.stringify(FALSE_EXAMPLE))
write("bare/index.html", page("Crate Depot", '<a href="/crates">Crates</a>'))
write("bare/crates.html", page("Crates", call("shelve=a1")))
write("spec/openapi.yaml", stringify(SPEC))
write("spec/notes.yaml", "just: notes\n")
write(
  "docs/crates.md",
  "# Crates\n\nGET /crates lists them:\n\n    curl https://api.crate-depot.example/v1/crates?shelve=a1\n"
)

const HOST = "https://docs.crate-depot.example"

const AS = ["--as", HOST]
const drift = (folder: string, ...flags: ReadonlyArray<string>) =>
  runHere(["drift", folder, ...AS, "--quiet", ...flags], { cwd: root })

/** Runs it when it is first asked for. */
const once = (run: () => Promise<CliRun>): (() => Promise<CliRun>) => {
  let first: Promise<CliRun> | null = null
  return () => (first ??= run())
}

/** What several tests read. */
const wrongAsJson = once(() => drift("wrong", "--format", "json"))
const wrongExamplesAsJson = once(() => drift("wrong", "--only", "examples,figures", "--format", "json"))

const SENTENCE = "/crates, line 5, sends shelve in the query of GET /crates; the description has shelf and limit."

describe("docgauge drift", () => {
  test("says that all agrees, and ends with 0", async () => {
    expect(await drift("honest")).toEqual({
      code: 0,
      stdout: "1 compared: 1 agrees, 0 are false.\nCompared with https://docs.crate-depot.example/openapi.json.\n",
      stderr: ""
    })
  })

  test("names what is false by page, with both places, and ends with 1", async () => {
    const { code, stderr, stdout } = await runHere(["drift", "wrong", ...AS], { cwd: root })
    expect([code, stderr]).toEqual([
      1,
      "docgauge: 2 findings. Correct the page or the description; what has to stay for now can be kept as known (--baseline).\n"
    ])
    const text = stdout.replaceAll(/\s+/g, " ")
    expect(stdout.split("\n")[0]).toBe("3 compared: 1 agrees, 2 are false.")
    expect(text).toContain(
      `https://docs.crate-depot.example/crates ${SENTENCE} https://docs.crate-depot.example/crates (line 5) https://docs.crate-depot.example/openapi.json#/paths/~1crates/get`
    )
    expect(text).toContain(
      'says "many" for total, and its schema wants an integer. https://docs.crate-depot.example/openapi.json#/paths/'
    )
  })

  test("places a finding of a page at the line of its source file in the working directory, where code scanning wants it", async () => {
    const { stdout } = await drift("wrong", "--only", "calls", "--format", "sarif")
    expect(JSON.parse(stdout)).toMatchObject({
      runs: [
        {
          results: [
            {
              locations: [
                { physicalLocation: { artifactLocation: { uri: "docs/crates.md" }, region: { startLine: 3 } } }
              ]
            }
          ]
        }
      ]
    })
  })

  test("prints counts and all findings as JSON, and no more", async () => {
    const { stdout } = await wrongAsJson()
    const parsed: Readonly<Record<string, unknown>> = JSON.parse(stdout)
    expect(Object.keys(parsed)).toEqual(["compared", "agreeing", "false", "not_compared", "findings"])
    expect(parsed).toMatchObject({ compared: 3, agreeing: 1, false: 2, not_compared: 0 })
    expect(parsed["findings"]).toEqual([
      expect.objectContaining({ kind: "example", reason: "schema", page: null }),
      {
        kind: "call",
        reason: "unknown_parameter",
        message: SENTENCE,
        page: { url: "https://docs.crate-depot.example/crates", line: 5 },
        description: { url: "https://docs.crate-depot.example/openapi.json", pointer: "/paths/~1crates/get" },
        found: "shelve",
        expected: "shelf and limit",
        call: "GET /crates",
        likely: "GET /crates"
      }
    ])
  })

  test("compares only what --only names", async () => {
    const { code, stdout } = await wrongExamplesAsJson()
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { compared: 1, false: 1, findings: [{ kind: "example" }] }])
    expect(await drift("wrong", "--only", "tables")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Nothing could be compared\.\n/)
    })
  })

  test("lets pass what a baseline has, and says how much; fails on what is new", async () => {
    write("known/drift.json", (await wrongAsJson()).stdout)
    const known = await drift("wrong", "--baseline", "known/drift.json")
    expect([known.code, known.stderr, known.stdout.split("\n")[0]]).toEqual([
      0,
      "",
      "3 compared: 1 agrees, 2 are false. 2 findings known."
    ])
    expect(known.stdout).not.toContain("shelve")
    write("known/examples.json", (await wrongExamplesAsJson()).stdout)
    const fresh = await drift("wrong", "--baseline", "known/examples.json")
    expect([fresh.code, fresh.stderr]).toEqual([
      1,
      "docgauge: 1 finding that known/examples.json does not have. Correct the page or the description.\n"
    ])
    expect(fresh.stdout).toContain("sends shelve")
    expect(fresh.stdout).not.toContain("many")
  })

  test("says once that there is no description, and what to do", async () => {
    const { code, stdout } = await drift("bare")
    expect([code, stdout.replaceAll(/\s+/g, " ")]).toEqual([
      0,
      "Nothing could be compared. No API description was found, so examples, calls and tables were not compared. If it is not published, name its file: --spec openapi.yaml "
    ])
  })

  test("compares with the file of --spec, and names it as it was given", async () => {
    const { code, stdout } = await drift("bare", "--spec", "spec/openapi.yaml", "--format", "json")
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      { findings: [{ found: "shelve", description: { url: "spec/openapi.yaml", pointer: "/paths/~1crates/get" } }] }
    ])
  })

  test("counts a relative server of --spec from the audited URL", async () => {
    write("spec/relative.json", JSON.stringify({ ...SPEC, servers: [{ url: "/v1" }] }))
    write(
      "own/index.html",
      page("Crate Depot", call("shelve=1").replaceAll("api.crate-depot.example", "docs.crate-depot.example"))
    )
    expect(await drift("own", "--spec", "spec/relative.json")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("sends shelve in the query of GET /crates")
    })
  })

  test("reads files beside --spec that it refers to, names them from the working directory, and reads nothing elsewhere", async () => {
    const content = (ref: string, example: unknown) => ({
      "application/json": { schema: { $ref: ref }, example }
    })
    const withContent = (ref: string, example: unknown): string => {
      const spec = structuredClone(SPEC)
      Object.assign(spec.paths["/crates"].get.responses[200], { content: content(ref, example) })
      return JSON.stringify(spec)
    }
    const schema = JSON.stringify({ type: "object", properties: { total: { type: "integer" } } })
    write("spec/parts/crates.json", schema)
    write("spec/split.json", withContent("./parts/crates.json", { total: "many" }))
    const split = await drift("honest", "--spec", "spec/split.json", "--only", "examples", "--format", "json")
    expect(JSON.parse(split.stdout)).toMatchObject({
      false: 1,
      findings: [{ description: { url: "spec/split.json" } }]
    })
    expect(split.stdout).not.toContain("file:")
    const outside = mkdtempSync(join(tmpdir(), "docgauge-drift-outside-"))
    writeFileSync(join(outside, "crates.json"), schema)
    symlinkSync(join(outside, "crates.json"), join(root, "spec/link.json"))
    for (const ref of [join(outside, "crates.json"), "./link.json"]) {
      write("spec/outside.json", withContent(ref, { total: "many" }))
      const { code, stdout } = await drift("honest", "--spec", "spec/outside.json", "--only", "examples")
      expect([code, stdout.split("\n")[0]]).toEqual([0, expect.not.stringContaining("is false")])
    }
    rmSync(outside, { recursive: true })
  })

  test("reads examples in files beside --spec", async () => {
    const spec = structuredClone(SPEC)
    const schema = { type: "object", properties: { total: { type: "integer" } } }
    const examples = { few: { externalValue: "examples/few.json" }, none: { externalValue: "examples/none.json" } }
    Object.assign(spec.paths["/crates"].get.responses[200], { content: { "application/json": { schema, examples } } })
    write("spec/shown.json", JSON.stringify(spec))
    write("spec/examples/few.json", '{"total":"few"}')
    const { stdout } = await drift("honest", "--spec", "spec/shown.json", "--only", "examples", "--format", "json")
    expect(JSON.parse(stdout)).toMatchObject({
      compared: 1,
      not_compared: 1,
      findings: [
        {
          description: {
            url: "spec/shown.json",
            pointer: "/paths/~1crates/get/responses/200/content/application~1json/examples/few"
          }
        }
      ]
    })
  })

  test("compares from an archive without the network, as from the site", async () => {
    const build = (name: string): string => readFileSync(join(root, "wrong", name), "utf8")
    const site = {
      "/": build("index.html"),
      "/crates": build("crates.html"),
      "/openapi.json": { type: "application/json", body: build("openapi.json") }
    }
    const { archived, live } = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const { origin } = yield* serveFakeSite(
            Object.fromEntries(Object.entries(site).map(([path, answer]) => [`${HOST}${path}`, answer])),
            { host: HOST }
          )
          const here = (...args: ReadonlyArray<string>) => Effect.promise(() => runHere(args, { cwd: root }))
          const network = ["--quiet", "--allow-private", "--allow-http", "--format", "json"]
          yield* here(origin, ...network, "--record", "site.warc.gz")
          return {
            live: yield* here("drift", origin, ...network),
            archived: yield* here("drift", "--replay", "site.warc.gz", "--quiet", "--format", "json")
          }
        })
      )
    )
    expect([live.code, JSON.parse(live.stdout)]).toMatchObject([1, { false: 2, not_compared: 0 }])
    expect(archived).toEqual(live)
  })

  test("writes the findings to --output, and prints nothing", async () => {
    const { code, stdout } = await drift("wrong", "--output", "out/drift.txt")
    expect([code, stdout]).toEqual([1, ""])
    expect(readFileSync(join(root, "out/drift.txt"), "utf8")).toMatch(/^3 compared: 1 agrees, 2 are false\.\n/)
  })

  test("prints an annotation for each finding, and one if nothing could be audited", async () => {
    const { stdout } = await drift("wrong", "--format", "github")
    const kinds = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.slice(0, line.indexOf(" ")))
    expect(kinds).toEqual(["::notice", "::error", "::error"])
    expect(await drift("none", "--format", "github")).toMatchObject({
      code: 2,
      stdout: expect.stringMatching(/^::error title=docgauge%3A failed::.*there is no such folder/)
    })
  })

  test.each([
    [
      ["wrong"],
      "wrong is a folder. Say where it will be published: docgauge drift wrong --as https://docs.example.com"
    ],
    [["wrong", ...AS, "--allow-private"], "--as audits a folder, so --allow-private cannot be used with it."],
    [["--replay", "a.warc.gz", "--timeout", "5"], "--replay uses no network, so --timeout cannot be used with it."],
    [["wrong", ...AS, "--replay", "a.warc.gz"], "--as audits a folder, so --replay cannot be used with it."],
    [
      ["wrong", ...AS, "--only", "calls,words"],
      "--only takes examples, calls, tables, figures, as in: --only examples,calls"
    ],
    [["wrong", ...AS, "--only", ","], "--only takes examples, calls, tables, figures"],
    [["wrong", ...AS, "--sample", "0"], "--sample takes a whole number from 1 to 200."],
    [["wrong", ...AS, "--spec", "none.yaml"], "cannot read none.yaml. Pass the path of an API description"],
    [["wrong", ...AS, "--spec", "wrong"], "cannot read wrong. Pass the path of an API description"],
    [
      ["wrong", ...AS, "--spec", "spec/notes.yaml"],
      "spec/notes.yaml is no API description that we can read: it is no API description. Pass an OpenAPI file in JSON or YAML"
    ],
    [
      ["wrong", ...AS, "--baseline", "none.json"],
      "there is no baseline at none.json yet. Write it once, and keep it: docgauge drift"
    ],
    [
      ["wrong", ...AS, "--baseline", "wrong/openapi.json"],
      "wrong/openapi.json is not what docgauge drift writes with --format json: "
    ],
    [[], "no URL given"]
  ])("refuses %j, and says what to do", async (args, message) => {
    const { code, stderr } = await runHere(["drift", ...args], { cwd: root })
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
  })
})
