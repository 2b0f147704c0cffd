import { type Fix, type FixList, fixList, isApplicable, trialsToTell } from "../audit/FixFirst.ts"
import {
  allCriteria,
  type AuditReport,
  type CriterionResult,
  type EvidenceItem,
  type ReportedExchange
} from "../audit/Report.ts"
import { counted, scoreWords } from "../plugin/Wording.ts"
import { effortText, type Rubric, USUAL_EFFORT } from "../rubric/definition/Rubric.ts"
import { userAgents } from "../evidence/UserAgents.ts"
import { ENGINE_VERSION } from "../audit/Version.ts"

/** What the printers of a report share: its groups, rows and sentences, in the order in which all of them show it. */
export interface ReportView extends FixList {
  readonly report: AuditReport
  /** Of the audited URL: places on it are shown as their paths. */
  readonly origin: string
  readonly categories: ReadonlyArray<CategoryView>
  /** What speaks against the site, of the criteria that miss points, in the order of the rubric. */
  readonly missed: ReadonlyArray<MissedFinding>
  /** Criteria that are not among the fixes, a sentence for each group: `Full points: A3, B4.` */
  readonly besides: ReadonlyArray<string>
  /** Of the criteria on trial those that a short report tells. */
  readonly trials: ReadonlyArray<CriterionResult>
  readonly signals: ReadonlyArray<SignalView>
}

interface CategoryView {
  readonly key: string
  /** By which ids begin. */
  readonly letter: string
  readonly title: string
  readonly score: number
  readonly max: number
  /** Whether any of its criteria applies to the site. */
  readonly applies: boolean
  readonly criteria: ReadonlyArray<CriterionResult>
}

/** Of a category none of whose criteria apply to the site, in place of its points. */
export const DOES_NOT_APPLY = "does not apply"

/** Something that was found against the site, and where. */
export interface MissedFinding {
  readonly criterion: CriterionResult
  readonly url: string
  readonly note: string
  /** The file that the page is made from, where the page links to it. */
  readonly source: string | null
}

/** What was looked for and earns nothing yet. */
interface SignalView {
  readonly name: string
  /** What it is good for, and what was found. */
  readonly about: string
  readonly seen: boolean
  readonly url: string
}

export const reportView = (report: AuditReport): ReportView => {
  const list = fixList(report)
  return {
    ...list,
    report,
    origin: URL.parse(report.base_url)?.origin ?? "",
    categories: Object.entries(report.categories).map(([key, category]) => {
      const criteria = criteriaOf(report, key)
      return { ...category, key, letter: key.slice(0, 1), applies: categoryApplies(criteria), criteria }
    }),
    missed: missedFindings(report, report.criteria),
    besides: besides(report, list),
    trials: trialsToTell(report),
    // Older reports have no names and no reasons.
    signals: report.signals.map(({ detail = "", id, name = id.replaceAll("_", " "), seen, url, why = "" }) => ({
      name,
      about: `${why} ${detail}`.trimEnd(),
      seen,
      url
    }))
  }
}

/** What speaks against the site, of those of the criteria that miss points; the summary of one that has no such finding. */
export const missedFindings = (
  { pages = [] }: AuditReport,
  criteria: ReadonlyArray<CriterionResult>
): ReadonlyArray<MissedFinding> => {
  const sources = new Map(pages.map(({ source, url }) => [url, source ?? null]))
  return criteria.flatMap((criterion) => {
    const { evidence_url, findings = [], max, score, status, summary } = criterion
    if (score === max || status === "inconclusive" || !isApplicable(criterion)) return []
    const bad = findings.filter(({ good }) => !good)
    const told = bad.length === 0 ? [{ url: evidence_url, note: summary }] : bad
    return told.map(({ note, url }) => ({ criterion, note, url, source: sources.get(url) ?? null }))
  })
}

/** The criteria of a category, whose ids begin with its letter. */
export const criteriaOf = ({ criteria }: AuditReport, category: string): ReadonlyArray<CriterionResult> =>
  criteria.filter(({ id }) => id.startsWith(category.slice(0, 1)))

/** A category without criteria is one that an old report does not list. */
export const categoryApplies = (criteria: ReadonlyArray<CriterionResult>): boolean =>
  criteria.length === 0 || criteria.some(isApplicable)

const besides = ({ criteria }: AuditReport, { notApplicable, notChecked }: FixList): ReadonlyArray<string> => {
  const full = criteria.filter(({ max, score, status }) => score === max && status !== "inconclusive")
  const groups = [
    ["Could not be checked", notChecked],
    ["Full points", full],
    ["Not applicable (no HTTP API)", notApplicable]
  ] as const
  return groups.flatMap(([label, some]) =>
    some.length === 0 ? [] : [`${label}: ${some.map(({ id }) => id).join(", ")}.`]
  )
}

/** A URL as its path where it is on `origin`; as a whole elsewhere. */
export const placeOn = (origin: string, url: string): string =>
  url.startsWith(`${origin}/`) ? url.slice(origin.length) : url

/** The verdict, where the score can be relied on. */
export const verdictText = ({ reliability: { reliable }, verdict }: AuditReport): string =>
  reliable ? verdict : "not reliable"

/** `78`; `at least 43`. */
export const scoreText = ({ reliability: { reliable }, total_score }: AuditReport): string =>
  scoreWords(total_score, reliable)

/** `78 of 100`; `39 of the 70 that apply`; `at least 43 of 100`. */
export const scoreOfAll = (report: AuditReport): string => `${scoreText(report)} of ${allOf(report)}`

/** What a score is out of: `100`, or `the 70 that apply`. */
export const allOf = ({ applicable_score: applicable, max_score: all }: AuditReport): string =>
  applicable === undefined ? String(all) : outOf(applicable.max, all)

/** The same by both numbers. */
export const outOf = (applicable: number, all: number): string =>
  applicable === all || applicable === 0 ? String(all) : `the ${applicable} that apply`

/** `78 of 100, AI-ready`; `at least 43 of 100, not reliable`. */
export const scoreInFull = (report: AuditReport): string => `${scoreOfAll(report)}, ${verdictText(report)}`

/** What it means that a report is not reliable. */
export const UNRELIABLE = "what we could not check earned no points, so the score is at least this."

/** How much could be checked; empty if all could. */
export const coverageText = ({ reliability: { coverage } }: Pick<AuditReport, "reliability">): string =>
  coverage < 1 ? `We could check only ${Math.round(coverage * 100)} of 100 points.` : ""

/** The effort of a fix in words. */
export const effortOf = ({ criterion: { remedy } }: Fix): string => effortText(remedy?.effort ?? USUAL_EFFORT)

/** What was found; a report from before version 2 of the rubric has its evidence only. */
export const findingsOf = ({ evidence, findings }: CriterionResult): ReadonlyArray<EvidenceItem> => findings ?? evidence

/** The exchanges that a criterion cites, by their indices in the report, in the order in which it cites them. */
export const citedIn = (criterion: CriterionResult): ReadonlySet<number> =>
  new Set([...criterion.evidence, ...findingsOf(criterion)].flatMap(({ exchange }) => exchange ?? []))

/** Texts of the rubric in force that a report does not contain. */
export interface RubricWords {
  /** The levels of the total; empty if the rubric in force does not have the report's verdict. */
  readonly verdicts: Rubric["verdicts"]
  /** Why each criterion matters, by id, for criteria that the rubric in force measures by the same plugin. */
  readonly why: ReadonlyMap<string, string>
}

/** The texts of the rubric in force that apply to a report. */
export const rubricWordsFor = (
  { categories, experimental = [], verdicts }: Rubric,
  report: AuditReport
): RubricWords => {
  const measuredBy = new Map(allCriteria(report).map(({ id, measured: { plugin } }) => [id, plugin]))
  const known = [...categories.flatMap(({ criteria }) => criteria), ...experimental].filter(
    ({ id, plugin }) => measuredBy.get(id) === plugin
  )
  return {
    verdicts: verdicts.some(({ word }) => word === report.verdict) ? verdicts : [],
    why: new Map(known.map(({ id, why }) => [id, why]))
  }
}

/** Faults of requests that are never sent, so that there is nothing to repeat. */
const NEVER_SENT: ReadonlySet<string> = new Set(["off_site", "bad_address", "not_public", "shut_out", "not_in_folder"])

/** In single quotes for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The request as a curl command that prints status, headers and body; `null` if the request was never sent. */
export const curlOf = ({
  accept,
  agent,
  fault,
  method,
  redirects = [],
  request_body: body,
  url
}: ReportedExchange): string | null => {
  if (!/^https?:\/\//i.test(url) || (fault !== undefined && NEVER_SENT.has(fault))) return null
  return [
    `curl -sSgi${redirects.length === 0 ? "" : "L"} --compressed`,
    `-A ${quoted(userAgents(ENGINE_VERSION, null)[agent])}`,
    ...(accept === "*/*" ? [] : [`-H ${quoted(`Accept: ${accept}`)}`]),
    ...(method === "POST" ? [`-H 'Content-Type: application/json' --data-raw ${quoted(body ?? "")}`] : []),
    quoted(url)
  ].join(" ")
}

/** What came back, in a few words: `200, 5,598 bytes`; `no response: no answer within 15 s`. */
export const outcomeText = ({
  body,
  body_bytes: bytes,
  body_cut: cut,
  failure,
  redirects = [],
  status
}: ReportedExchange): string => {
  if (status === null) return `no response: ${failure ?? "not known why"}`
  const hops = redirects.length === 0 ? [] : [`after ${counted(redirects.length, "redirect")}`]
  return [
    String(status),
    ...hops,
    counted(bytes, "byte") + (cut && body !== null ? ", of which the first are shown" : "")
  ].join(", ")
}
