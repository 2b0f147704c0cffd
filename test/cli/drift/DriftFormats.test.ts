import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import AjvDraft04 from "ajv-draft-04"
import { describe, expect, it } from "vitest"
import { validateXML } from "xmllint-wasm"
import { type DriftOutcome, driftText } from "../../../cli/drift/DriftOutcome.ts"
import { driftGithub, driftJUnit, driftSarif } from "../../../cli/drift/PrintDrift.ts"
import { plain } from "../../../cli/render/Style.ts"
import { DRIFT_REASONS, type DriftFinding } from "../../../engine/drift/Drift.ts"

const HOST = "https://docs.crate-depot.example"
const SPEC_URL = `${HOST}/openapi.json`

const CALL: DriftFinding = {
  kind: "call",
  reason: "unknown_path",
  message: "/crates, line 4, calls GET /crate/c1, which the description does not have.",
  page: { url: `${HOST}/crates`, line: 4 },
  description: { url: SPEC_URL, pointer: "/paths/~1crates~1{id}/get" },
  found: "GET /crate/c1",
  expected: "",
  likely: "GET /crates/{id}"
}

const EXAMPLE: DriftFinding = {
  kind: "example",
  reason: "schema",
  message: "The example says nothing.",
  page: null,
  description: { url: "api/open api.yaml", pointer: "/paths/~1crates/get" },
  found: '""',
  expected: "an integer"
}

const FIGURE: DriftFinding = {
  kind: "figure",
  reason: "rate_limit",
  message: "/limits states 60 requests a minute, and /start states 90.",
  page: { url: `${HOST}/limits`, line: null },
  other: { url: `${HOST}/start`, line: 7 },
  description: null,
  found: "60",
  expected: "90"
}

const HOSTILE: DriftFinding = {
  kind: "call",
  reason: "wrong_type",
  message: "one\n::error::two \u0000\u001b[31m \uFFFE ]]> </failure> <b> \" ' & %0A",
  page: { url: `${HOST}/a b<>"{}|^\`\\`, line: 3 },
  description: { url: `${HOST}/x[0].json`, pointer: '/paths/~1"<>%\n::error::x' },
  found: "::set-output name=x::y\r\n::error::z",
  expected: "]]>",
  likely: "GET /<script>"
}

const outcome = (findings: ReadonlyArray<DriftFinding>, more: Partial<DriftOutcome> = {}): DriftOutcome => ({
  url: HOST,
  date: "2026-11-21",
  drift: { compared: 1_312, agreeing: 1_312 - findings.length, false: findings.length, not_compared: 41, findings },
  unlisted: 0,
  unread: null,
  fresh: new Set(findings),
  baseline: null,
  description: { place: SPEC_URL, hasOperations: true },
  because: new Map([
    ["ambiguous", 2],
    ["other_host", 39]
  ]),
  sources: new Map(),
  ...more
})

const OUTCOMES = [
  ["nothing", outcome([])],
  ["findings of each shape", outcome([CALL, EXAMPLE, FIGURE])],
  ["known findings", outcome([CALL, EXAMPLE], { fresh: new Set([CALL]), baseline: "drift.json" })],
  ["a hostile site", outcome([HOSTILE])]
] as const

interface Log {
  readonly runs: ReadonlyArray<{
    readonly tool: { readonly driver: { readonly rules: ReadonlyArray<{ readonly id: string }> } }
    readonly results: ReadonlyArray<{ readonly ruleId: string; readonly ruleIndex: number }>
  }>
}

const resultsOf = (some: DriftOutcome): Log["runs"][number]["results"] => {
  const { runs }: Log = JSON.parse(driftSarif(some))
  return runs.flatMap(({ results }) => results)
}

const textOf = (some: DriftOutcome): string => driftText(some, { style: plain, width: 300 })

describe.each(OUTCOMES)("the outputs of %s", (_, some) => {
  it("are SARIF that is valid by the schema of 2.1.0, with a rule for each result", () => {
    const require = createRequire(import.meta.url)
    const schema: object = JSON.parse(
      readFileSync(require.resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json"), "utf8")
    )
    const validate = new AjvDraft04.default({ strict: false, validateFormats: false, unicodeRegExp: false }).compile(
      schema
    )
    const log: Log = JSON.parse(driftSarif(some))
    validate(log)
    expect(validate.errors).toBeNull()
    const rules = log.runs.flatMap(({ tool }) => tool.driver.rules.map(({ id }) => id))
    expect(rules).toEqual(Object.keys(DRIFT_REASONS))
    for (const { ruleId, ruleIndex } of resultsOf(some)) expect(rules[ruleIndex]).toBe(ruleId)
  })

  it("are JUnit's XML that is valid by its schema", async () => {
    const { errors, valid } = await validateXML({
      xml: [{ fileName: "drift.xml", contents: driftJUnit(some) }],
      schema: [readFileSync(join(import.meta.dirname, "../render/report/junit.xsd"), "utf8")]
    })
    expect([valid, errors]).toEqual([true, []])
  })

  it("are annotations of one command a line, with escaped values", () => {
    for (const line of driftGithub(some).trimEnd().split("\n"))
      expect(line).toMatch(
        /^::(?:notice|warning|error) title=(?:[^%:,\r\n]|%(?:25|0D|0A|3A|2C))+::(?:[^%\r\n]|%(?:25|0D|0A))*$/
      )
  })

  it("are text without control characters", () => {
    expect(textOf(some)).not.toMatch(/[^\n\P{Cc}]/u)
  })
})

describe("SARIF's places", () => {
  const sources = (isAsWritten: boolean): DriftOutcome["sources"] =>
    new Map([[`${HOST}/crates`, { file: "docs/the crates.md", isAsWritten }]])

  it("are the source file with the line where the page is answered as it was written", () => {
    expect(resultsOf(outcome([CALL], { sources: sources(true) }))).toMatchObject([
      {
        locations: [
          { physicalLocation: { artifactLocation: { uri: "docs/the%20crates.md" }, region: { startLine: 4 } } }
        ]
      }
    ])
  })

  it("are the source file's first line where the page was made from it, and a path made of the page's URL without a source file, which the message has", () => {
    expect(resultsOf(outcome([CALL], { sources: sources(false) }))).toMatchObject([
      { locations: [{ physicalLocation: { region: { startLine: 1 } } }] }
    ])
    expect(resultsOf(outcome([CALL]))).toMatchObject([
      { message: { text: expect.stringContaining(` (${HOST}/crates)`) } }
    ])
    expect(resultsOf(outcome([CALL]))).toMatchObject([
      {
        locations: [
          {
            physicalLocation: { artifactLocation: { uri: "docs.crate-depot.example/crates" }, region: { startLine: 1 } }
          }
        ]
      }
    ])
  })

  it("have the description, or the other page, as a related location", () => {
    expect(resultsOf(outcome([CALL, FIGURE]))).toMatchObject([
      {
        relatedLocations: [
          {
            physicalLocation: { artifactLocation: { uri: "docs.crate-depot.example/openapi.json" } },
            logicalLocations: [{ fullyQualifiedName: "/paths/~1crates~1{id}/get" }]
          }
        ]
      },
      { relatedLocations: [{ physicalLocation: { artifactLocation: { uri: "docs.crate-depot.example/start" } } }] }
    ])
  })

  it("of an example are in the description, whose file is relative", () => {
    const [result] = resultsOf(outcome([EXAMPLE]))
    expect(result).toMatchObject({
      locations: [
        {
          physicalLocation: { artifactLocation: { uri: "api/open%20api.yaml" } },
          logicalLocations: [{ fullyQualifiedName: "/paths/~1crates/get" }]
        }
      ]
    })
    expect(result).not.toHaveProperty("relatedLocations")
  })

  it("say with a baseline which results are new", () => {
    const [, , [, known]] = OUTCOMES
    expect(resultsOf(known)).toMatchObject([{ baselineState: "new" }, { baselineState: "unchanged" }])
  })
})

describe("the other outputs", () => {
  it("fail for new findings alone: JUnit, annotations and text", () => {
    const [, , [, known]] = OUTCOMES
    const xml = driftJUnit(known)
    expect([xml.match(/<failure /g)?.length, xml.match(/<skipped /g)?.length]).toEqual([1, 1])
    const annotations = driftGithub(known)
    expect([annotations.match(/^::error /gm)?.length, annotations.match(/^::warning /gm)?.length]).toEqual([1, 1])
    expect(textOf(known)).toContain("GET /crate/c1")
    expect(textOf(known)).not.toContain(EXAMPLE.message)
  })

  it("give counts first, and why calls were not compared", () => {
    expect(
      textOf(outcome([CALL]))
        .split("\n")
        .slice(0, 3)
    ).toEqual([
      "1,312 compared: 1,311 agree, 1 is false. 41 not compared.",
      `Compared with ${SPEC_URL}.`,
      "Calls not compared: 39 to another host, 2 that may mean several operations."
    ])
  })

  it("name what may be the description and could not be read", () => {
    const unread = `${HOST}/v2/openapi.json`
    expect(textOf(outcome([], { description: null, unread }))).toContain(
      `\n${unread} may be one, and could not be read.\n`
    )
    expect(textOf(outcome([], { unread }))).toContain(`\n${unread} may be a better one, and could not be read.\n`)
  })

  it("say how many false examples are counted and not listed", () => {
    expect(textOf(outcome([EXAMPLE], { unlisted: 12 }))).toContain(
      "\n12 more false examples of the description are not listed.\n"
    )
  })

  it("ask if a call means the likely operation, unless its sentence names that", () => {
    expect(textOf(outcome([CALL]))).toContain("    Does it mean GET /crates/{id}?\n")
    expect(textOf(outcome([{ ...CALL, message: "The nearest is GET /crates/{id}." }]))).not.toContain("Does it mean")
  })

  it("say of a description without HTTP operations that calls were not compared with it", () => {
    const some = outcome([], { description: { place: "events.yaml", hasOperations: false } })
    expect(textOf(some)).toContain(
      "Compared with events.yaml, which has no HTTP operations, so calls and tables were not compared.\n"
    )
  })
})
