import type { ComparedCriterion, Comparison } from "../../engine/audit/compare/Compare.ts"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { siteFormOf } from "../../engine/evidence/Address.ts"
import { capitalised, scoreWords, signed } from "../../engine/plugin/Wording.ts"
import { autolink, escapeMarkdown, markdownTable } from "../../engine/text/MarkupText.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { block, wrap } from "./Style.ts"
import type { TextOptions } from "./TextReport.ts"

/** Maximum length of a printed URL, in characters. */
const LONGEST_ADDRESS = 300

/** What the two reports of a comparison are called, in the order in which they are shown. */
interface ReportNames {
  readonly ours: string
  readonly theirs: string
  readonly order: readonly ["ours", "theirs"] | readonly ["theirs", "ours"]
  /** Of criteria that have the same points in both. */
  readonly agree: string
}

export const TWO_AUDITORS: ReportNames = { ours: "ours", theirs: "theirs", order: ["ours", "theirs"], agree: "agree" }

/** Two reports of ours, of which the newer one counts as ours, so that what is shown of a difference is what there is now. */
export const beforeAndAfter = (before: AuditReport, after: AuditReport): ReportNames => {
  const isOneDay = before.audit_date === after.audit_date
  return {
    ours: isOneDay ? "after" : `after (${after.audit_date})`,
    theirs: isOneDay ? "before" : `before (${before.audit_date})`,
    order: ["theirs", "ours"],
    agree: "are as before"
  }
}

/** The name of a side without its date. */
const short = (name: string): string => name.replace(/ .*/, "")

const differences = (comparison: Comparison): ReadonlyArray<ComparedCriterion> =>
  comparison.criteria.filter(({ agrees, theirs }) => theirs !== null && !agrees)

const missing = (comparison: Comparison): ReadonlyArray<string> =>
  comparison.criteria.flatMap(({ id, theirs }) => (theirs === null ? [id] : []))

const score = (side: ComparedCriterion["theirs"], max: number): string =>
  side === null ? "–" : `${side.score}/${max} ${plainText(side.status, 20)}`

const totals = (comparison: Comparison, names: ReportNames): string => {
  const { agreements, ours, oursReliable, shared, theirs, theirsReliable } = comparison
  const told = { ours: scoreWords(ours, oursReliable), theirs: scoreWords(theirs, theirsReliable) }
  const [one, other] = names.order
  return `${capitalised(names[one])} ${told[one]}, ${names[other]} ${told[other]} (${signed(comparison[other] - comparison[one])}); ${agreements} of ${shared} criteria ${names.agree}.`
}

/** Whether the reports are of one site, whatever the spelling of its URL. */
const isOneSite = ({ baseUrl, theirBaseUrl }: Comparison): boolean =>
  baseUrl === theirBaseUrl ||
  (URL.canParse(baseUrl) && URL.canParse(theirBaseUrl) && siteFormOf(baseUrl) === siteFormOf(theirBaseUrl))

const bothUrls = ({ baseUrl, theirBaseUrl }: Comparison, names: ReportNames): string => {
  const urls = { ours: baseUrl, theirs: theirBaseUrl }
  return names.order.map((side) => `${plainText(urls[side], LONGEST_ADDRESS)} (${short(names[side])})`).join(" and ")
}

/** Lines about criteria that only one report has. */
const gaps = (comparison: Comparison, names: ReportNames): ReadonlyArray<string> => [
  ...(missing(comparison).length === 0 ? [] : [`Only ${short(names.ours)}: ${missing(comparison).join(", ")}.`]),
  ...(comparison.unknown.length === 0
    ? []
    : [`Only ${short(names.theirs)}: ${comparison.unknown.map((id) => plainText(id, 20)).join(", ")}.`])
]

/** The points of a criterion in both reports, in the order in which they are shown. */
const scores = (
  criterion: ComparedCriterion,
  names: ReportNames
): ReadonlyArray<readonly [name: string, score: string]> => {
  const told = {
    ours: score({ ...criterion.ours, evidenceUrl: null, summary: null }, criterion.max),
    theirs: score(criterion.theirs, criterion.max)
  }
  return names.order.map((side) => [short(names[side]), told[side]] as const)
}

/** What was found in both reports, each on a line. */
const found = ({ evidence, summary, theirs }: ComparedCriterion, names: ReportNames, { style, width }: TextOptions) => {
  const told = {
    ours: [
      ...block(`${capitalised(short(names.ours))}: ${summary}`, width, "     "),
      // Two findings can cite two requests for one URL.
      ...new Set(
        evidence.map(({ status, url }) =>
          style.dim(`       ${status ?? "no answer"} ${plainText(url, LONGEST_ADDRESS)}`)
        )
      )
    ],
    theirs: theirs?.summary
      ? block(`${capitalised(short(names.theirs))}: ${plainText(theirs.summary)}`, width, "     ")
      : []
  }
  return names.order.flatMap((side) => told[side])
}

/** For a terminal: totals, then each difference with its finding. */
export const renderComparisonText = (
  comparison: Comparison,
  options: TextOptions,
  names: ReportNames = TWO_AUDITORS
): string => {
  const { style, width } = options
  const lines = differences(comparison).flatMap((criterion) => [
    `  ${style.bold(`${criterion.id} ${criterion.title}`)}${scores(criterion, names)
      .map(([name, told]) => `  ${name} ${told}`)
      .join("")}`,
    ...found(criterion, names, options)
  ])
  const head = isOneSite(comparison)
    ? plainText(comparison.baseUrl, LONGEST_ADDRESS)
    : `Two sites: ${bothUrls(comparison, names)}`
  return `${[
    style.bold(head),
    totals(comparison, names),
    ...gaps(comparison, names).flatMap((line) => wrap(line, width)),
    ...(lines.length === 0 ? [] : ["", style.bold("Differences"), ...lines])
  ].join("\n")}\n`
}

/** For a pull request or an agent. */
export const renderComparisonMarkdown = (comparison: Comparison, names: ReportNames = TWO_AUDITORS): string => {
  const rows = comparison.criteria.map((criterion) => [
    escapeMarkdown(criterion.id),
    escapeMarkdown(criterion.title),
    ...scores(criterion, names).map(([, told]) => escapeMarkdown(told)),
    criterion.theirs === null ? "" : criterion.agrees ? "yes" : "**no**",
    criterion.agrees
      ? ""
      : `${escapeMarkdown(criterion.summary)} ${autolink(criterion.evidence[0]?.url ?? comparison.baseUrl)}`
  ])
  const isOurs = names === TWO_AUDITORS
  return [
    isOneSite(comparison)
      ? `# Two audits of ${escapeMarkdown(comparison.baseUrl)}`
      : `# Two sites: ${escapeMarkdown(bothUrls(comparison, names))}`,
    "",
    totals(comparison, names),
    "",
    ...gaps(comparison, names).flatMap((line) => [escapeMarkdown(line), ""]),
    ...markdownTable(
      [
        "Id",
        "Criterion",
        ...names.order.map((side) => capitalised(short(names[side]))),
        isOurs ? "Agree" : "Same",
        isOurs ? "Our finding" : "Finding after"
      ],
      rows
    ),
    ""
  ].join("\n")
}
