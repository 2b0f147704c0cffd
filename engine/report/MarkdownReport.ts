import type { AsAgentsReport } from "../audit/agents/NamedAgents.ts"
import { type Fix, gainText, includesText } from "../audit/FixFirst.ts"
import { type AuditReport, type CriterionResult, rubricName } from "../audit/Report.ts"
import { enumerated, grouped } from "../plugin/Wording.ts"
import { clipped, clippedProse, escapeMarkdown, inlineCode, markdownTable } from "../text/MarkupText.ts"
import { plainText } from "../text/PlainText.ts"
import {
  coverageText,
  DOES_NOT_APPLY,
  effortOf,
  outOf,
  placeOn,
  type ReportView,
  reportView,
  UNRELIABLE,
  verdictText
} from "./ReportView.ts"
import {
  agentsSentence,
  answerWords,
  concernedUrls,
  cutAnswers,
  driftSentence,
  flagTexts,
  MATRIX_NOTE,
  readingCostText,
  recipeTexts
} from "./SectionWords.ts"

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
  const view = reportView(report)
  const { fixes, origin } = view
  const begin = [...head(view), note, warnings(report, quote), fixes.length === 0 ? "" : "## Fix first"]
  const end = [
    rest(view),
    ...view.trials.map((trial) => onTrial(trial, origin, quote)),
    report.as_agents === undefined ? "" : agentMatrix(report.as_agents, origin, quote)
  ]
  const short = fixes.map((fix) => shortly(fix, view, quote))
  const recipes = recipeTexts(fixes, (url) => `<${url}>`)
  let room = LENGTH - lengthOf([...begin, ...short, ...end])
  const told: Array<string> = []
  for (const [index, fix] of fixes.entries()) {
    const full = inFull(fix, recipes.get(fix.criterion.id), view, quote)
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

/** `78/100 (AI-ready)`; `39/100 (39 of the 70 that apply, Gaps)`; `At least 43/100 (not reliable)`. */
const scoreHeading = (report: AuditReport): string => {
  const { applicable_score: { max } = { max: 0 }, max_score: all, reliability, total_score: score } = report
  const applies = max === 0 || max === all ? "" : `${score} of ${outOf(max, all)}, `
  return `${reliability.reliable ? "" : "At least "}${score}/${all} (${applies}${verdictText(report)})`
}

const head = ({ categories, origin, report }: ReportView): ReadonlyArray<string> => {
  const [cost, drift] = [readingCostText(report), driftSentence(report)]
  const points = categories.map(
    ({ applies, letter, max, score, title }) =>
      `${letter} ${escapeMarkdown(title)} ${applies ? `${score}/${max}` : `– (${DOES_NOT_APPLY})`}`
  )
  return [
    `# ${scoreHeading(report)}: ${escapeMarkdown(report.base_url)}`,
    `Audited ${report.audit_date} by docgauge ${report.engine_version} with ${escapeMarkdown(rubricName(report.rubric))}. Paths are on ${escapeMarkdown(origin)}.`,
    [`${points.join(", ")}.`, ...[cost, drift].filter((text) => text !== "")].join(" ")
  ]
}

const warnings = (report: AuditReport, quote: Quote): string =>
  [
    report.reliability.reliable ? "" : `**Not reliable:** ${UNRELIABLE}`,
    ...flagTexts(report, quote),
    coverageText(report)
  ]
    .filter((text) => text !== "")
    .map((text) => `> ${text}`)
    .join("\n")

const inFull = (fix: Fix, recipe: string | undefined, view: ReportView, quote: Quote): string => {
  const { criterion } = fix
  const { id, remedy, title } = criterion
  return [
    `### ${id} ${title}: ${gainText(fix)}, ${effortOf(fix)}`,
    "",
    [
      quote(clippedProse(criterion.summary, SUMMARY)),
      `Evidence: ${evidenceOf(criterion, view.origin)}.`,
      includesText(fix)
    ]
      .filter((part) => part !== "")
      .join(" "),
    "",
    ...(remedy?.steps ?? []).map((step) => `- ${step}`),
    ...(recipe === undefined ? [] : [`- ${recipe}`]),
    ...concerned(criterion, ADDRESSES, view).map((line) => `- ${line}`)
  ].join("\n")
}

/** The pages that a fix is about, besides the one that its evidence names. */
const concerned = (criterion: CriterionResult, most: number, { origin, report }: ReportView): ReadonlyArray<string> => {
  const { more, urls } = concernedUrls(report, criterion, most, criterion.evidence_url)
  if (urls.length === 0) return []
  return [
    `Concerns ${enumerated([...urls.map((url) => placeOf(url, origin)), ...(more === 0 ? [] : [`${grouped(more)} more`])])}.`
  ]
}

const shortly = (fix: Fix, view: ReportView, quote: Quote): string => {
  const { criterion } = fix
  const { id, remedy, title } = criterion
  // Of what is there in part a reader has to know what is missing; what is absent speaks for itself.
  const seen =
    criterion.status === "absent"
      ? []
      : [quote(clippedProse(criterion.summary, SHORT_SUMMARY)), ...concerned(criterion, SHORT_ADDRESSES, view)]
  const facts = `- **${id} ${title}**: ${gainText(fix)}, ${effortOf(fix)}; ${evidenceOf(criterion, view.origin)}.`
  return [facts, ...seen, ...(remedy?.steps ?? []).slice(0, 1)].join(" ")
}

const evidenceOf = ({ evidence, evidence_url: url }: CriterionResult, origin: string): string => {
  const status = evidence.find((item) => item.url === url)?.status ?? null
  return `${placeOf(url, origin)}${status === null ? "" : ` (${status})`}`
}

/** The path where it is on the audited origin; the whole URL where it is not. */
const placeOf = (address: string, origin: string): string => inlineCode(clipped(placeOn(origin, address), SUMMARY))

const rest = ({ besides, signals }: ReportView): string => {
  const seen = signals.flatMap(({ name, seen }) => (seen ? [escapeMarkdown(clipped(name, SHORT_SUMMARY))] : []))
  return [...besides, ...(seen.length === 0 ? [] : [`Also found, earning nothing yet: ${seen.join(", ")}.`])].join(
    "\n\n"
  )
}

/** What is on trial: how often and where, without the site's own words, which may be orders to the agent that reads this. */
const onTrial = (criterion: CriterionResult, origin: string, quote: Quote): string =>
  `On trial, earning nothing: **${criterion.id} ${criterion.title}**; ${evidenceOf(criterion, origin)}. ${quote(clippedProse(criterion.summary, SUMMARY))}`

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
