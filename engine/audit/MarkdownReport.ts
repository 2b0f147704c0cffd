import { flagText } from "./FlagText.ts"
import { worstLosses } from "./Fixes.ts"
import type { Fix } from "./Fixes.ts"
import { clipped, escapeMarkdown, inlineCode } from "./MarkdownText.ts"
import type { AuditReport, CriterionResult } from "./Report.ts"

/** Characters of the whole report, at 3.6 to the token: some 2 000 tokens, which an agent reads without a second thought. */
const LENGTH = 7_100

/** The longest summary that is told; a site has a say in how long they are. */
const SUMMARY = 260

/** The same where a loss has one line only. */
const SHORT_SUMMARY = 100

/** Addresses that are told with a loss. */
const ADDRESSES = 3

/** How a report is written for a certain reader. */
export interface MarkdownOptions {
  /** How text that the site had a say in is written on one line; escaped unless given otherwise. */
  readonly quote?: (text: string) => string
  /** A paragraph after the head; none where it is missing. */
  readonly note?: string
}

/**
 * The report for agents and pull requests: the score in the first line, then the losses, the worst first, each with
 * evidence and remedy. The worst are told in full as far as there is room; the others have a line each. Titles and steps
 * are the rubric's own words and Markdown as they stand; what came from the site is escaped.
 */
export const renderMarkdown = (report: AuditReport, { note = "", quote = escapeMarkdown }: MarkdownOptions = {}): string => {
  const origin = URL.parse(report.base_url)?.origin ?? ""
  const losses = worstLosses(report)
  const begin = [...head(report, origin), note, warnings(report)]
  const end = [rest(report)]
  const short = losses.map((loss) => shortly(loss, origin, quote))
  let room = LENGTH - lengthOf([...begin, ...short, ...end])
  const told: Array<string> = []
  for (const [index, loss] of losses.entries()) {
    const full = inFull(loss, origin, quote)
    room -= full.length - (short[index]?.length ?? 0)
    if (room < 0) break
    told.push(full)
  }
  const others = short.slice(told.length)
  return joined([
    ...begin,
    told.length === 0 ? "" : "## Worst losses",
    ...told,
    others.length === 0 ? "" : `${told.length === 0 ? "## Losses" : "## Smaller losses"}\n\n${others.join("\n")}`,
    ...end
  ])
}

type Quote = (text: string) => string

const joined = (parts: ReadonlyArray<string>): string => `${parts.filter((part) => part !== "").join("\n\n")}\n`

const lengthOf = (parts: ReadonlyArray<string>): number => joined(parts).length

const head = (report: AuditReport, origin: string): ReadonlyArray<string> => {
  const { id, version } = report.rubric
  const categories = Object.entries(report.categories).map(([key, { max, score, title }]) => `${key.slice(0, 1)} ${escapeMarkdown(title)} ${score}/${max}`)
  return [
    `# ${report.total_score}/${report.max_score} ${report.verdict}: ${escapeMarkdown(report.base_url)}`,
    `Audited ${report.audit_date} by docgauge ${report.engine_version} with ${escapeMarkdown(id)} ${version}. Paths are on ${escapeMarkdown(origin)}.`,
    `${categories.join(", ")}.`
  ]
}

const warnings = (report: AuditReport): string => {
  const { coverage, flags, reliable } = report.reliability
  return [
    ...(reliable ? [] : ["> **Not reliable:** read this score with care."]),
    ...flags.map((flag) => `> ${flagText[flag]}`),
    ...(coverage < 1 ? [`> Evidence could be had for ${Math.round(coverage * 100)} of 100 points.`] : [])
  ].join("\n")
}

const inFull = ({ criterion, lost }: Fix, origin: string, quote: Quote): string => {
  const { id, max, remedy, title } = criterion
  const concerned = (remedy?.addresses ?? []).filter((address) => address !== criterion.evidence_url).slice(0, ADDRESSES)
  return [
    `### ${id} ${title}: ${lost} of ${max} points lost, ${remedy?.effort ?? "medium"} effort`,
    "",
    `${quote(clipped(criterion.summary, SUMMARY))} Evidence: ${evidenceOf(criterion, origin)}`,
    "",
    ...(remedy?.steps ?? []).map((step) => `- ${step}`),
    ...(concerned.length === 0 ? [] : [`- Concerns ${concerned.map((address) => placeOf(address, origin)).join(", ")}`])
  ].join("\n")
}

const shortly = ({ criterion, lost }: Fix, origin: string, quote: Quote): string => {
  const { id, max, remedy, title } = criterion
  // Of what is there in part a reader has to know what is missing; what is absent speaks for itself.
  const seen = criterion.status === "absent" ? [] : [quote(clipped(criterion.summary, SHORT_SUMMARY))]
  const facts = `- **${id} ${title}**: ${lost} of ${max} lost, ${remedy?.effort ?? "medium"} effort; ${evidenceOf(criterion, origin)}.`
  return [facts, ...seen, ...(remedy?.steps ?? []).slice(0, 1)].join(" ")
}

const evidenceOf = ({ evidence, evidence_url: url }: CriterionResult, origin: string): string => {
  const status = evidence.find((item) => item.url === url)?.status ?? null
  return `${placeOf(url, origin)}${status === null ? "" : ` (${status})`}`
}

/** The path where it is on the audited origin; the whole address where it is not. */
const placeOf = (address: string, origin: string): string =>
  inlineCode(clipped(address.startsWith(`${origin}/`) ? address.slice(origin.length) : address, SUMMARY))

const rest = ({ criteria }: AuditReport): string => {
  const inconclusive = criteria.filter(({ status }) => status === "inconclusive")
  const full = criteria.filter(({ max, score, status }) => score === max && status !== "inconclusive")
  return [
    ...(full.length === 0 ? [] : [`Full points: ${full.map(({ id }) => id).join(", ")}.`]),
    ...(inconclusive.length === 0 ? [] : [`Evidence could not be had: ${inconclusive.map(({ id }) => id).join(", ")}.`])
  ].join("\n")
}
