import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync, zstdCompressSync } from "node:zlib"
import * as Schema from "effect/Schema"
import { afterAll, describe, expect, it } from "vitest"
import { LogSummary } from "../../../engine/logs/summary/LogSummary.ts"
import { htmlFaults } from "../../server/pages/htmlCheck.ts"
import { isMadeFormat, madeLog, madeRequest, madeRequests, USER_AGENTS, WRITERS } from "../../logs/MadeLog.ts"
import { runHere } from "../RunHere.ts"

const root = mkdtempSync(join(tmpdir(), "docgauge-logs-cli-"))
afterAll(() => rmSync(root, { recursive: true }))

const write = (path: string, content: string | Uint8Array): void => {
  mkdirSync(join(root, path, ".."), { recursive: true })
  writeFileSync(join(root, path), content)
}

const logs = (...args: ReadonlyArray<string>) => runHere(["logs", ...args], { cwd: root })

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(LogSummary))

const summaryOf = async (...args: ReadonlyArray<string>): Promise<LogSummary> => {
  const { code, stderr, stdout } = await logs(...args, "--format", "json")
  expect([code, stderr]).toEqual([0, ""])
  return decode(stdout)
}

const TEXT = madeLog("combined", madeRequests(2_000, 1))
write("access.log", TEXT)

/** Two weeks in which agents ask for a page that has moved. */
const MOVED = [
  madeRequest("browsers", "/docs/errors"),
  madeRequest("browsers", "/docs/unread"),
  ...Array.from({ length: 14 }, (_, day) =>
    madeRequest("ChatGPT-User", "/errors", { status: 404, time: new Date(Date.UTC(2026, 10, 1 + day)), bytes: 90 })
  ),
  madeRequest("Claude-Code", "/llms.txt", { mediaType: "text/plain", time: new Date(Date.UTC(2026, 10, 14, 1)) }),
  madeRequest("Claude-Code", "/docs/errors.md", {
    mediaType: "text/markdown",
    time: new Date(Date.UTC(2026, 10, 14, 2))
  }),
  madeRequest("GPTBot", "/docs/errors", { address: "20.171.206.9", time: new Date(Date.UTC(2026, 10, 15)) })
]
write("moved.log", madeLog("Caddy", MOVED))

const MOVED_TEXT = `17 requests of agents in 14 days, from 2026-11-01 to 2026-11-15
Of 19 requests: 17 of agents known by name (9 a week), 0 of scripts, 2 of
browsers, 0 of other crawlers.
Agents and scripts asked for: HTML 15, Markdown 1, llms.txt 1.
llms.txt was asked for once, by Claude-Code, and answered each time. Of 1
reader, 1 went on to a page within an hour, 1 to a Markdown version.

Agents
         14  ChatGPT-User  acts for a person
             HTML 14; 1 kB, about 0 tokens; 100% in vain; none from addresses of
             its operator's list of 2026-08-05
          2  Claude-Code   coding agent
             Markdown 1, llms.txt 1; 8 kB, about 2,000 tokens
          1  GPTBot        collects training data
             HTML 1; 4 kB, about 1,000 tokens; all from addresses of its
             operator's list of 2025-10-30

Asked for and missing (404, 410): 14 requests
         14  /errors (most likely /docs/errors)  ChatGPT-User

Guesses: missing paths by what they have in common
         14  other pages: /errors

Read most
          1  /docs/errors  GPTBot
          1  /docs/errors.md  Claude-Code

Never read by an agent: 1 of 2 pages (50%)
  /docs/unread
`

describe("docgauge logs", () => {
  it("gives the same figures for a log that is packed, split, in pieces or in a folder", async () => {
    const half = TEXT.indexOf("\n", TEXT.length / 2) + 1
    write("packed/access.log.gz", gzipSync(TEXT))
    write("packed/access.log.zst", zstdCompressSync(Buffer.from(TEXT)))
    // Logs that were appended to have several parts, each packed by itself.
    const parts = [TEXT.slice(0, half), TEXT.slice(half)].map((part) => Buffer.from(part))
    write("packed/parts.gz", Buffer.concat(parts.map((part) => gzipSync(part))))
    write("packed/parts", Buffer.concat(parts.map((part) => zstdCompressSync(part))))
    write("rotated/access.log", TEXT.slice(half).trimEnd())
    write("rotated/access.log.1.gz", gzipSync(TEXT.slice(0, half)))
    utimesSync(join(root, "rotated/access.log.1.gz"), 1_000, 1_000)
    const whole = await summaryOf("access.log")
    expect(whole.requests.all).toBe(2_000)
    for (const name of readdirSync(join(root, "packed"))) expect(await summaryOf(`packed/${name}`)).toEqual(whole)
    expect(await summaryOf("rotated")).toEqual(whole)
    // A file that is named twice is read once.
    expect(await summaryOf("rotated/access.log", "rotated/access.log.1.gz", "rotated")).toEqual(whole)
  })

  it.each(Object.keys(WRITERS).filter(isMadeFormat))("reads a file in the format: %s", async (format) => {
    write("one.log", madeLog(format, madeRequests(500, 2)))
    const { lines, requests } = await summaryOf("one.log")
    expect([lines.unreadable, requests.all]).toEqual([0, 500])
  })

  it("prints for a terminal what agents read and ask for in vain, in plain sentences", async () => {
    const { code, stderr, stdout } = await logs("moved.log")
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toBe(MOVED_TEXT)
  })

  it("prints Markdown and HTML with the same figures", async () => {
    const markdown = await logs("moved.log", "--format", "markdown")
    expect(markdown.stdout).toMatch(/^# 17 requests of agents in 14 days, from 2026-11-01 to 2026-11-15\n/)
    expect(markdown.stdout).toContain("| 14 | /errors | /docs/errors | ChatGPT-User |")
    const page = await logs("moved.log", "--format", "html", "--output", "logs.html")
    expect([page.code, page.stdout]).toEqual([0, ""])
    const text = readFileSync(join(root, "logs.html"), "utf8")
    expect(text).toContain("17 requests of agents in 14 days")
    expect(text).not.toMatch(/<script|https?:\/\/(?!docgauge)/)
    expect(await htmlFaults(text)).toEqual([])
  })

  it("shows nothing of a log as markup or Markdown", async () => {
    write(
      "hostile.log",
      madeLog("Caddy", [madeRequest("GPTBot", "/<script>alert(1)</script>|`[x](y)", { status: 404 })])
    )
    expect((await logs("hostile.log", "--format", "html")).stdout).not.toContain("<script>")
    expect((await logs("hostile.log", "--format", "markdown")).stdout).toContain(
      "/\\<script\\>alert(1)\\</script\\>\\|\\`"
    )
  })

  it("verifies agents by our lists and by those that are given, and says by which", async () => {
    const agentOf = async (...flags: ReadonlyArray<string>) =>
      (await summaryOf("moved.log", ...flags)).agents.find(({ name }) => name === "GPTBot")?.verified
    expect(await agentOf()).toEqual({ published: 1, other: 0, unknown: 0, list: "2025-10-30" })
    write(
      "gptbot.json",
      JSON.stringify({ creationTime: "2026-11-20T00:00:00", prefixes: [{ ipv4Prefix: "192.0.2.0/24" }] })
    )
    expect(await agentOf("--ranges", "gptbot=gptbot.json")).toEqual({
      published: 0,
      other: 1,
      unknown: 0,
      list: "2026-11-20"
    })
  })

  it("counts only the host of --site where lines name hosts", async () => {
    write(
      "hosts.log",
      madeLog("Caddy", [madeRequest("GPTBot", "/a"), madeRequest("GPTBot", "/b", { host: "www.example.com" })])
    )
    const all = await logs("hosts.log")
    expect(all.stdout.replaceAll(/\s+/g, " ")).toContain(
      "The log is of 2 hosts, counted as one site: docs.example.com and www.example.com. --site URL counts one."
    )
    const one = await summaryOf("hosts.log", "--site", "https://docs.example.com/x")
    expect([one.requests.all, one.requests.other_hosts, one.pages.map(({ path }) => path)]).toEqual([1, 1, ["/a"]])
  })

  it("reads a packed log that is cut short as far as it goes, and says so", async () => {
    write("cut.gz", gzipSync(TEXT).subarray(0, 20_000))
    write("cut.zst", zstdCompressSync(Buffer.from(TEXT)).subarray(0, 20_000))
    for (const name of ["cut.gz", "cut.zst"]) {
      const { code, stderr, stdout } = await logs(name, "--format", "json")
      expect([code, stderr]).toEqual([
        0,
        `docgauge: ${name} cannot be unpacked to its end (Z_BUF_ERROR); what comes before was read.\n`
      ])
      expect(decode(stdout).requests.all).toBeGreaterThan(100)
    }
  })

  it("names five of those who asked for a path, and counts the others", async () => {
    const agents = ["ChatGPT-User", "Claude-Code", "ClaudeBot", "GPTBot", "axios", "curl", "PerplexityBot"]
    expect(agents.filter((agent) => USER_AGENTS.every(([name]) => name !== agent))).toEqual([])
    write(
      "many.log",
      madeLog(
        "Caddy",
        agents.map((agent) => madeRequest(agent, "/errors", { status: 404 }))
      )
    )
    const [path] = (await summaryOf("many.log")).in_vain.not_found.paths
    expect([path?.agents.length, path?.more_agents]).toEqual([5, 2])
    expect((await logs("many.log")).stdout).toMatch(/^ +7 {2}\/errors {2}ChatGPT-User, Claude-Code, .* and 2 others$/m)
    expect((await logs("many.log", "--format", "markdown")).stdout).toMatch(/\/errors.* and 2 others/)
  })

  it("counts a line without an end and one that is too long as unreadable, and reads on", async () => {
    write("long.log", `${"x".repeat(3_000_000)}\n${TEXT}${"y".repeat(2_000_000)}`)
    const { lines, requests } = await summaryOf("long.log")
    expect([requests.all, lines.unreadable]).toEqual([2_000, 2])
  })

  it.each([
    [[], "no log given. Pass access logs, as in: docgauge logs access.log access.log.*.gz; or - for standard input."],
    [["none.log"], "cannot read none.log: there is no such file. Pass the path of an access log."],
    [["empty"], "empty has no files. Pass access logs or a folder of them."],
    [["empty.log"], "empty.log has no lines. Pass an access log."],
    [
      ["notes.txt"],
      "no line of notes.txt is a request in a format that we can read: common, combined, W3C, CloudFront, or JSON lines of Cloudflare, Fastly, Caddy, nginx, Vercel or Netlify. The first line: just notes"
    ],
    [["binary.log"], "binary.log is not text in UTF-8. Pass an access log."],
    [["access.log", "--site", "docs"], '--site takes a URL, as in: --site https://docs.example.com; not "docs".'],
    [
      ["access.log", "--ranges", "GPTBott=x.json"],
      '--ranges takes an agent and a file, as in: --ranges GPTBot=gptbot.json; not "GPTBott=x.json". Did you mean GPTBot?'
    ],
    [
      ["access.log", "--ranges", "GPTBot=bad.json"],
      "bad.json has a prefix that is no range of addresses, such as 192.0.2.0/24."
    ]
  ])("says what is wrong and what to do, and ends with 2: %j", async (args, message) => {
    mkdirSync(join(root, "empty"), { recursive: true })
    write("empty.log", "\n\n")
    write("notes.txt", "just notes\n")
    write(
      "binary.log",
      Uint8Array.from({ length: 1_000 }, (_, index) => (index * 37 + 128) % 256)
    )
    write("bad.json", '{"prefixes": ["x/8"]}')
    expect(await logs(...args)).toEqual({ code: 2, stdout: "", stderr: `docgauge: ${message}\n` })
  })
})
