import type { AuditReport, CriterionResult } from "../../engine/audit/Report.ts"
import { capitalised, counted, firstNamed, pathShown } from "../../engine/plugin/Wording.ts"
import { type MissedFinding, missedFindings } from "../../engine/report/ReportView.ts"
import { plainText } from "../../engine/text/PlainText.ts"

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
