import type * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import { ENGINE_VERSION } from "../../engine/audit/Version.ts"
import { DRIFT_KINDS, DRIFT_REASONS, type DriftFinding, type DriftKind } from "../../engine/drift/Drift.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { FILE_SHAPE } from "../audit/PrintReport.ts"
import type { CliFailure } from "../io/CliFailure.ts"
import { writeTextFile } from "../io/Files.ts"
import { writeOut } from "../io/Stdout.ts"
import { command, SHOWN_ANNOTATIONS } from "../render/report/GithubAnnotations.ts"
import { junitXml, type TestCase, type TestSuite } from "../render/report/JUnit.ts"
import { fingerprints, locationOf, messageAt, pascal, SARIF_TEXT, sarifLog } from "../render/report/ReportSarif.ts"
import { outputStyle, terminalWidth } from "../render/Style.ts"
import type { TextOptions } from "../render/TextReport.ts"
import { type DriftFlags, pluralOf } from "./DriftFlags.ts"
import {
  countsText,
  descriptionPlace,
  type DriftOutcome,
  driftText,
  keyOf,
  knownFindings,
  likelyText,
  remarks,
  sourceLine
} from "./DriftOutcome.ts"

type DriftFormat = DriftFlags["format"]

type DriftRenderer = (outcome: DriftOutcome, shape: Pick<TextOptions, "style" | "width">) => string

/** Counts and findings, as `--baseline` reads them. */
const driftJson = ({ drift }: Pick<DriftOutcome, "drift">): string => `${JSON.stringify(drift, null, 2)}\n`

/** Workflow commands of GitHub Actions, a line each: a notice with the counts, an error for each new finding, a warning for each that is known. */
export const driftGithub = (outcome: DriftOutcome): string => {
  const annotation = (kind: "error" | "warning") => (finding: DriftFinding) =>
    command(kind, `docgauge drift: ${finding.kind}, ${DRIFT_REASONS[finding.reason]}`, textOf(finding))
  return `${[
    command("notice", "docgauge drift", [`${countsText(outcome)} ${outcome.url}`, ...remarks(outcome)].join("\n")),
    ...[...outcome.fresh].slice(0, SHOWN_ANNOTATIONS).map(annotation("error")),
    ...knownFindings(outcome).slice(0, SHOWN_ANNOTATIONS).map(annotation("warning"))
  ].join("\n")}\n`
}

const textOf = (finding: DriftFinding): string => {
  const { description, message, page } = finding
  return [
    message,
    likelyText(finding),
    page === null ? "" : `Page: ${page.url}`,
    description === null ? "" : `Description: ${descriptionPlace(description)}`
  ]
    .filter((line) => line !== "")
    .join("\n")
}

/** Test results: a test for each kind and page with findings, which fails if one is new, and one for all that agrees. */
export const driftJUnit = (outcome: DriftOutcome): string => {
  const suites = DRIFT_KINDS.map((kind): TestSuite => ({ name: pluralOf(kind), cases: casesOf(kind, outcome) }))
  const agreement: TestSuite = { name: "all", cases: [{ name: countsText(outcome), outcome: null }] }
  return junitXml(`drift ${outcome.url}`, [agreement, ...suites.filter(({ cases }) => cases.length > 0)], {
    audit_date: outcome.date,
    base_url: outcome.url
  })
}

const casesOf = (kind: DriftKind, { drift, fresh }: DriftOutcome): ReadonlyArray<TestCase> => {
  const findings = drift.findings.filter((finding) => finding.kind === kind)
  const places = Map.groupBy(findings, ({ description, page }) => page?.url ?? description?.url ?? "")
  return [...places].map(([name, all]): TestCase => {
    const failing = all.filter((finding) => fresh.has(finding))
    return failing.length === 0
      ? { name, outcome: { tag: "skipped", message: `Known: ${messages(all)}` } }
      : { name, outcome: { tag: "failure", message: messages(failing) } }
  })
}

const messages = (findings: ReadonlyArray<DriftFinding>): string => findings.map(({ message }) => message).join(" ")

/** The findings as a log in SARIF 2.1.0, for code scanning: a rule for each reason, a result for each finding at its page, with the description beside it. */
export const driftSarif = (outcome: DriftOutcome): string => {
  const { compared, agreeing, false: wrong, findings, not_compared: notCompared } = outcome.drift
  return sarifLog({
    version: ENGINE_VERSION,
    id: `docgauge/drift/${plainText(outcome.url, 500)}/`,
    rules: RULES,
    results: findings.map((finding) => resultOf(finding, outcome)),
    properties: { compared, agreeing, false: wrong, notCompared }
  })
}

const REASONS = Object.keys(DRIFT_REASONS)

const RULES = Object.entries(DRIFT_REASONS).map(([id, meaning]) => ({
  id,
  name: pascal(id),
  shortDescription: { text: meaning },
  defaultConfiguration: { level: "warning" },
  properties: { tags: ["documentation", "drift"] }
}))

const resultOf = (finding: DriftFinding, { baseline, fresh, sources }: DriftOutcome) => {
  const { reason } = finding
  const related = relatedOf(finding)
  return {
    ruleId: reason,
    ruleIndex: REASONS.indexOf(reason),
    level: "warning",
    message: { text: told(finding) },
    locations: placesOf(finding, sources),
    ...(related.length === 0 ? {} : { relatedLocations: related }),
    partialFingerprints: fingerprints([keyOf(finding)]),
    ...(baseline === null ? {} : { baselineState: fresh.has(finding) ? "new" : "unchanged" })
  }
}

/** The message with the URL of the page, or of the description where no page has it. */
const told = (finding: DriftFinding): string => {
  const url = finding.page?.url ?? finding.description?.url
  const text = [finding.message, likelyText(finding)].join(" ").trim()
  return url !== undefined && URL.canParse(url) ? messageAt(text, url) : plainText(text, SARIF_TEXT)
}

/** The page, or the description for an example of it. */
const placesOf = (finding: DriftFinding, sources: DriftOutcome["sources"]) => {
  const { description, page } = finding
  if (page === null) return description === null ? [] : [inDescription(description)]
  const source = sources.get(page.url)
  const line = source?.isAsWritten === true ? page.line : sourceLine(source?.lines ?? [], finding)
  return [locationOf(page.url, source?.file ?? null, line ?? 1)]
}

const relatedOf = ({ description, other, page }: DriftFinding) =>
  [
    ...(page === null || description === null
      ? []
      : [{ ...inDescription(description), message: { text: "The API description" } }]),
    ...(other === undefined || other === null
      ? []
      : [{ ...locationOf(other.url, null), message: { text: "The other page" } }])
  ].map((location, id) => ({ id, ...location }))

/** A place in the description: at its URL, or in the file of `--spec`. */
const inDescription = ({ pointer, url }: NonNullable<DriftFinding["description"]>) => ({
  ...locationOf(url, URL.canParse(url) ? null : url),
  logicalLocations: [{ fullyQualifiedName: plainText(pointer === "" ? "/" : pointer, SARIF_TEXT), kind: "member" }]
})

const RENDERERS: Readonly<Record<DriftFormat, DriftRenderer>> = {
  text: driftText,
  json: driftJson,
  sarif: driftSarif,
  github: driftGithub,
  junit: driftJUnit
}

/** Prints what was found, or writes it to the file of `--output`. */
export const printDrift = (
  outcome: DriftOutcome,
  { format, noColor, output }: Pick<DriftFlags, "format" | "noColor" | "output">
): Effect.Effect<void, CliFailure, FileSystem.FileSystem> => {
  const render = RENDERERS[format]
  return Option.match(output, {
    onNone: () => writeOut(render(outcome, { width: terminalWidth(), style: outputStyle(noColor) }), format),
    onSome: (path) => writeTextFile(path, render(outcome, FILE_SHAPE))
  })
}
