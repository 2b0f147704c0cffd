import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Schema from "effect/Schema"
import { afterAll, beforeAll, expect, it } from "vitest"
import { LogSummary } from "../../../engine/logs/summary/LogSummary.ts"
import { madeLog, madeRequest, type MadeRequest } from "../../logs/MadeLog.ts"
import { runHere } from "../RunHere.ts"

const root = mkdtempSync(join(tmpdir(), "docgauge-logs-report-"))
afterAll(() => rmSync(root, { recursive: true }))

const PAGES = ["guide", "errors", "keys"]

const page = (name: string): string =>
  `<!doctype html><html lang="en"><head><title>${name} | Orders API</title></head><body><main><h1>${name}</h1>` +
  `<p>What ${name} means for an order, and what comes back when the order ${name} is accepted by the service.</p>${PAGES.map((other) => `<a href="/docs/${other}.html">${other}</a>`).join(" ")}</main></body></html>`

const request = (agent: string, path: string, day: number, more: Partial<MadeRequest> = {}): MadeRequest =>
  madeRequest(agent, path, { time: new Date(Date.UTC(2026, 10, 1 + day)), status: 404, bytes: 400, ...more })

const daily = (times: number, ask: (day: number) => MadeRequest): ReadonlyArray<MadeRequest> =>
  Array.from({ length: 15 * times }, (_, index) => ask(index % 15))

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(LogSummary))

const logs = (...flags: ReadonlyArray<string>) =>
  runHere(["logs", "access.log", "--with", "report.json", ...flags], { cwd: root })

beforeAll(async () => {
  mkdirSync(join(root, "build/docs"), { recursive: true })
  writeFileSync(join(root, "build/index.html"), page("Start"))
  for (const name of PAGES) writeFileSync(join(root, `build/docs/${name}.html`), page(name))
  const audit = ["build", "--as", "https://docs.example.com", "--format", "json", "--output", "report.json", "--quiet"]
  expect((await runHere(audit, { cwd: root })).code).toBe(0)
  writeFileSync(
    join(root, "access.log"),
    madeLog("Caddy", [
      ...daily(4, (day) => request("ChatGPT-User", "/llms.txt", day)),
      ...daily(2, (day) => request("Claude-Code", "/docs/errors.md", day)),
      ...daily(1, (day) => request("GPTBot", "/errors", day)),
      ...daily(1, (day) => request("GPTBot", "/docs/guide.html", day, { status: 200 })),
      request("GPTBot", "/elsewhere", 3, { host: "www.example.com" })
    ])
  )
})

it("orders the findings of a report by how often agents meet them, and says what they meet", async () => {
  const { code, stderr, stdout } = await logs("--format", "json")
  expect([code, stderr]).toEqual([0, ""])
  const { report, requests } = decode(stdout)
  expect(requests).toMatchObject({ all: 120, other_hosts: 1 })
  const hits = report?.hits ?? []
  expect(hits.map(({ requests }) => requests)).toEqual(hits.map(({ requests }) => requests).toSorted((a, b) => b - a))
  const sentenceOf = (id: string) => hits.find(({ criterion }) => criterion === id)?.sentence
  expect(sentenceOf("A1")).toBe("/llms.txt is asked for 30 times a week and answers 404.")
  expect(sentenceOf("B1")).toBe(
    "/docs/errors.md is asked for 15 times a week and answers 404; most likely /docs/errors.html is meant."
  )
  expect(sentenceOf("E3")).toBe(
    "/errors is asked for 8 times a week and answers 404; most likely /docs/errors.html is meant."
  )
  expect(sentenceOf("D3")).toBe("The log shows no request that met it.")
})

it("counts the pages of the report's sample as known, so that those that no agent asked for are named", async () => {
  const { never_read: unread } = decode((await logs("--format", "json")).stdout)
  expect(unread).toEqual({ known: 4, unread: 3, paths: ["/", "/docs/errors.html", "/docs/keys.html"] })
})

it("prints the findings in every format", async () => {
  const text = (await logs()).stdout
  expect(text).toMatch(/Findings of the audit of \d{4}-\d\d-\d\d, by what agents meet\n +60 {2}A1 /)
  expect(text.replaceAll(/\s+/g, " ")).toContain("/llms.txt is asked for 30 times a week and answers 404.")
  expect(text).toMatch(/\n {2}The log shows no request that met what these found: .*D3/)
  const markdown = (await logs("--format", "markdown")).stdout
  expect(markdown).toMatch(/\| 60 \| A1 .* \| \+\d+ \| \/llms\.txt is asked for 30 times a week and answers 404\. \|/)
  expect((await logs("--format", "html")).stdout).toContain("/llms.txt is asked for 30 times a week")
})

it("refuses a file that is no report", async () => {
  writeFileSync(join(root, "other.json"), "{}")
  const { code, stderr } = await runHere(["logs", "access.log", "--with", "other.json"], { cwd: root })
  expect([code, stderr]).toEqual([
    2,
    expect.stringMatching(/^docgauge: other\.json is not a docgauge report in JSON: /)
  ])
})
