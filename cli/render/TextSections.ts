import type { AuditReport, CriterionResult, CriterionStatus, ReportedExchange } from "../../engine/audit/Report.ts"
import {
  curlOf,
  DOES_NOT_APPLY,
  findingsOf,
  type MissedFinding,
  missedFindings,
  outcomeText,
  type ReportView
} from "../../engine/report/ReportView.ts"
import { agentsSentence, answerWords, cutAnswers, driftBesides, MATRIX_NOTE } from "../../engine/report/SectionWords.ts"
import { isApplicable } from "../../engine/audit/FixFirst.ts"
import { capitalised, counted, firstNamed, pathShown } from "../../engine/plugin/Wording.ts"
import { plainLines, plainText } from "../../engine/text/PlainText.ts"
import { block, type Style } from "./Style.ts"

/** Lines of a body that a terminal shows; the JSON has up to 2 KB of it. */
const LINES = 12

const LONGEST_COMMAND = 6_000

/** The mark by which a finding names its exchange: ` [12]`. */
const exchangeMark = ({ exchange }: { readonly exchange?: number }): string =>
  exchange === undefined ? "" : ` [${exchange + 1}]`

/** The exchanges that findings cite, by the number in their mark: how to repeat each, and what came back. */
export const exchangeSection = (
  { exchanges = [], exchanges_left_out: leftOut = 0 }: AuditReport,
  width: number,
  style: Style
): ReadonlyArray<string> =>
  exchanges.length === 0
    ? []
    : [
        style.bold("Requests and responses"),
        ...exchanges.flatMap((exchange, index) => one(exchange, index + 1, width, style)),
        ...(leftOut === 0 ? [] : [style.dim(`  and ${counted(leftOut, "more request")} that the report leaves out`)])
      ]

const one = (exchange: ReportedExchange, number: number, width: number, style: Style): ReadonlyArray<string> => {
  const { body, headers, redirects = [] } = exchange
  // A command is not wrapped, so that it can be copied.
  const command = curlOf(exchange)
  return [
    `  [${number}] ${command === null ? plainText(`${exchange.method} ${exchange.url}`, LONGEST_COMMAND) : plainText(command, LONGEST_COMMAND)}`,
    ...redirects.flatMap(({ location, status }) =>
      block(plainText(`${status} to ${location}`), width, "       ").map(style.dim)
    ),
    ...block(plainText(outcomeText(exchange)), width, "       "),
    ...headers.flatMap((header) => block(plainText(header), width, "       ").map(style.dim)),
    ...bodyLines(body ?? "", width).map((line) => style.dim(`       | ${line}`.trimEnd()))
  ]
}

const bodyLines = (body: string, width: number): ReadonlyArray<string> => {
  if (body === "") return []
  const lines = plainLines(body).replaceAll("\t", "  ").split("\n")
  const more = lines.length - LINES
  return [
    ...lines.slice(0, LINES).map((line) => cutTo(line, width - 9)),
    ...(more > 0 ? [`… and ${counted(more, "more line")} (--format json)`] : [])
  ]
}

const cutTo = (line: string, width: number): string => {
  const characters = Array.from(line)
  return characters.length <= width ? line : `${characters.slice(0, width - 1).join("")}…`
}

/** Maximum length of a printed URL, in characters: sites choose their length. */
const LONGEST_URL_SHOWN = 120

/** What each named agent is served: under each URL the answers, with the agents that got them. */
export const agentSection = (
  { as_agents: matrix }: AuditReport,
  width: number,
  style: Style
): ReadonlyArray<string> => {
  if (matrix === undefined) return []
  const { agents, asked } = matrix
  const cut = cutAnswers(matrix)
  return [
    style.bold("What each named agent is served"),
    ...block(agentsSentence(matrix), width, "  "),
    ...asked.flatMap(({ url }, index) => {
      const byAnswer = Map.groupBy(agents, ({ answers }) => {
        const answer = answers[index]
        return answer === undefined ? "" : answerWords(answer)
      })
      return [
        `  ${plainText(url, LONGEST_URL_SHOWN)}`,
        ...[...byAnswer].flatMap(([words, some]) =>
          block(`${words}: ${some.map(({ name }) => name).join(", ")}`, width, "    ")
        ),
        ...cut
          .filter((one) => one.url === url)
          .flatMap(({ agent, ends }) =>
            block(`${agent.name} ends at: ${plainText(ends)}`, width, "      ").map(style.dim)
          )
      ]
    }),
    ...block(MATRIX_NOTE, width, "  ").map(style.dim)
  ]
}

/** Maximum length of a printed URL, in characters: sites choose their length. */
export const LONGEST_ADDRESS = 300

/** Maximum length of the name of a signal, in characters. */
export const LONGEST_NAME = 80

/** What is said of criteria that are measured, without points. */
export const ON_TRIAL = "On trial, earning nothing"

export const MARKS: Readonly<Record<CriterionStatus, string>> = {
  present: "✓",
  partial: "◐",
  absent: "✗",
  inconclusive: "?"
}

export const colourOf = (style: Style, share: number): Style["good"] =>
  share >= 0.75 ? style.good : share >= 0.4 ? style.fair : style.poor

/** Each criterion with every finding, for -vv. */
export const criteriaSection = (report: AuditReport, width: number, style: Style): ReadonlyArray<string> => {
  const line =
    (onTrial: boolean) =>
    (criterion: CriterionResult): ReadonlyArray<string> => {
      const colour = !isApplicable(criterion)
        ? style.dim
        : criterion.status === "inconclusive"
          ? style.fair
          : colourOf(style, criterion.score / Math.max(criterion.max, 1))
      return [
        `  ${colour(isApplicable(criterion) ? MARKS[criterion.status] : "–")} ${criterion.id} ${criterion.title}${pointsText(criterion, onTrial)}`,
        ...findingsOf(criterion).flatMap((finding) => [
          ...block(finding.note, width, "       ").map(style.dim),
          `       ${style.dim(plainText(finding.url, LONGEST_ADDRESS) + exchangeMark(finding))}`
        ]),
        ...((criterion.findings_left_out ?? 0) === 0
          ? []
          : [
              style.dim(
                `       and ${counted(criterion.findings_left_out ?? 0, "more finding")} that the report leaves out`
              )
            ]),
        ...(criterion.remedy?.steps_done ?? [])
          .flatMap((step) => block(`Done, or does not apply: ${step}`, width, "       "))
          .map(style.dim)
      ]
    }
  const experimental =
    report.experimental.length === 0 ? [] : [style.bold(ON_TRIAL), ...report.experimental.flatMap(line(true))]
  return [style.bold("All criteria"), ...report.criteria.flatMap(line(false)), ...experimental]
}

/** Its points, or that it does not apply; nothing of one on trial. */
export const pointsText = (criterion: CriterionResult, onTrial: boolean): string => {
  if (!isApplicable(criterion)) return `  ${DOES_NOT_APPLY}`
  return onTrial ? "" : `  ${criterion.score}/${criterion.max}`
}

/** What is false besides what the criteria say, with both places; at most `most` of it. */
export const driftBesidesSection = (
  report: AuditReport,
  width: number,
  style: Style,
  most = Number.MAX_SAFE_INTEGER
): ReadonlyArray<string> => {
  const all = driftBesides(report)
  const findings = all.slice(0, most)
  const unshown = all.length - findings.length
  const leftOut = report.drift?.findings_left_out ?? 0
  if (all.length + leftOut === 0) return []
  return [
    style.bold("Where documentation and API description part, apart from the findings above"),
    ...findings.flatMap(({ description, message, page }) => [
      ...block(message, width, "  "),
      ...[
        ...(page === null ? [] : [plainText(page.url, LONGEST_ADDRESS)]),
        ...(description === null ? [] : [plainText(`${description.url}#${description.pointer}`, LONGEST_ADDRESS)])
      ].map((place) => style.dim(`       ${place}`))
    ]),
    ...(unshown === 0 ? [] : [style.dim(`  and ${counted(unshown, "more finding")}`)]),
    ...(leftOut === 0 ? [] : [style.dim(`  and ${counted(leftOut, "more finding")} that the report leaves out`)])
  ]
}

export const signalsSection = ({ signals: all }: ReportView, width: number, style: Style): ReadonlyArray<string> =>
  all.length === 0
    ? []
    : [
        style.bold("Also looked for, earning nothing yet"),
        ...all.flatMap(({ about, name, seen, url }) => [
          ...block(
            `${seen ? "Found" : "Not found"}: ${plainText(name, LONGEST_NAME)}. ${plainText(about, LONGEST_ADDRESS)}`,
            width,
            "  "
          ),
          ...(seen ? [`       ${style.dim(plainText(url, LONGEST_ADDRESS))}`] : [])
        ])
      ]

/** Groups of findings that a criterion shows; what is left out is counted. */
const GROUPS = 3

/** Pages that a group names. */
const PAGES = 3

type Found = Pick<MissedFinding, "note" | "url">

/** Longer paths are cut: sites choose their length. */
const LONGEST_PATH = 60

/**
 * What speaks against the site, a line for each sentence: `Announces no entry point for agents: /, /config/ and 18 more pages.` What
 * the summary says is left out, and so are findings that speak for the site.
 */
export const groupedFindings = (report: AuditReport, criterion: CriterionResult): ReadonlyArray<string> => {
  const told = missedFindings(report, [criterion]).filter(({ note }) => !criterion.summary.includes(note))
  const groups = [...Map.groupBy(told, saidOf).values()]
  const shown = groups.slice(0, GROUPS)
  const more = groups.slice(GROUPS).flat().length + (criterion.findings_left_out ?? 0)
  return [...shown.map(groupText), ...(more === 0 ? [] : [`And ${counted(more, "more finding")}.`])]
}

/** A sentence without its pages and its numbers: two with the same say the same of two pages. */
const saidOf = ({ note }: Found): string =>
  note
    .split(" ")
    .map((word) => (PAGE.test(word) ? "…" : word.replaceAll(/\d[\d,.]*/g, "0")))
    .join(" ")

/** A word of a sentence that names a page: a path, or a host with a path, as of a canonical URL. */
const PAGE = /^(?:[\w-]+(?:\.[\w-]+)+)?\/\S*$/

/** Findings that say the same of several pages, as one line. */
const groupText = (findings: ReadonlyArray<Found>): string => {
  const [first] = findings
  if (first === undefined) return ""
  const others = [...new Set(findings.slice(1).map(({ url }) => pathShown(url)))]
  if (others.length === 0) return first.note
  const rest = afterPage(first)
  return rest !== null && findings.every((item) => afterPage(item) === rest)
    ? `${capitalised(rest.replace(/\.$/, ""))}: ${pagesText([pathShown(first.url), ...others])}.`
    : `${first.note} Likewise: ${pagesText(others)}.`
}

/** What is said of the page that the sentence begins with; `null` if it begins with another word. */
const afterPage = ({ note, url }: Found): string | null => {
  const page = `${pathShown(url)} `
  return note.startsWith(page) ? note.slice(page.length) : null
}

const pagesText = (paths: ReadonlyArray<string>): string =>
  firstNamed(
    paths.map((path) => plainText(path, LONGEST_PATH)),
    PAGES
  )
