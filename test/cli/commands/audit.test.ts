import { existsSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { AuditReport } from "../../../engine/audit/Report.ts"
import { type FakeServer, serveFakeSite } from "../../../engine/testing/FakeSite.ts"
import { httpServer } from "../../evidence/LoopbackServers.ts"
import { CLIENT_RENDERED_URL, clientRenderedSite } from "../../golden/client-rendered/Site.ts"
import { TYPICAL_URL, typicalSite } from "../../golden/typical/Site.ts"
import { measuredRun } from "../MeasuredRun.ts"
import { runCli } from "../RunCli.ts"
import { runHere } from "../RunHere.ts"

const TYPICAL = new URL(TYPICAL_URL)

let folder: string
let archive: string
let live: string
let server: FakeServer
const scope = Scope.makeUnsafe()

const inFolder = (name: string): string => join(folder, name)

/** The site is led to by name, and says itself where its production address is. */
const preview = (): ReadonlyArray<string> => [
  `http://docs.preview.test${TYPICAL.pathname}`,
  "--allow-http",
  "--resolve",
  `docs.preview.test:80:127.0.0.1:${server.port}`,
  "--canonical-origin",
  TYPICAL.origin
]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "docgauge-cli-"))
  archive = inFolder("typical.warc.gz")
  // Any name gets the pages of the production host: a preview is the same files elsewhere.
  server = await Effect.runPromise(
    Scope.provide(serveFakeSite(typicalSite(), { host: TYPICAL.origin, anyName: true }), scope)
  )
  const run = await runCli([...preview(), "--record", archive, "--format", "json"])
  expect([run.code, run.stderr]).toEqual([0, ""])
  live = run.stdout
})

afterAll(async () => {
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true })
})

const replayed = (...args: ReadonlyArray<string>) => runHere(["--replay", archive, ...args])

const report = () => Schema.decodeSync(Schema.fromJsonString(AuditReport))(live)

describe("a preview", () => {
  it("is audited as the production site that it names", () => {
    const { base_url, criteria, total_score } = report()
    expect(base_url).toBe(`http://docs.preview.test${TYPICAL.pathname}`)
    expect(total_score).toBeGreaterThan(40)
    expect(criteria.find(({ id }) => id === "A4")?.measured.facts?.["locations"]).toBeGreaterThan(3)
  })
})

describe("a preview whose production origin is not given", () => {
  const SAID = `docgauge: the site's llms.txt, sitemap or canonical URLs point to ${TYPICAL.origin}. If this is a preview of that site,`

  it("is told which origin its sitemap names, and the flag for it", async () => {
    const [url = "", ...flags] = preview()
    const { code, stderr } = await runHere([url, ...flags.slice(0, -2), "--record", inFolder("unnamed.warc.gz")])
    expect([code, stderr]).toEqual([0, `${SAID} add --canonical-origin ${TYPICAL.origin}\n`])
  })

  it.each([["--replay"], ["fix", "--plan", "--from"]])(
    "is not told to give the flag to docgauge %s, which refuses it of an archive",
    async (...command) => {
      const { code, stderr } = await runHere([...command, inFolder("unnamed.warc.gz")])
      expect([code, stderr]).toEqual([
        0,
        `${SAID} audit it again, not from the archive, with --canonical-origin ${TYPICAL.origin}\n`
      ])
    }
  )
})

describe("a replay", () => {
  it("is refused a sample of another size, and another origin, which the archive has", async () => {
    for (const flag of ["--sample 2", `--canonical-origin ${TYPICAL.origin}`]) {
      const [name = ""] = flag.split(" ")
      const { code, stderr, stdout } = await replayed(...flag.split(" "))
      expect([code, stdout, stderr]).toEqual([
        2,
        "",
        expect.stringContaining(`docgauge: ${name} cannot be used with an archive: `)
      ])
    }
  })
})

describe("the report", () => {
  it("is JSON on stdout, and nothing else", async () => {
    const run = await replayed("--format", "json")
    expect([run.code, run.stderr]).toEqual([0, ""])
    expect(run.stdout).toBe(live)
  })

  it("is Markdown with the score in its first line", async () => {
    const { stdout } = await replayed("--format", "markdown")
    expect(stdout.split("\n", 1)[0]).toContain(`${report().total_score}/100`)
  })

  it("is text without colours if stdout is not a terminal", async () => {
    const { code, stdout } = await replayed()
    expect(code).toBe(0)
    expect(stdout).toContain(`${report().total_score}/100`)
    expect(stdout).not.toContain("\u001b")
  })

  it("goes to stdout and stderr with both formats", async () => {
    const { stderr, stdout } = await replayed("--format", "both")
    expect(stdout).toBe(live)
    expect(stderr).toMatch(new RegExp(`^# .*${report().total_score}/100`))
  })

  it.each([
    ["json", "r.json"],
    ["markdown", "r.md"],
    ["text", "r.txt"]
  ])("goes to a file as %s, and nothing to stdout", async (format, name) => {
    const run = await replayed("--format", format, "--output", inFolder(name))
    expect([run.code, run.stdout, run.stderr]).toEqual([0, "", ""])
    const written = readFileSync(inFolder(name), "utf8")
    if (format === "json") expect(written).toBe(live)
    else expect(written.split("\n", 2).join("\n")).toContain(`${report().total_score}/100`)
  })

  it("goes to two files with both formats, also where the name has the ending of one", async () => {
    await replayed("--format", "both", "--output", inFolder("twice.json"))
    expect(existsSync(inFolder("twice.md"))).toBe(true)
    expect(existsSync(inFolder("twice.json.json"))).toBe(false)
  })

  it("goes to two files with both formats", async () => {
    await replayed("--format", "both", "--output", inFolder("both"))
    expect(readFileSync(inFolder("both.json"), "utf8")).toBe(live)
    expect(readFileSync(inFolder("both.md"), "utf8").split("\n", 1)[0]).toContain("/100")
  })

  it("is not lost if the archive cannot be written", async () => {
    const run = await replayed("--format", "json", "--record", inFolder("no/such/folder.warc.gz"))
    expect([run.code, run.stdout]).toEqual([2, live])
    expect(run.stderr).toMatch(/^docgauge: the archive cannot be written: ENOENT/)
  })
})

describe("a goal", () => {
  it.each([
    ["0", 0],
    ["100", 1]
  ] as const)("of at least %s points ends with %i", async (least, code) => {
    const run = await replayed("--format", "json", "--min-score", least)
    expect([run.code, run.stdout]).toEqual([code, live])
    expect(run.stderr === "").toBe(code === 0)
  })

  it.each([
    ["0", 1],
    ["4", 1],
    ["5", 0]
  ] as const)("to lose no more than %s of 5 points ends with %i", async (most, code) => {
    const better = { ...report(), total_score: report().total_score + 5 }
    writeFileSync(inFolder("baseline.json"), JSON.stringify(better))
    const run = await replayed("--format", "json", "--baseline", inFolder("baseline.json"), "--max-drop", most)
    expect(run.code).toBe(code)
    if (code === 1) expect(run.stderr).toContain("the score dropped by 5")
  })
})

describe("a baseline", () => {
  const written = (name: string, change: (report: AuditReport) => object): string => {
    writeFileSync(inFolder(name), JSON.stringify({ ...report(), ...change(report()) }))
    return inFolder(name)
  }

  it("of another site ends with 2, before anything is audited", async () => {
    const other = written("other.json", () => ({ base_url: "https://docs.other.example" }))
    expect(await replayed("--baseline", other)).toEqual({
      code: 2,
      stdout: "",
      stderr: `docgauge: the baseline is a report of https://docs.other.example, not of http://docs.preview.test${TYPICAL.pathname}. Pass an earlier report of the same site.\n`
    })
  })

  it("of the production site is one of its preview", async () => {
    const production = written("production.json", () => ({ base_url: TYPICAL_URL }))
    expect((await replayed("--baseline", production)).code).toBe(0)
  })

  it("names the criteria that lost points, where the total fell and where it did not", async () => {
    const better = report().criteria.find(({ max, score }) => score < max)
    const lost = `${better?.id} ${better?.title} (${better?.max} → ${better?.score})`
    const withFullPoints = ({ criteria }: AuditReport) =>
      criteria.map((criterion) => (criterion.id === better?.id ? { ...criterion, score: criterion.max } : criterion))
    const higher = written("higher.json", (report) => ({
      total_score: report.total_score + 1,
      criteria: withFullPoints(report)
    }))
    const same = written("same.json", (report) => ({ criteria: withFullPoints(report) }))
    const fallen = await replayed("--baseline", higher)
    expect([fallen.code, fallen.stderr]).toEqual([
      1,
      expect.stringMatching(/^docgauge: the score dropped by 1, .*\nLost points: /)
    ])
    expect(fallen.stderr).toContain(lost)
    const level = await replayed("--baseline", same)
    expect([level.code, level.stderr]).toEqual([
      0,
      `docgauge: the score was ${report().total_score} in the baseline and is ${report().total_score} now. Lost points: ${lost}.\n`
    ])
  })
})

describe("an unreliable report", () => {
  let unreliable: string
  let own: AuditReport
  const gated = (...gates: ReadonlyArray<string>) =>
    runHere(["--replay", unreliable, "--format", "json", "--quiet", ...gates])

  beforeAll(async () => {
    unreliable = inFolder("client-rendered.warc.gz")
    const rendered = await Effect.runPromise(
      Scope.provide(serveFakeSite(clientRenderedSite(), { host: CLIENT_RENDERED_URL, anyName: true }), scope)
    )
    const run = await runHere([
      "http://docs.rendered.test",
      "--allow-http",
      "--resolve",
      `docs.rendered.test:80:127.0.0.1:${rendered.port}`,
      "--record",
      unreliable,
      "--format",
      "json"
    ])
    own = JSON.parse(run.stdout)
    expect([run.code, own.reliability.reliable]).toEqual([0, false])
  })

  it("is printed with exit code 0 without a gate", async () => {
    const run = await gated()
    expect([run.code, JSON.parse(run.stdout)]).toEqual([0, own])
  })

  it.each([
    ["--require-reliable"],
    ["--min-score", "0"],
    ["--min-score", "100"],
    ["--baseline", "own", "--max-drop", "0"],
    ["--baseline", "better", "--max-drop", "0"]
  ])("ends any gate with 4, whether the score reaches the goal or not: %s %s", async (...gate) => {
    writeFileSync(inFolder("own.json"), JSON.stringify({ ...own, reliability: { ...own.reliability, reliable: true } }))
    writeFileSync(
      inFolder("better.json"),
      JSON.stringify({ ...own, total_score: 90, reliability: { ...own.reliability, reliable: true } })
    )
    const run = await gated(
      ...gate.map((part) => (part === "own" || part === "better" ? inFolder(`${part}.json`) : part))
    )
    expect(run.code).toBe(4)
    expect(run.stderr).toMatch(/^docgauge: the report is not reliable: the score is at least \d+\./)
    expect(JSON.parse(run.stdout)).toEqual(own)
  })

  it("is no baseline: a drop from it is not known, so --max-drop ends with 4", async () => {
    writeFileSync(
      inFolder("unreliable.json"),
      JSON.stringify({ ...report(), reliability: { ...report().reliability, reliable: false } })
    )
    const run = await replayed("--format", "json", "--baseline", inFolder("unreliable.json"))
    expect([run.code, run.stderr]).toEqual([4, expect.stringContaining("the baseline is not reliable")])
  })

  it("is required to be reliable by --require-reliable alone, which a reliable one is", async () => {
    expect(await replayed("--format", "json", "--require-reliable")).toMatchObject({ code: 0, stderr: "" })
  })
})

describe("an archive", () => {
  it("needs no URL", async () => {
    expect((await replayed("--format", "json")).stdout).toBe(live)
  })

  it("accepts the recorded URL and no other", async () => {
    expect(
      (await runHere([`http://docs.preview.test${TYPICAL.pathname}/`, "--replay", archive, "--format", "json"])).stdout
    ).toBe(live)
    const other = await runHere(["https://docs.example.com", "--replay", archive])
    expect([other.code, other.stdout]).toEqual([2, ""])
    expect(other.stderr).toContain("is an archive of http://docs.preview.test")
  })

  it("of a failed audit fails again with the same message", async () => {
    const refusing = await httpServer((_, response) => response.writeHead(403).end())
    const record = inFolder("failed.warc.gz")
    const first = await runHere([
      `http://127.0.0.1:${refusing.port}`,
      "--allow-http",
      "--allow-private",
      "--record",
      record
    ])
    await refusing.close()
    const second = await runHere(["--replay", record])
    expect(first).toMatchObject({ code: 3, stdout: "" })
    expect(first.stderr).toContain("answers 403")
    expect(second).toEqual(first)
  })

  const broken: ReadonlyArray<readonly [string, (bytes: Uint8Array) => string | Uint8Array, RegExp]> = [
    ["that is empty", () => "", /does not say which URL was audited/],
    ["that is something else", () => "%PDF-1.7", /not a WARC file/],
    [
      "with a run that it makes up",
      (bytes) =>
        gzipSync(
          gunzipSync(bytes)
            .toString("latin1")
            .replace(/"audited":"[^"]*"/, '"audited":"javascript:alert(1)//aaaaaaaa"')
        ),
      /not a WARC file|does not say what was audited|out of order|middle of a record/
    ],
    [
      "whose compression is broken",
      (bytes) => Buffer.concat([bytes.subarray(0, 2_000), Buffer.alloc(200, 7), bytes.subarray(2_200)]),
      /compression is broken|not a WARC file|middle of a record/
    ],
    ["of one line without an end", () => `WARC/1.1\r\n${"a".repeat(100_000)}`, /too long|name and a value/],
    [
      "with a record longer than the file",
      () => "WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 999999999\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
      /middle of a record/
    ]
  ]
  it.each(broken)("%s is told from a good one in a line", async (_, breaking, message) => {
    const path = inFolder("broken.warc.gz")
    writeFileSync(path, breaking(readFileSync(archive)))
    const run = await runHere(["--replay", path])
    expect([run.code, run.stdout]).toEqual([2, ""])
    expect(run.stderr).toMatch(message)
    expect(run.stderr.trimEnd().split("\n")).toHaveLength(1)
  })

  it("that was cut off is told from a whole one", async () => {
    const path = inFolder("cut.warc.gz")
    writeFileSync(path, readFileSync(archive))
    truncateSync(path, 9_001)
    const run = await runHere(["--replay", path])
    expect(run.code).toBe(2)
    expect(run.stderr).toMatch(/compression is broken|middle of a record/)
  })
})

describe("an interruption", () => {
  it("ends the audit, clears the progress line, and leaves nothing behind", async () => {
    const hanging = await httpServer(() => undefined)
    const record = inFolder("interrupted.warc.gz")
    const run = await measuredRun(
      [`http://127.0.0.1:${hanging.port}`, "--allow-http", "--allow-private", "--record", record],
      { preload: "process.stderr.isTTY = true", signal: { name: "SIGINT", after: "answers" } }
    )
    expect(run.code).toBe(130)
    expect(run.stdout).toBe("")
    expect(run.stderr.endsWith("\r\u001b[2K")).toBe(true)
    expect(existsSync(record)).toBe(false)
    await expect.poll(hanging.open).toBe(0)
    await hanging.close()
  })
})

describe("a reader that closes the pipe", () => {
  it.each([
    [[], 0],
    [["--min-score", "100"], 1]
  ] as const)("is no error: %j", async (goals, code) => {
    const run = await measuredRun(["--replay", archive, "--format", "json", ...goals], { preload: CLOSED_STDOUT })
    expect(run.code).toBe(code)
    expect(run.stderr).not.toContain("EPIPE")
  })
})

/** Every write to stdout comes back as from a pipe without a reader. */
const CLOSED_STDOUT = `
process.stdout._write = (_chunk, _encoding, done) => done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }))
process.stdout._writev = (_chunks, done) => done(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }))
`
