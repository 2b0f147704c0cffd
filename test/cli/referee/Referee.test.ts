import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { afdocs, lighthouse, redocly, typical } from "../../referee/SomeReports.ts"
import { runHere } from "../RunHere.ts"

const folder = mkdtempSync(join(tmpdir(), "docgauge-referee-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const fileOf = (name: string, report: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify(report))
  return path
}

const TYPICAL = fileOf("docgauge.json", typical)

const theirs = fileOf(
  "afdocs.json",
  afdocs(
    ["http-status-codes", "fail", "1 of 8 pages return 200"],
    ["llms-txt-links-resolve", "pass", "All links resolve"],
    ["cache-header-hygiene", "warn", "2 of 8"],
    ["llms-txt-exists", "pass"],
    ["markdown-url-support", "fail"],
    ["content-negotiation", "skip"],
    ["markdown-code-fence-validity", "fail"],
    ["tabbed-content-serialization", "fail"],
    ["brand-new-check", "fail"]
  )
)

describe("docgauge referee", () => {
  it("says first how far the scores are apart and where the points are", async () => {
    const { code, stdout } = await runHere(["referee", TYPICAL, theirs])
    expect(code).toBe(0)
    const lines = stdout.split("\n")
    expect(lines[2]).toBe("docgauge 44 of 100, AFDocs 90: 46 points apart.")
    expect(lines[3]).toBe("Of the 56 points that docgauge does not give:")
    expect(lines[4]).toMatch(/^ +\d+ for what AFDocs does not look at: A2 \(2\), /)
    expect(stdout).toContain("Only AFDocs, and not passed there (1)\n  tabbed-content-serialization: docgauge ")
  })

  it("tells each check that the two judge differently, with both words and the exchange", async () => {
    const { stdout } = await runHere(["referee", TYPICAL, theirs])
    expect(stdout).toContain("They contradict each other: ask again, the exchange decides (1)\n  http-status-codes")
    expect(stdout).toContain("     AFDocs: 1 of 8 pages return 200\n     docgauge: Made-up URLs return 404")
    expect(stdout).toMatch(/ {7}404 https:\/\/docs\.foliopress-api\.com\/docs\/latest\/\S+canary/)
    expect(stdout).toMatch(/Ask again: curl -sSgi .*canary/)
    expect(stdout).toContain("docgauge asks for more, or for something else (1)\n  llms-txt-links-resolve")
    expect(stdout).toContain("AFDocs asks for more, or for something else (1)\n  cache-header-hygiene")
    expect(stdout).toContain(
      "Both pass 1 check: llms-txt-exists (A1).\nNeither passes 1 check, if not always for the same reason: markdown-url-support"
    )
    expect(stdout).toContain("AFDocs has no verdict on: content-negotiation.")
    expect(stdout).toContain("docgauge has no verdict (1)\n  markdown-code-fence-validity (B3): There is nothing")
    expect(stdout).toContain("docgauge does not know these checks: brand-new-check.")
  })

  it("takes several reports, and has a section for each", async () => {
    const others = [theirs, fileOf("lighthouse.json", lighthouse), fileOf("redocly.json", redocly(["struct", "error"]))]
    const { stdout } = await runHere(["referee", TYPICAL, ...others, "--format", "markdown"])
    expect(stdout.split("\n").filter((line) => line.startsWith("## "))).toEqual([
      "## AFDocs",
      "## Lighthouse",
      "## Redocly CLI"
    ])
    expect(stdout).toContain("Lighthouse (13.5.0): Agentic Browsing 100, SEO 92 and Accessibility 50.")
    expect(stdout).toContain("Left out: 1 check of accessibility.")
    expect(stdout).toContain("Redocly CLI (2.77.0) gives no score in this report.")
  })

  it("prints JSON of the same", async () => {
    const { stdout } = await runHere(["referee", TYPICAL, theirs, "--format", "json"])
    expect(JSON.parse(stdout)).toMatchObject({ total_score: 44, tools: [{ tool: "afdocs", same_site: true }] })
  })

  it("says if a report is about another site", async () => {
    const other = fileOf("other.json", { ...afdocs(["llms-txt-exists", "pass"]), url: "https://other.example" })
    const { stdout } = await runHere(["referee", TYPICAL, other])
    expect(stdout.replaceAll("\n", " ")).toContain("AFDocs https://other.example. What follows says little.")
  })

  it("shows a report that was made to do harm as text that does none", async () => {
    const harm = "\u001b[31m| <script>alert(1)</script> [link](javascript:alert(1)) \u202e`code`"
    const hostile = fileOf("hostile.json", {
      ...afdocs(["http-status-codes", "fail", harm], [harm, "fail", harm]),
      url: `https://other.example/${harm}`
    })
    const text = (await runHere(["referee", TYPICAL, hostile, "--no-color"])).stdout
    expect(text).not.toMatch(/[\u001b\u202e]/u)
    const markdown = (await runHere(["referee", TYPICAL, hostile, "--format", "markdown"])).stdout
    expect(markdown).toContain("script")
    expect(markdown).not.toMatch(/(?<!\\)<script|(?<!\\)\[link/)
  })

  it("refuses a file that is no tool's report, or another shape of one, and says what to do", async () => {
    const none = await runHere(["referee", TYPICAL, fileOf("none.json", { some: "thing" })])
    expect(none).toMatchObject({ code: 2, stdout: "" })
    expect(none.stderr).toMatch(
      /none\.json is neither an audit report .* nor one of a tool that docgauge knows: AFDocs, /
    )
    const own = await runHere(["referee", TYPICAL, TYPICAL])
    expect(own).toEqual({
      code: 2,
      stdout: "",
      stderr: `docgauge: ${TYPICAL} is a report in docgauge's own shape. To compare it with another, run: docgauge compare OURS.json ${TYPICAL}\n`
    })
    const odd = await runHere(["referee", TYPICAL, fileOf("odd.json", { specUrl: 1, results: 2, summary: 3 })])
    expect(odd.code).toBe(2)
    expect(odd.stderr).toMatch(/looks like a report of AFDocs, .* Get it with: npx afdocs check URL/)
  })
})

describe("docgauge compare", () => {
  it("knows the reports of the same tools", async () => {
    const compared = await runHere(["compare", TYPICAL, theirs])
    expect(compared).toEqual(await runHere(["referee", TYPICAL, theirs]))
    expect(compared.code).toBe(0)
  })

  it("still compares two reports of docgauge", async () => {
    expect((await runHere(["compare", TYPICAL, TYPICAL])).stdout).toContain("30 of 30 criteria are as before")
  })

  it("refuses a newer rubric with them, which would change nothing", async () => {
    const { code, stderr } = await runHere(["compare", TYPICAL, theirs, "--rubric", "rubric.yaml"])
    expect(code).toBe(2)
    expect(stderr).toMatch(/--rubric is for two reports of docgauge, and .*afdocs\.json is one of another tool\./)
  })

  it("refuses what is neither", async () => {
    expect((await runHere(["compare", TYPICAL, fileOf("neither.json", [1])])).code).toBe(2)
  })
})
