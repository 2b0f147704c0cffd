import type { AuditReport, CriterionResult } from "../../audit/Report.ts"
import { grouped } from "../../plugin/Wording.ts"
import { plainText } from "../../text/PlainText.ts"
import { type LogSummary, perWeek, type ReportHit } from "./LogSummary.ts"
import { PATH_COUNTS, type PathCount, type PathForm, type PathRow } from "./PathTable.ts"

/** How requests met what a criterion found, besides asking for the pages that it names. */
const MET_BY: Readonly<Record<string, (row: PathRow) => number>> = {
  "a1-llms-txt": (row) => (isFullText(row) ? 0 : missed("llms_txt")(row)),
  "a2-full-text": (row) => (isFullText(row) ? missed("llms_txt")(row) : 0),
  "a3-robots-policy": (row) => row.refused,
  "a4-sitemap": missed("site_file"),
  "b1-markdown-twins": missed("markdown"),
  "c1-spec-found": missed("description"),
  "e2-honest-answers": (row) => row.soft,
  // What is missing of other forms has criteria of its own.
  "e3-stable-addresses": (row) => (row.form === "html" ? row.missing + row.redirected : 0),
  "e4-same-for-agents": (row) => row.refused + row.limited,
  "f2-catalogue-and-auth": missed("site_file")
}

function missed(form: PathForm): (row: PathRow) => number {
  return (row) => (row.form === form ? row.missing + row.soft : 0)
}

const isFullText = ({ path }: PathRow): boolean => /full/i.test(path)

interface Words {
  readonly period: LogSummary["period"]
  readonly meant: (path: string) => string | null
  readonly shown: (path: string) => string
}

/** The criteria with points to gain, those first that most requests of agents and scripts met. */
export const reportHits = (
  report: AuditReport,
  asked: ReadonlyArray<PathRow>,
  words: Words
): ReadonlyArray<ReportHit> => {
  const pages = new Map<string, PathRow>(asked.map((row) => [row.path, row]))
  const gains = new Map((report.fix_first ?? []).map(({ gain, id, own }) => [id, own ?? gain]))
  return report.criteria
    .flatMap((criterion): ReadonlyArray<ReportHit> => {
      const gain = gains.get(criterion.id)
      if (gain === undefined) return []
      const met = metRequests(criterion, report, asked, pages)
      const [most] = met
      return [
        {
          criterion: criterion.id,
          title: plainText(criterion.title, 200),
          gain,
          requests: met.reduce((total, { requests }) => total + requests, 0),
          sentence:
            most === undefined ? "The log shows no request that met it." : sentenceOf(most.row, most.requests, words)
        }
      ]
    })
    .toSorted((one, other) => other.requests - one.requests || other.gain - one.gain)
}

interface Met {
  readonly row: PathRow
  readonly requests: number
}

/** The paths of a criterion's findings, with the requests that met them, most first. */
const metRequests = (
  { findings = [], id, measured: { plugin } }: CriterionResult,
  report: AuditReport,
  asked: ReadonlyArray<PathRow>,
  pages: ReadonlyMap<string, PathRow>
): ReadonlyArray<Met> => {
  const count = MET_BY[plugin]
  const named = [
    ...(report.pages ?? []).filter(({ failed }) => failed.includes(id)).map(({ url }) => url),
    ...findings.filter(({ good }) => !good).map(({ url }) => url)
  ]
  const met = new Map<PathRow, number>()
  if (count !== undefined) for (const row of asked) if (count(row) > 0) met.set(row, count(row))
  for (const url of named) {
    const row = pages.get(URL.parse(url)?.pathname ?? "")
    if (row !== undefined && count === undefined) met.set(row, row.asked)
  }
  return [...met]
    .map(([row, requests]) => ({ row, requests }))
    .toSorted((one, other) => other.requests - one.requests || (one.row.path < other.row.path ? -1 : 1))
}

const ANSWERS: Readonly<Record<PathCount, string>> = {
  asked: "",
  answered: "",
  missing: "answers 404",
  redirected: "redirects",
  refused: "is refused",
  limited: "answers 429",
  failed: "answers with a server error",
  soft: "answers 200 with a web page"
}

/** `/errors is asked for 812 times a week and answers 404; most likely /docs/errors is meant.` */
const sentenceOf = (row: PathRow, requests: number, { meant, period, shown }: Words): string => {
  const weekly = perWeek(requests, period)
  const times = weekly === null || weekly === 0 ? timesOf(requests) : `${timesOf(weekly)} a week`
  const [outcome] = PATH_COUNTS.filter((count) => count !== "asked").toSorted((one, other) => row[other] - row[one])
  const page = row.missing > 0 ? meant(row.path) : null
  const answer = outcome === undefined || outcome === "answered" ? "" : ` and ${ANSWERS[outcome]}`
  return `${shown(row.path)} is asked for ${times}${answer}${page === null ? "" : `; most likely ${shown(page)} is meant`}.`
}

const timesOf = (count: number): string => (count === 1 ? "once" : `${grouped(count)} times`)
