import type { LossKind, RefereeOutcome, Refereed, RefereeResult, RefereeRow } from "../../engine/referee/Referee.ts"
import type { TheirVerdict } from "../../engine/referee/ToolReports.ts"
import { counted, enumerated, scoreWords } from "../../engine/plugin/Wording.ts"
import { plainText } from "../../engine/text/PlainText.ts"

/** Maximum length of what a tool calls a check, and of what it says of one, in characters. */
const LONGEST_ID = 80
const LONGEST_WORDS = 200

export const idText = (id: string): string => plainText(id, LONGEST_ID)

export const saysText = (says: string): string => plainText(says, LONGEST_WORDS)

/** Rows that are told one by one, in this order. */
export const TOLD = ["contradict", "ours_stricter", "theirs_stricter"] as const satisfies ReadonlyArray<RefereeOutcome>

export const headingOf = (outcome: (typeof TOLD)[number], title: string): string => {
  if (outcome === "contradict") return "They contradict each other: ask again, the exchange decides"
  return outcome === "ours_stricter"
    ? "docgauge asks for more, or for something else"
    : `${title} asks for more, or for something else`
}

const VERDICT_WORDS: Readonly<Record<TheirVerdict, string>> = {
  pass: "passes",
  partial: "passes in part",
  fail: "fails",
  open: "no verdict"
}

/** `AFDocs: passes; docgauge A1 2/3: this part fails (dead_links 1)`. */
export const verdictsText = ({ criterion, measured, ours, part, theirs }: RefereeRow, title: string): string => {
  if (criterion === null) return `${title}: ${VERDICT_WORDS[theirs]}`
  const facts = Object.entries(measured).map(([name, value]) => `${name} ${shown(value)}`)
  const own = `${part === null ? "" : "this part "}${VERDICT_WORDS[ours]}${facts.length === 0 ? "" : ` (${facts.join(", ")})`}`
  return `${title}: ${VERDICT_WORDS[theirs]}; docgauge ${criterion.id} ${criterion.score}/${criterion.max}: ${own}`
}

const shown = (value: number | boolean | string): string =>
  typeof value === "number" && !Number.isInteger(value) ? value.toFixed(2) : String(value)

/** Both scores, and how far they are apart. */
export const scoresText = ({ reliable, total_score }: RefereeResult, { scores, title, version }: Refereed): string => {
  const own = `docgauge ${scoreWords(total_score, reliable)} of 100`
  const name = `${title}${version === null ? "" : ` (${plainText(version, 40)})`}`
  const [first] = scores
  if (first === undefined) return `${own}, ${name} gives no score in this report.`
  if (scores.length > 1 || first.name !== null) {
    return `${own}, ${name}: ${enumerated(scores.map((score) => `${plainText(score.name ?? "", 40)} ${score.score}`))}.`
  }
  const apart = Math.abs(first.score - total_score)
  return `${own}, ${name} ${first.score}: ${apart === 0 ? "the same" : `${counted(apart, "point")} apart`}.`
}

const LOSSES: Readonly<Record<LossKind, (title: string) => string>> = {
  not_looked_at: (title) => `for what ${title} does not look at`,
  ours_stricter: () => "where docgauge asks for more, or for something else",
  contradict: () => "where the two contradict each other",
  both: () => "where both find something missing",
  theirs_open: (title) => `where ${title} has no verdict`,
  not_applicable: () => "for an HTTP API, which nothing suggests that the site has",
  not_checked: () => "that docgauge could not check"
}

interface LossLine {
  readonly points: number
  readonly text: string
}

/** Where the points are that docgauge does not give. */
export const lossLines = ({ losses, title }: Refereed): ReadonlyArray<LossLine> =>
  losses.map(({ criteria, kind, points }) => ({
    points,
    text: `${LOSSES[kind](title)}: ${criteria.map(({ id, points }) => `${id} (${points})`).join(", ")}`
  }))

/** `Of the 67 points that docgauge does not give:`. */
export const lossHeading = ({ losses }: Refereed): string => {
  const lost = losses.reduce((sum, { points }) => sum + points, 0)
  return lost === 0 ? "docgauge gives all points." : `Of the ${counted(lost, "point")} that docgauge does not give:`
}

export const rowsOf = ({ rows }: Refereed, outcome: RefereeOutcome): ReadonlyArray<RefereeRow> =>
  rows.filter((row) => row.outcome === outcome)

/** Whether the site does not pass the check of the other tool. */
export const isMissed = ({ theirs }: RefereeRow): boolean => theirs === "fail" || theirs === "partial"

/** Checks that both judge alike, in one sentence for those that pass and one for those that do not. */
export const agreeingTexts = (refereed: Refereed): ReadonlyArray<string> => {
  const rows = rowsOf(refereed, "agree")
  const named = (some: ReadonlyArray<RefereeRow>) =>
    some.map(({ check, criterion }) => `${idText(check)} (${criterion?.id ?? ""})`).join(", ")
  const [passed, missed] = [rows.filter(({ ours }) => ours === "pass"), rows.filter(({ ours }) => ours !== "pass")]
  const reasons = missed.some(({ relation }) => relation === "overlaps") ? ", if not always for the same reason" : ""
  return [
    ...(passed.length === 0 ? [] : [`Both pass ${counted(passed.length, "check")}: ${named(passed)}.`]),
    ...(missed.length === 0 ? [] : [`Neither passes ${counted(missed.length, "check")}${reasons}: ${named(missed)}.`])
  ]
}

/** That the two reports are about different hosts; `null` if they are not. */
export const twoSitesText = ({ base_url }: RefereeResult, { same_site, title, url }: Refereed): string | null =>
  same_site
    ? null
    : `Two sites: docgauge audited ${plainText(base_url, 300)}, ${title} ${plainText(url ?? "", 300)}. What follows says little.`
