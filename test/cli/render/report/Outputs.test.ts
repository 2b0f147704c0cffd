import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import AjvDraft04 from "ajv-draft-04"
import Ajv2020 from "ajv/dist/2020.js"
import * as Schema from "effect/Schema"
import { load } from "cheerio"
import { describe, expect, it } from "vitest"
import { validateXML } from "xmllint-wasm"
import { reportFormats, type RenderOptions } from "../../../../cli/audit/ReportFormats.ts"
import { annotationRooms } from "../../../../cli/render/report/GithubAnnotations.ts"
import { judgeGoals, NO_GOALS } from "../../../../cli/gate/Gates.ts"
import { plain } from "../../../../cli/render/Style.ts"
import { AuditReport, reportJsonSchema } from "../../../../engine/audit/Report.ts"
import { ENGINE_VERSION } from "../../../../engine/audit/Version.ts"
import { renderPage } from "../../../../engine/report/html/Html.ts"
import { reportPage } from "../../../../server/pages/report/ReportPage.ts"
import { reportView } from "../../../../engine/report/ReportView.ts"
import { someCriterion, someReport } from "../../../audit/SomeReport.ts"
import { htmlFaults } from "../../../server/pages/htmlCheck.ts"

const here = (name: string): string => join(import.meta.dirname, name)

const reportIn = (file: string): AuditReport =>
  Schema.decodeUnknownSync(Schema.fromJsonString(AuditReport))(readFileSync(here(file), "utf8"))

const typical = reportIn("../../../golden/typical/report.json")
const poor = reportIn("../../../golden/poor/report.json")

/** Some goals are met and some are missed, and one criterion is waived. */
const optionsFor = (report: AuditReport): RenderOptions => ({
  width: 100,
  style: plain,
  words: { verdicts: [], why: new Map([["A1", "An agent reads `llms.txt` first."]]) },
  gate: judgeGoals(
    report,
    null,
    { ...NO_GOALS, score: 20, categories: { C: 20 }, criteria: { A1: "present", B1: "partial" } },
    [
      { criterion: "B1", reason: "Not before Q3", until: "2099-12-31" },
      { criterion: "F1", reason: "Was due", until: "2020-01-01" }
    ]
  )
})

const rendered = async (format: keyof typeof reportFormats, report: AuditReport): Promise<string> =>
  (await reportFormats[format].load())(report, optionsFor(report))

const ENDINGS = {
  text: "txt",
  markdown: "md",
  junit: "xml",
  sarif: "sarif",
  html: "html",
  github: "github.txt"
} as const

/** What a hostile site can get into a report. */
const hostile = someReport({
  base_url: "https://docs.example.com/%3Cscript%3E?a=1,b:2",
  criteria: [
    someCriterion({
      id: "A1",
      status: "absent",
      score: 0,
      title: "T,i:t%le ]]> <b>",
      summary: "one\n::error::two \u0000\u0008\u001b[31m \uFFFE ]]> </script><script>alert(1)</script> \" ' & %0A",
      evidence_url: 'https://docs.example.com/a b<>"{}|^`\\',
      findings: [
        {
          url: 'https://docs.example.com/a b<>"{}|^`\\',
          status: 200,
          note: "::set-output name=x::y\r\n::error::z",
          good: false
        }
      ]
    })
  ]
})

const REPORTS = [
  ["typical", typical],
  ["poor", poor],
  ["hostile", hostile]
] as const

describe("the outputs for a small report", () => {
  // Update with `npx vitest run test/cli/render/report -u`; the report that they are made from does not change.
  it.each(Object.entries(ENDINGS))("are the kept ones as %s", async (format, ending) => {
    const text = await rendered(
      Schema.decodeUnknownSync(Schema.Literals(["text", "markdown", "junit", "sarif", "html", "github"]))(format),
      reportIn("golden/small.json")
    )
    await expect(text.replace(/<style>[^]*?<\/style>/, "<style></style>")).toMatchFileSnapshot(
      here(`golden/small.${ending}`)
    )
  })
})

describe.each(REPORTS)("of a %s report", (_, report) => {
  it("JSON is the report and no more, and is valid by the schema of the package that it names", async () => {
    const { $schema, ...rest }: Readonly<Record<string, unknown>> = JSON.parse(await rendered("json", report))
    expect(rest).toEqual(JSON.parse(JSON.stringify(report)))
    expect($schema).toBe(`https://unpkg.com/docgauge@${ENGINE_VERSION}/dist/report.schema.json`)
    const validate = new Ajv2020.default({ strict: false, validateFormats: false }).compile(reportJsonSchema())
    validate({ $schema, ...rest })
    expect(validate.errors).toBeNull()
  })

  it("JUnit's XML is valid by its schema", async () => {
    const { errors, valid } = await validateXML({
      xml: [{ fileName: "report.xml", contents: await rendered("junit", report) }],
      schema: [readFileSync(here("junit.xsd"), "utf8")]
    })
    expect([valid, errors]).toEqual([true, []])
  })

  it("SARIF is valid by the schema of 2.1.0", async () => {
    const schema: unknown = JSON.parse(
      readFileSync(
        createRequire(import.meta.url).resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"),
        "utf8"
      )
    )
    const validate = new AjvDraft04.default({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(
      Object(schema)
    )
    validate(JSON.parse(await rendered("sarif", report)))
    expect(validate.errors).toBeNull()
  })

  it("HTML is valid, loads nothing and runs nothing", async () => {
    const text = await rendered("html", report)
    expect(await htmlFaults(text)).toEqual([])
    expect(text).not.toMatch(/<script|<link|<img|\bsrc=|url\(|@import/i)
  })

  it("GitHub's annotations are one command a line, with escaped values", async () => {
    const lines = (await rendered("github", report)).trimEnd().split("\n")
    expect(lines[0]).toMatch(/^::notice title=docgauge::/)
    for (const line of lines)
      expect(line).toMatch(
        /^::(?:notice|warning|error) title=(?:[^%:,\r\n]|%(?:25|0D|0A|3A|2C))+::(?:[^%\r\n]|%(?:25|0D|0A))*$/
      )
  })
})

describe("the annotations of several sites in one step", () => {
  const judged = (report: AuditReport) => ({ report, gate: judgeGoals(report, null, NO_GOALS) })
  const few = someReport({ criteria: [someCriterion({ id: "A1" })] })

  it("are ten of a kind in all, given in turns, so that each site has its own", () => {
    const warnings = (reports: ReadonlyArray<AuditReport>) =>
      annotationRooms(reports.map(judged)).map((room) => room.warnings)
    expect(warnings([poor, poor])).toEqual([5, 5])
    expect(warnings([poor, few, poor])).toEqual([5, 1, 4])
    expect(warnings(Array.from({ length: 12 }, () => poor))).toEqual([...Array.from({ length: 10 }, () => 1), 0, 0])
  })

  it("leave room among the notices for the score of each site", () => {
    const trials = Array.from({ length: 12 }, (_, index) => someCriterion({ id: `D${index + 8}`, status: "absent" }))
    const report = someReport({ criteria: [], experimental: trials })
    expect(annotationRooms([judged(report), judged(report)]).map((room) => room.trials)).toEqual([4, 4])
  })
})

describe("SARIF's results", () => {
  it("of a waived criterion are suppressed with its reason and last day", async () => {
    const log: {
      readonly runs: ReadonlyArray<{
        readonly results: ReadonlyArray<{ readonly ruleId: string; readonly suppressions?: unknown }>
      }>
    } = JSON.parse(await rendered("sarif", poor))
    const results = log.runs[0]?.results ?? []
    expect(results.some(({ ruleId }) => ruleId === "B1")).toBe(true)
    for (const { ruleId, suppressions } of results) {
      expect(suppressions).toEqual(
        ruleId === "B1"
          ? [{ kind: "external", status: "accepted", justification: "until 2099-12-31: Not before Q3" }]
          : undefined
      )
    }
  })
})

describe("a report of met goals with a waiver", () => {
  const report = poor
  const waivers = [{ criterion: "B1", reason: "Not before Q3", until: "2099-12-31" }]
  const options = {
    ...optionsFor(report),
    gate: judgeGoals(report, null, { ...NO_GOALS, criteria: { B1: "partial" } }, waivers)
  }
  const named = "Goals met with waivers: B1 (5 points, until 2099-12-31)."

  it("names it above the report in HTML", async () => {
    const file = (await reportFormats.html.load())(report, options)
    expect(load(file)("[aria-label=Gate]").text()).toBe(named)
    expect(await htmlFaults(file)).toEqual([])
  })

  it("names it in Markdown", async () => {
    expect((await reportFormats.markdown.load())(report, options).replaceAll("*", "")).toContain(named)
  })
})

describe("a house rule on trial", () => {
  const trial = (id: string, status: "present" | "absent") =>
    someCriterion({
      id,
      status,
      score: status === "present" ? 2 : 0,
      max: 2,
      title: "Publish a glossary",
      summary: "No page has a glossary.",
      findings: [{ url: "https://docs.example.com/a", status: 200, note: "No glossary.", good: false }]
    })
  const report = someReport({
    criteria: [someCriterion({ id: "A1" })],
    experimental: [trial("B6", "absent"), trial("D8", "absent"), trial("D9", "present")]
  })

  it("is a notice in GitHub's annotations where it is not met; a published criterion on trial is none", async () => {
    const lines = (await rendered("github", report)).split("\n")
    expect(lines.filter((line) => line.includes("on trial"))).toEqual([
      expect.stringMatching(/^::notice title=D8 Publish a glossary \(on trial\)::No page has a glossary\./)
    ])
  })

  it("is a note in SARIF, of a rule without points", async () => {
    const { results, tool } = JSON.parse(await rendered("sarif", report)).runs[0]
    expect(tool.driver.rules.slice(1)).toMatchObject([
      { id: "D8", defaultConfiguration: { level: "note" }, properties: { points: 0 } },
      { id: "D9" }
    ])
    expect(results.filter(({ ruleId }: { readonly ruleId: string }) => ruleId !== "A1")).toMatchObject([
      { ruleId: "D8", ruleIndex: 1, level: "note", message: { text: "No glossary. (https://docs.example.com/a)" } }
    ])
  })

  it("is a test in JUnit that is skipped where it is not met, and never fails", async () => {
    const xml = await rendered("junit", report)
    expect(xml).toMatch(/<testsuite name="On trial \(without points\)" tests="2" failures="0" errors="0" skipped="1"/)
    expect(xml).toContain('<skipped message="absent. No page has a glossary."/>')
  })
})

describe("SARIF's locations", () => {
  /** RFC 3986, a relative reference: its first segment has no colon. */
  const URI = /^(?!\/)(?:[\w\-.~@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+(?:\/(?:[\w\-.~:/?@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*)?$/

  const locationsOf = async (url: string, pages: AuditReport["pages"] = []): Promise<ReadonlyArray<unknown>> => {
    const criterion = someCriterion({
      id: "A1",
      status: "absent",
      score: 0,
      findings: [{ url, status: 200, note: "Bad.", good: false }]
    })
    const log: {
      readonly runs: ReadonlyArray<{ readonly results: ReadonlyArray<{ readonly locations: ReadonlyArray<unknown> }> }>
    } = JSON.parse(await rendered("sarif", someReport({ criteria: [criterion], pages })))
    return log.runs[0]?.results.flatMap(({ locations }) => locations) ?? []
  }

  it.each([
    ["https://docs.example.com/", "docs.example.com/"],
    ["https://docs.example.com/a[0]?b=[1]&c=%#d[2]%", "docs.example.com/a%5B0%5D?b=%5B1%5D&c=%25"],
    ["https://docs.example.com/100%/50%2x?%zz", "docs.example.com/100%25/50%252x?%25zz"],
    ['https://docs.example.com/a b<>"{}|^\u0060\\x', "docs.example.com/a%20b%3C%3E%22%7B%7D%7C%5E%60/x"],
    ["http://[::1]:8080/a#b#c", "--1/a"],
    ["https://user:secret@docs.example.com/a", "docs.example.com/a"],
    ["https://docs.example.com/caf\u00e9/%E6%97%A5", "docs.example.com/caf%C3%A9/%E6%97%A5"],
    ["javascript:alert(1)", "unknown"]
  ])("of %s is a relative reference by RFC 3986, which GitHub takes from a checkout", async (url, uri) => {
    expect(await locationsOf(url)).toMatchObject([{ physicalLocation: { artifactLocation: { uri } } }])
    expect(uri).toMatch(URI)
  })

  it("have the URL in the message, however long that is", async () => {
    const long = `https://docs.example.com/${"a".repeat(2_000)}`
    for (const [url, note] of [
      ["https://docs.example.com/guide", "It lacks a title."],
      [long, "x".repeat(2_000)]
    ] as const) {
      const findings = [{ url, status: 200, note, good: false }]
      const report = someReport({ criteria: [someCriterion({ id: "A1", status: "absent", score: 0, findings })] })
      const [{ message }] = JSON.parse(await rendered("sarif", report)).runs[0].results
      expect(message.text.length).toBeLessThanOrEqual(1_000)
      expect(message.text).toContain(
        url === long ? " (https://docs.example.com/aaa" : "It lacks a title. (https://docs.example.com/guide)"
      )
    }
  })

  it("are in the order of the rubric, as the view of the report has what speaks against the site", async () => {
    const { results } = JSON.parse(await rendered("sarif", typical)).runs[0]
    expect(results.map(({ ruleId }: { readonly ruleId: string }) => ruleId)).toEqual(
      reportView(typical).missed.map(({ criterion }) => criterion.id)
    )
  })

  it("are the source files of pages that link to them, with the page's URL beside", async () => {
    const url = "https://docs.example.com/guide"
    const page = {
      url,
      status: 200,
      title: "Guide",
      bytes: 1,
      source: "docs/a b/[x] 100%.md",
      tokens: { html: 1, markdown: null },
      failed: ["A1"]
    }
    expect(await locationsOf(url, [page])).toMatchObject([
      {
        physicalLocation: { artifactLocation: { uri: "docs/a%20b/%5Bx%5D%20100%25.md" }, region: { startLine: 1 } },
        logicalLocations: [{ fullyQualifiedName: url }]
      }
    ])
    expect(await locationsOf("https://docs.example.com/other", [page])).toMatchObject([
      { physicalLocation: { artifactLocation: { uri: "docs.example.com/other" } } }
    ])
  })
})

describe("the outputs and the exit code", () => {
  it("agree: JUnit fails and GitHub shows errors for missed goals alone", async () => {
    const report = typical
    const missed = optionsFor(report).gate.checks.filter(({ outcome }) => outcome === "missed").length
    expect(missed).toBeGreaterThan(0)
    expect((await rendered("junit", report)).match(/<failure /g)).toHaveLength(missed)
    expect((await rendered("github", report)).match(/^::error /gm)).toHaveLength(missed)
    const met = { ...optionsFor(report), gate: judgeGoals(report, null, NO_GOALS) }
    expect((await reportFormats.junit.load())(report, met)).not.toContain("<failure")
    expect((await reportFormats.github.load())(report, met)).not.toContain("::error")
  })
})

describe("the HTML file", () => {
  it("shows what the page of the service shows, apart from links to the service", async () => {
    const report = typical
    const { words } = optionsFor(report)
    const run = {
      id: "0198c0de-0000-7000-8000-000000000000",
      status: "done",
      url: report.base_url,
      site: "docs.example.com",
      domain: "example.com",
      rubricDigest: report.rubric.digest,
      asAgents: false,
      startedAt: "2026-11-21T10:00:00.000000Z",
      finishedAt: "2026-11-21T10:01:00.000000Z",
      attempts: 1,
      progress: { done: 30, total: 30 },
      totalScore: report.total_score,
      reliable: true,
      error: null
    } as const
    const page = renderPage(
      reportPage({
        report,
        words,
        run,
        history: [],
        standing: { sites: 40, below: 31, averageScore: 31 },
        means: { sites: 40, shares: { A: 0.45 } },
        hasArchive: false,
        verification: null,
        versions: new Map(),
        change: null,
        hasContact: false,
        rubricPath: null,
        base: "https://docgauge.example"
      })
    )
    const article = (text: string): string => {
      const $ = load(text)
      $("[data-service]").remove()
      return ($("article.report").html() ?? "").replaceAll(/\s+/g, " ")
    }
    const file = await rendered("html", report)
    expect(article(file).length).toBeGreaterThan(20_000)
    expect(article(page)).toBe(article(file))
    expect(load(file)("[data-service], [href^='/'], [src], script").length).toBe(0)
  })
})
