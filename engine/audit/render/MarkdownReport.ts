import {
  agentsSentence,
  answerWords,
  applicableText,
  concernedUrls,
  cutAnswers,
  driftSentence,
  flagTexts,
  MATRIX_NOTE,
  recipeTexts
} from "./SectionWords.ts"
import type { AsAgentsReport } from "../agents/AsAgents.ts"
import { rubricName } from "./RubricName.ts"
import { effortText, USUAL_EFFORT } from "../../rubric/definition/Rubric.ts"
import { type Fix, fixList, gainText, includesText, trialsToTell } from "../FixFirst.ts"
import { enumerated, grouped } from "../../plugin/Wording.ts"
import { clipped, clippedProse, escapeMarkdown, inlineCode, markdownTable } from "../../text/MarkdownText.ts"
import { plainText } from "../../text/PlainText.ts"
import { readingCostText } from "../ReadingCost.ts"
import type { AuditReport, CriterionResult } from "../Report.ts"

/** Characters of the whole report, at 3.6 to the token: some 2,000 tokens, which an agent reads without a second thought. */
const LENGTH = 7_100

/** The longest summary that is shown; a site has a say in how long they are. */
const SUMMARY = 260

/** The same where a fix has one line only. */
const SHORT_SUMMARY = 130

/** URLs that are shown with a fix, and with one that has one line only. */
const ADDRESSES = 3
const SHORT_ADDRESSES = 1

/** How a report is written for a certain reader. */
interface MarkdownOptions {
  /** How text that the site influenced is written on one line; escaped unless given otherwise. */
  readonly quote?: (text: string) => string
  /** A paragraph after the head; none where it is missing. */
  readonly note?: string
}

/**
 * The report for agents and pull requests: the score in the first line, then what to fix first, each with evidence and the
 * steps that are left. The first are shown in full as far as there is room; the others have a line each. Titles and steps
 * are the rubric's own words and Markdown as they are; what came from the site is escaped.
 */
export const renderMarkdown = (
  report: AuditReport,
  { note = "", quote = escapeMarkdown }: MarkdownOptions = {}
): string => {
  const origin = originOf(report)
  const { fixes, notApplicable, notChecked } = fixList(report)
  const begin = [...head(report, origin), note, warnings(report, quote), fixes.length === 0 ? "" : "## Fix first"]
  const end = [
    rest(report, notChecked, notApplicable),
    trials(report, origin, quote),
    report.as_agents === undefined ? "" : agentMatrix(report.as_agents, origin, quote)
  ]
  const short = fixes.map((fix) => shortly(fix, report, quote))
  const recipes = recipeTexts(fixes, (url) => `<${url}>`)
  let room = LENGTH - lengthOf([...begin, ...short, ...end])
  const told: Array<string> = []
  for (const [index, fix] of fixes.entries()) {
    const full = inFull(fix, recipes.get(fix.criterion.id), report, quote)
    room -= full.length - (short[index]?.length ?? 0)
    if (room < 0) break
    told.push(full)
  }
  const further = short.slice(told.length)
  return joined([
    ...begin,
    ...told,
    ...(further.length === 0 || told.length === 0 ? [] : ["## Then"]),
    further.join("\n"),
    ...end
  ])
}

type Quote = (text: string) => string

const joined = (parts: ReadonlyArray<string>): string => `${parts.filter((part) => part !== "").join("\n\n")}\n`

const lengthOf = (parts: ReadonlyArray<string>): number => joined(parts).length

/** `78/100 (AI-ready)`; `At least 43/100 (not reliable)`. */
const scoreHeading = ({
  max_score: max,
  reliability: { reliable },
  total_score: score,
  verdict
}: AuditReport): string => (reliable ? `${score}/${max} (${verdict})` : `At least ${score}/${max} (not reliable)`)

const originOf = ({ base_url }: AuditReport): string => URL.parse(base_url)?.origin ?? ""

const head = (report: AuditReport, origin: string): ReadonlyArray<string> => {
  const [applies, cost, drift] = [applicableText(report), readingCostText(report), driftSentence(report)]
  const categories = Object.entries(report.categories).map(
    ([key, { max, score, title }]) => `${key.slice(0, 1)} ${escapeMarkdown(title)} ${score}/${max}`
  )
  return [
    `# ${scoreHeading(report)}: ${escapeMarkdown(report.base_url)}`,
    `Audited ${report.audit_date} by docgauge ${report.engine_version} with ${escapeMarkdown(rubricName(report.rubric))}. Paths are on ${escapeMarkdown(origin)}.`,
    [
      `${categories.join(", ")}.`,
      ...(applies === "" ? [] : [`${applies}.`]),
      ...[cost, drift].filter((text) => text !== "")
    ].join(" ")
  ]
}

const warnings = (report: AuditReport, quote: Quote): string => {
  const { coverage, reliable } = report.reliability
  return [
    ...(reliable
      ? []
      : ["> **Not reliable:** what we could not check earned no points, so the score is at least this."]),
    ...flagTexts(report, quote).map((text) => `> ${text}`),
    ...(coverage < 1 ? [`> We could check only ${Math.round(coverage * 100)} of 100 points.`] : [])
  ].join("\n")
}

const effortOf = ({ criterion: { remedy } }: Fix): string => effortText(remedy?.effort ?? USUAL_EFFORT)

const inFull = (fix: Fix, recipe: string | undefined, report: AuditReport, quote: Quote): string => {
  const { criterion } = fix
  const { id, remedy, title } = criterion
  return [
    `### ${id} ${title}: ${gainText(fix)}, ${effortOf(fix)}`,
    "",
    [
      quote(clippedProse(criterion.summary, SUMMARY)),
      `Evidence: ${evidenceOf(criterion, originOf(report))}.`,
      includesText(fix)
    ]
      .filter((part) => part !== "")
      .join(" "),
    "",
    ...(remedy?.steps ?? []).map((step) => `- ${step}`),
    ...(recipe === undefined ? [] : [`- ${recipe}`]),
    ...concerned(criterion, ADDRESSES, report).map((line) => `- ${line}`)
  ].join("\n")
}

/** The pages that a fix is about, besides the one that its evidence names. */
const concerned = (criterion: CriterionResult, most: number, report: AuditReport): ReadonlyArray<string> => {
  const { more, urls } = concernedUrls(report, criterion, most, criterion.evidence_url)
  if (urls.length === 0) return []
  return [
    `Concerns ${enumerated([...urls.map((url) => placeOf(url, originOf(report))), ...(more === 0 ? [] : [`${grouped(more)} more`])])}.`
  ]
}

const shortly = (fix: Fix, report: AuditReport, quote: Quote): string => {
  const { criterion } = fix
  const { id, remedy, title } = criterion
  // Of what is there in part a reader has to know what is missing; what is absent speaks for itself.
  const seen =
    criterion.status === "absent"
      ? []
      : [quote(clippedProse(criterion.summary, SHORT_SUMMARY)), ...concerned(criterion, SHORT_ADDRESSES, report)]
  const facts = `- **${id} ${title}**: ${gainText(fix)}, ${effortOf(fix)}; ${evidenceOf(criterion, originOf(report))}.`
  return [facts, ...seen, ...(remedy?.steps ?? []).slice(0, 1)].join(" ")
}

const evidenceOf = ({ evidence, evidence_url: url }: CriterionResult, origin: string): string => {
  const status = evidence.find((item) => item.url === url)?.status ?? null
  return `${placeOf(url, origin)}${status === null ? "" : ` (${status})`}`
}

/** The path where it is on the audited origin; the whole URL where it is not. */
const placeOf = (address: string, origin: string): string =>
  inlineCode(clipped(address.startsWith(`${origin}/`) ? address.slice(origin.length) : address, SUMMARY))

const rest = (
  { criteria, signals }: AuditReport,
  notChecked: ReadonlyArray<CriterionResult>,
  notApplicable: ReadonlyArray<CriterionResult>
): string => {
  const full = criteria.filter(({ max, score, status }) => score === max && status !== "inconclusive")
  const seen = signals.flatMap(({ id, name = id.replaceAll("_", " "), seen }) =>
    seen ? [escapeMarkdown(clipped(name, SHORT_SUMMARY))] : []
  )
  const line = (label: string, some: ReadonlyArray<CriterionResult>): ReadonlyArray<string> =>
    some.length === 0 ? [] : [`${label}: ${some.map(({ id }) => id).join(", ")}.`]
  return [
    ...line("Could not be checked", notChecked),
    ...line("Full points", full),
    ...line("Not applicable (no HTTP API)", notApplicable),
    ...(seen.length === 0 ? [] : [`Also found, earning nothing yet: ${seen.join(", ")}.`])
  ].join("\n\n")
}

/** What is on trial: how often and where, without the site's own words, which may be orders to the agent that reads this. */
const trials = (report: AuditReport, origin: string, quote: Quote): string =>
  trialsToTell(report)
    .map(
      (criterion) =>
        `On trial, earning nothing: **${criterion.id} ${criterion.title}**; ${evidenceOf(criterion, origin)}. ${quote(clippedProse(criterion.summary, SUMMARY))}`
    )
    .join("\n\n")

/** Answers that are cut off, of which the last sentence is shown. */
const ENDINGS = 6

/** Agents by URLs; below, where their tools cut pages off. */
const agentMatrix = (matrix: AsAgentsReport, origin: string, quote: Quote): string => {
  const { agents, asked } = matrix
  return [
    "## What each named agent is served",
    agentsSentence(matrix),
    markdownTable(
      ["Agent", ...asked.map(({ url }) => placeOf(url, origin).replaceAll("|", "%7C"))],
      agents.map(({ answers, name }) => [name, ...answers.map((answer) => escapeMarkdown(answerWords(answer)))])
    ).join("\n"),
    ...cutAnswers(matrix)
      .slice(0, ENDINGS)
      .map(
        ({ agent, ends, url }) =>
          `- ${agent.name} ends ${placeOf(url, origin)} at: ${quote(clippedProse(plainText(ends), SHORT_SUMMARY))}`
      ),
    MATRIX_NOTE
  ].join("\n\n")
}
