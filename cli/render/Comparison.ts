import { autolink, escapeMarkdown, markdownTable } from "../../engine/text/MarkdownText.ts"
import type { ComparedCriterion, Comparison } from "../../engine/audit/compare/Compare.ts"
import { scoreWords } from "../../engine/criterion/Wording.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { siteFormOf } from "../../engine/evidence/Address.ts"
import type { TextOptions } from "./TextReport.ts"
import { block, wrap } from "./Wrap.ts"

/** Maximum length of a printed URL, in characters. */
const LONGEST_ADDRESS = 300

const differences = (comparison: Comparison): ReadonlyArray<ComparedCriterion> =>
  comparison.criteria.filter(({ agrees, theirs }) => theirs !== null && !agrees)

const missing = (comparison: Comparison): ReadonlyArray<string> =>
  comparison.criteria.flatMap(({ id, theirs }) => (theirs === null ? [id] : []))

const score = (side: ComparedCriterion["theirs"], max: number): string =>
  side === null ? "–" : `${side.score}/${max} ${plainText(side.status, 20)}`

const totals = ({ agreements, ours, oursReliable, shared, theirs, theirsReliable }: Comparison): string =>
  `Ours ${scoreWords(ours, oursReliable)}, theirs ${scoreWords(theirs, theirsReliable)} (${theirs - ours >= 0 ? "+" : "−"}${Math.abs(theirs - ours)}); ${agreements} of ${shared} criteria agree.`

/** Whether the reports are of one site, whatever the spelling of its URL. */
const isOneSite = ({ baseUrl, theirBaseUrl }: Comparison): boolean =>
  baseUrl === theirBaseUrl ||
  (URL.canParse(baseUrl) && URL.canParse(theirBaseUrl) && siteFormOf(baseUrl) === siteFormOf(theirBaseUrl))

const bothUrls = ({ baseUrl, theirBaseUrl }: Comparison): string =>
  `${plainText(baseUrl, LONGEST_ADDRESS)} (ours) and ${plainText(theirBaseUrl, LONGEST_ADDRESS)} (theirs)`

/** Lines about criteria that only one report has. */
const gaps = (comparison: Comparison): ReadonlyArray<string> => [
  ...(missing(comparison).length === 0 ? [] : [`Only ours: ${missing(comparison).join(", ")}.`]),
  ...(comparison.unknown.length === 0
    ? []
    : [`Only theirs: ${comparison.unknown.map((id) => plainText(id, 20)).join(", ")}.`])
]

/** For a terminal: totals, then each difference with its finding. */
export const renderComparisonText = (comparison: Comparison, { style, width }: TextOptions): string => {
  const lines = differences(comparison).flatMap((criterion) => [
    `  ${style.bold(`${criterion.id} ${criterion.title}`)}  ours ${score({ ...criterion.ours, evidenceUrl: null, summary: null }, criterion.max)}  theirs ${score(criterion.theirs, criterion.max)}`,
    ...block(`Ours: ${criterion.summary}`, width, "     "),
    ...criterion.evidence.map(({ status, url }) =>
      style.dim(`       ${status ?? "no answer"} ${plainText(url, LONGEST_ADDRESS)}`)
    ),
    ...(criterion.theirs?.summary ? block(`Theirs: ${plainText(criterion.theirs.summary)}`, width, "     ") : [])
  ])
  return `${[style.bold(isOneSite(comparison) ? plainText(comparison.baseUrl, LONGEST_ADDRESS) : `Two sites: ${bothUrls(comparison)}`), totals(comparison), ...gaps(comparison).flatMap((line) => wrap(line, width)), ...(lines.length === 0 ? [] : ["", style.bold("Differences"), ...lines])].join("\n")}\n`
}

/** For a pull request or an agent. */
export const renderComparisonMarkdown = (comparison: Comparison): string => {
  const rows = comparison.criteria.map((criterion) => [
    escapeMarkdown(criterion.id),
    escapeMarkdown(criterion.title),
    escapeMarkdown(score({ ...criterion.ours, evidenceUrl: null, summary: null }, criterion.max)),
    escapeMarkdown(score(criterion.theirs, criterion.max)),
    criterion.theirs === null ? "" : criterion.agrees ? "yes" : "**no**",
    criterion.agrees
      ? ""
      : `${escapeMarkdown(criterion.summary)} ${autolink(criterion.evidence[0]?.url ?? comparison.baseUrl)}`
  ])
  return [
    isOneSite(comparison)
      ? `# Two audits of ${escapeMarkdown(comparison.baseUrl)}`
      : `# Two sites: ${escapeMarkdown(bothUrls(comparison))}`,
    "",
    totals(comparison),
    "",
    ...gaps(comparison).flatMap((line) => [escapeMarkdown(line), ""]),
    ...markdownTable(["Id", "Criterion", "Ours", "Theirs", "Agree", "Our finding"], rows),
    ""
  ].join("\n")
}
