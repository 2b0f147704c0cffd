import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { AuditReport } from "../../engine/audit/Report.ts"
import { LogSummary } from "../../engine/logs/summary/LogSummary.ts"
import { makeLogReader, newLineCounts } from "../../engine/logs/read/LogReader.ts"
import { MOST_PATHS } from "../../engine/logs/summary/PathTable.ts"
import { summarise } from "../../engine/logs/summary/Summarise.ts"
import { Tally } from "../../engine/logs/summary/Tally.ts"
import { madeLog, madeRequest, type MadeRequest, madeRequests } from "./MadeLog.ts"

const missing = { status: 404, bytes: 100 } as const

const summaryOf = (
  requests: Iterable<MadeRequest>,
  {
    format = "Caddy",
    host = null,
    report = null
  }: {
    readonly format?: "Caddy" | "combined" | "common"
    readonly host?: string | null
    readonly report?: AuditReport | null
  } = {}
): LogSummary => {
  const counts = newLineCounts()
  const tally = new Tally({ host, isPublished: () => null })
  const readLine = makeLogReader(counts, tally.add)
  for (const line of madeLog(format, requests).split("\n")) readLine(line)
  const summary = summarise(tally, counts, { report, listOf: () => null })
  // What is printed as JSON is what the schema says.
  return Schema.decodeUnknownSync(LogSummary, { onExcessProperty: "error" })(JSON.parse(JSON.stringify(summary)))
}

const typicalReport = Schema.decodeUnknownSync(Schema.fromJsonString(AuditReport))(
  readFileSync(join(import.meta.dirname, "../golden/typical/report.json"), "utf8")
)

describe("the summary of a log", () => {
  it("counts requests by who sent them, as they were made", () => {
    const requests = [...madeRequests(5_000, 11)]
    const { agents, requests: counts } = summaryOf(requests)
    const truth = Map.groupBy(requests, ({ agent }) => agent)
    const made = (agent: string): number => truth.get(agent)?.length ?? 0
    expect(counts).toMatchObject({
      all: 5_000,
      browsers: made("browsers"),
      crawlers: made("crawlers"),
      docgauge: made("docgauge"),
      scans: 0
    })
    const named = [...truth.keys()].filter((agent) => !["browsers", "crawlers", "docgauge"].includes(agent))
    expect(Object.fromEntries(agents.map(({ name, requests }) => [name, requests]))).toEqual(
      Object.fromEntries(named.map((agent) => [agent, made(agent)]))
    )
    for (const { bytes, forms, name, pages } of agents) {
      const own = truth.get(name) ?? []
      expect([bytes, forms.markdown, pages]).toEqual([
        own.reduce((sum, one) => sum + one.bytes, 0),
        own.filter(({ path }) => path.endsWith(".md")).length,
        new Set(own.map(({ path }) => path)).size
      ])
    }
  })

  it("tells forms apart, and what agents paid in tokens", () => {
    const [row] = summaryOf([
      madeRequest("GPTBot", "/docs/start"),
      madeRequest("GPTBot", "/docs/start", { mediaType: "text/markdown", bytes: 400 }),
      madeRequest("GPTBot", "/docs/start.md", { mediaType: "text/markdown", bytes: 401 }),
      madeRequest("GPTBot", "/docs/llms-full.txt", { mediaType: "text/plain" }),
      madeRequest("GPTBot", "/openapi.yaml", { mediaType: "application/yaml" }),
      madeRequest("GPTBot", "/.well-known/mcp.json", { mediaType: "application/json" }),
      madeRequest("GPTBot", "/assets/logo.svg", { mediaType: "image/svg+xml", bytes: 90_000 }),
      madeRequest("GPTBot", "/feed.xml", { mediaType: "application/xml", bytes: 8 })
    ]).agents
    expect(row).toMatchObject({
      name: "GPTBot",
      kind: "training",
      forms: {
        html: 1,
        negotiated: 1,
        markdown: 1,
        llms_txt: 1,
        description: 1,
        site_file: 1,
        asset: 1,
        other: 1
      },
      tokens: Math.ceil((4 * 4_000 + 400 + 401 + 8) / 4)
    })
  })

  it("lists what was asked for in vain by its answer, with who asked and the page that was meant", () => {
    const { in_vain: vain } = summaryOf([
      madeRequest("browsers", "/docs/errors"),
      madeRequest("browsers", "/docs/a/start"),
      madeRequest("browsers", "/docs/b/start"),
      madeRequest("GPTBot", "/errors", missing),
      madeRequest("ChatGPT-User", "/errors", missing),
      madeRequest("axios", "/docs/errors.md", missing),
      madeRequest("ClaudeBot", "/start", missing),
      madeRequest("ClaudeBot", "/docs/old", { status: 301 }),
      madeRequest("ClaudeBot", "/docs/closed", { status: 403 }),
      madeRequest("ClaudeBot", "/docs/fast", { status: 429 }),
      madeRequest("ClaudeBot", "/docs/broken", { status: 502 }),
      madeRequest("ClaudeBot", "/openapi.json", { mediaType: "text/html" })
    ])
    expect(vain.not_found).toEqual({
      requests: 4,
      paths: [
        { path: "/errors", requests: 2, agents: ["ChatGPT-User", "GPTBot"], page: "/docs/errors" },
        { path: "/docs/errors.md", requests: 1, agents: ["axios"], page: "/docs/errors" },
        // Two pages end so.
        { path: "/start", requests: 1, agents: ["ClaudeBot"], page: null }
      ]
    })
    const only = (path: string) => ({ requests: 1, paths: [{ path, requests: 1, agents: ["ClaudeBot"], page: null }] })
    expect(vain).toMatchObject({
      redirected: only("/docs/old"),
      refused: only("/docs/closed"),
      rate_limited: only("/docs/fast"),
      failed: only("/docs/broken"),
      soft_404: only("/openapi.json"),
      same_size: null
    })
  })

  it("groups guesses by what they have in common", () => {
    const { in_vain: vain } = summaryOf([
      ...["/docs/a.md", "/docs/b.md", "/c.md", "/c.md"].map((path) => madeRequest("Claude-Code", path, missing)),
      ...["/api/v1/x", "/api/v1/y", "/api/v1/z"].map((path) => madeRequest("curl", path, missing)),
      madeRequest("GPTBot", "/llms.txt", missing),
      madeRequest("GPTBot", "/lost", missing)
    ])
    expect(vain.guesses).toEqual([
      { pattern: "Markdown versions (*.md)", requests: 4, paths: 3, example: "/c.md" },
      { pattern: "/api/v1/*", requests: 3, paths: 3, example: "/api/v1/x" },
      { pattern: "llms.txt", requests: 1, paths: 1, example: "/llms.txt" },
      { pattern: "other pages", requests: 1, paths: 1, example: "/lost" }
    ])
  })

  it("suspects one page for any URL where files and pages are answered with as many bytes", () => {
    const paths = ["/llms.txt", "/openapi.json", "/a.md", "/docs/a", "/docs/b"]
    expect(
      summaryOf(
        paths.map((path) => madeRequest("GPTBot", path, { bytes: 1_234 })),
        { format: "combined" }
      ).in_vain.same_size
    ).toEqual({ paths: 5, bytes: 1_234, example: "/llms.txt" })
    expect(
      summaryOf(
        paths.map((path, index) => madeRequest("GPTBot", path, { bytes: 1_234 + index })),
        { format: "combined" }
      ).in_vain.same_size
    ).toBeNull()
  })

  it("lists pages that people read and agents do not, and no file that pages load", () => {
    expect(
      summaryOf([
        madeRequest("browsers", "/docs/read"),
        madeRequest("GPTBot", "/docs/read"),
        madeRequest("browsers", "/docs/unread"),
        madeRequest("crawlers", "/docs/unread-2"),
        madeRequest("browsers", "/docs/gone", missing),
        madeRequest("browsers", "/app.js")
      ]).never_read
    ).toEqual({ known: 3, unread: 2, paths: ["/docs/unread", "/docs/unread-2"] })
  })

  it("counts a page as read whose Markdown version is read", () => {
    const { never_read: unread } = summaryOf([
      madeRequest("browsers", "/docs/errors"),
      madeRequest("browsers", "/docs/keys/"),
      madeRequest("browsers", "/docs/start"),
      madeRequest("Claude-Code", "/docs/errors.md", { mediaType: "text/markdown" }),
      madeRequest("Claude-Code", "/docs/keys/index.md", { mediaType: "text/markdown" }),
      madeRequest("Claude-Code", "/docs/start.md", missing)
    ])
    expect(unread).toEqual({ known: 3, unread: 1, paths: ["/docs/start"] })
  })

  it("says of no page of a report that it was never read where more paths were asked for than are kept apart", () => {
    const many = function* (): Generator<MadeRequest> {
      for (let page = 0; page <= MOST_PATHS; page++) yield madeRequest("GPTBot", `/page-${page}`)
    }
    expect(summaryOf(many(), { report: typicalReport }).never_read).toMatchObject({ unread: 0, paths: [] })
  })

  it("follows who reads llms.txt to the page and to the Markdown version that they go on to within an hour", () => {
    const at = (minutes: number, address: string) => ({ time: new Date(minutes * 60_000), address })
    const plainText = { mediaType: "text/plain" }
    expect(
      summaryOf([
        madeRequest("Claude-Code", "/llms.txt", { ...plainText, ...at(0, "198.51.100.1") }),
        madeRequest("Claude-Code", "/docs/a", at(1, "198.51.100.1")),
        madeRequest("Claude-Code", "/docs/a.md", at(2, "198.51.100.1")),
        madeRequest("Claude-Code", "/llms.txt", { ...plainText, ...at(3, "198.51.100.1") }),
        madeRequest("GPTBot", "/llms.txt", { ...plainText, ...at(0, "198.51.100.2") }),
        madeRequest("GPTBot", "/docs/a", at(61, "198.51.100.2")),
        madeRequest("axios", "/llms.txt", { ...plainText, ...at(5, "198.51.100.3") }),
        madeRequest("axios", "/docs/a", at(6, "198.51.100.3")),
        madeRequest("curl", "/llms.txt", { ...missing, ...at(7, "198.51.100.4") }),
        madeRequest("curl", "/docs/a", at(8, "198.51.100.4"))
      ]).llms_txt
    ).toEqual({
      requests: 5,
      answered: 4,
      agents: [
        { name: "Claude-Code", requests: 2 },
        { name: "GPTBot", requests: 1 },
        { name: "axios", requests: 1 },
        { name: "curl", requests: 1 }
      ],
      readers: 3,
      went_on: 2,
      to_markdown: 1
    })
  })

  it("leaves out scans, docgauge and other hosts, and says how many", () => {
    const { agents, requests } = summaryOf(
      [
        madeRequest("curl", "/.env", missing),
        madeRequest("curl", "/wp-login.php", missing),
        madeRequest("GPTBot", "/manual/strlen.php", missing),
        madeRequest("docgauge", "/docs/a"),
        madeRequest("GPTBot", "/docs/a", { host: "www.example.com" }),
        madeRequest("GPTBot", "/docs/a")
      ],
      { host: "docs.example.com" }
    )
    expect([requests, agents.map(({ name }) => name)]).toMatchObject([
      { all: 5, agents: 2, scripts: 0, docgauge: 1, other_hosts: 1, scans: 2 },
      ["GPTBot"]
    ])
  })

  it("says that the common format does not tell who asked", () => {
    expect(summaryOf(madeRequests(100, 3), { format: "common", report: typicalReport })).toMatchObject({
      requests: { all: 100, agents: 0, scripts: 0, no_user_agent_field: 100 },
      negotiation_visible: false,
      never_read: { known: 0 }
    })
  })

  it("prints no address, wherever the log has one", () => {
    const text = JSON.stringify(
      summaryOf([
        madeRequest("GPTBot", "/lookup/203.0.113.9", missing),
        madeRequest("GPTBot", "/lookup/2001:db8::9", missing),
        madeRequest("browsers", "/lookup/203.0.113.10", { host: "203.0.113.11" })
      ])
    )
    expect(text).not.toMatch(/203\.0\.113|198\.51\.100|2001:db8/)
    expect(text).toContain("/lookup/[address]")
  })

  it("keeps 100,000 paths apart, half of them for what is there, and counts the rest together", () => {
    function* many(): Generator<MadeRequest> {
      for (let number = 0; number < MOST_PATHS; number++) yield madeRequest("GPTBot", `/made-up/${number}`, missing)
      for (let number = 0; number < MOST_PATHS; number++) yield madeRequest("GPTBot", `/docs/${number}`)
    }
    const { agents, paths, requests } = summaryOf(many(), { format: "combined" })
    expect(paths).toEqual({ kept: MOST_PATHS, beyond: MOST_PATHS })
    expect([requests.agents, agents[0]?.pages]).toEqual([2 * MOST_PATHS, MOST_PATHS])
  })

  it("tells the days between the first and the last request, whatever order lines are in", () => {
    expect(
      summaryOf([
        madeRequest("GPTBot", "/", { time: new Date("2026-11-10T12:00:00Z") }),
        madeRequest("GPTBot", "/", { time: new Date("2026-11-01T00:00:00Z") })
      ]).period
    ).toEqual({ from: "2026-11-01T00:00:00Z", to: "2026-11-10T12:00:00Z", days: 9.5 })
  })
})
