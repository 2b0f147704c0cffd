import type { CriterionChange, DecidingCondition, Promotion } from "../../engine/audit/compare/CriterionChange.ts"
import type { NotComparable, RescoredRun } from "../../engine/audit/compare/Rescore.ts"
import {
  changeOf,
  type GroupKind,
  type GroupSummary,
  type Quantiles,
  type ReasonGroup,
  type RescoreSummary,
  type VerdictChange
} from "../../engine/audit/compare/RescoreTally.ts"
import type { FactSummary, TrialStatus, TrialSummary } from "../../engine/audit/compare/TrialTally.ts"
import type { FactRecord } from "../../engine/plugin/Fact.ts"
import { counted, enumerated, firstNamed, signed } from "../../engine/plugin/Wording.ts"
import { plainText } from "../../engine/text/PlainText.ts"

/** Plain texts in rows, for a terminal or for Markdown. */
export interface RescoreTable {
  readonly header: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** What a rescoring shows, derived once: plain texts, which a terminal wraps and colours, and Markdown escapes. */
export interface RescoreView {
  readonly summary: RescoreSummary
  readonly unchanged: number
  /** How many runs the change touches; empty if nothing was rescored. */
  readonly concerned: string
  /** What a promotion assumes, and what pays for it; empty without one. */
  readonly promotion: string
  /** How scores are spread before and after, for each kind of run; without rows if nothing was rescored. */
  readonly scores: RescoreTable
  /** How the order of runs changes. */
  readonly ranks: ReadonlyArray<string>
  readonly verdicts: ReadonlyArray<string>
  readonly largest: ReadonlyArray<ChangedRun>
  /** Each reason once, however many runs it moves. */
  readonly reasons: ReadonlyArray<ReasonRow>
  /** What runs say of criteria on trial. */
  readonly trials: RescoreTable
  readonly trialLines: ReadonlyArray<string>
  /** How many runs cannot be compared, and why if that is the same for all. */
  readonly incomparable: string
  readonly incomparableRuns: RescoreTable
}

/** A run whose score another rubric changes. */
interface ChangedRun {
  readonly run: RescoredRun
  readonly change: number
  /** `B2 +3, D5 −1`. */
  readonly moves: string
}

/** Why a criterion changes, and where. */
interface ReasonRow {
  readonly id: string
  readonly title: string
  readonly points: string
  /** One to three clauses; `quote` marks conditions. */
  readonly clauses: (quote: (condition: string) => string) => ReadonlyArray<string>
  readonly sites: string
}

export const rescoreView = (summary: RescoreSummary, promotion: Promotion | null): RescoreView => {
  const { lowered, raised, rescored } = summary
  return {
    summary,
    unchanged: rescored - raised - lowered,
    concerned: concernedSentence(summary),
    promotion: promotionSentence(promotion),
    scores: groupTable(summary),
    ranks: rankSentences(summary),
    verdicts: summary.verdicts.map(verdictLine),
    largest: summary.largest.map(changedRun),
    reasons: summary.reasons.map((group) => ({
      id: group.move.id,
      title: group.move.title,
      points: signed(changeOfMove(group.move)),
      clauses: (quote) => reasons(group.sameFacts ? group.move : { ...group.move, facts: {} }, quote),
      sites: reasonSites(group)
    })),
    trials: trialTable(summary),
    trialLines: summary.trials.flatMap(trialLines),
    incomparable: incomparableSentence(summary),
    incomparableRuns: incomparableTable(summary.incomparable)
  }
}

export const changedRun = (run: RescoredRun): ChangedRun => ({
  run,
  change: changeOf(run),
  moves: run.moves.map((move) => `${move.id} ${signed(changeOfMove(move))}`).join(", ")
})

/** Sites that a line names at most. */
const NAMED = 10

/** A status that this many runs have at most is told with their names. */
const FEW = 5

const KINDS: Readonly<Record<GroupKind, string>> = {
  reliable: "Reliable",
  unreliable: "Not reliable",
  synthetic: "Made-up sites"
}

const QUANTILES = ["p10", "p25", "p50", "p75", "p90"] as const satisfies ReadonlyArray<keyof Quantiles>

/** How scores are spread before and after, for each kind of run. */
const groupTable = ({ groups }: RescoreSummary): RescoreTable => ({
  header: ["Runs", "", "Rise", "Fall", "Average", ...QUANTILES],
  rows: groups.map(({ after, before, kind, lowered, meanChange, raised, runs }) => [
    KINDS[kind],
    String(runs),
    String(raised),
    String(lowered),
    signed(meanChange),
    ...QUANTILES.map((quantile) => moved(before[quantile], after[quantile]))
  ])
})

const moved = (before: number, after: number): string => (before === after ? String(after) : `${before} → ${after}`)

/** How the order of runs changes, a sentence for each kind with more than one run. */
const rankSentences = ({ groups }: RescoreSummary): ReadonlyArray<string> =>
  groups.filter(({ runs }) => runs > 1).map(rankSentence)

const rankSentence = ({ kind, ranks: { changed, inverted, tiesBroken, tiesMade }, runs }: GroupSummary): string => {
  const order =
    changed === 0
      ? "no rank changes"
      : `${changed} of ${runs} change rank, ${counted(inverted, "pair")} inverted, ${counted(tiesBroken, "tie")} broken, ${counted(tiesMade, "tie")} made`
  return `${KINDS[kind]}: ${order}.`
}

/** How many runs the change touches. */
const concernedSentence = ({ concerned: { of, runs }, rescored }: RescoreSummary): string => {
  if (rescored === 0) return ""
  if (of === 0)
    return "The rubric of these runs is not at hand (pass it with --before), so it is not known how many this change concerns."
  const known = of === rescored ? counted(of, "run") : `${counted(of, "run")} whose rubric is at hand`
  if (runs === 0)
    return `This change concerns none of ${known}: no criterion that it changes earns points there, before or after.`
  return runs === of
    ? `This change concerns all of ${known}.`
    : `This change concerns ${runs} of ${known}: in the others, no criterion that it changes earns points, before or after.`
}

/** What a promotion assumes, and what pays for it; empty without one. */
const promotionSentence = (promotion: Promotion | null): string => {
  if (promotion === null || promotion.criteria.length === 0) return ""
  const names = enumerated(
    promotion.criteria.map(({ id, points, title }) => `${id} ${plainText(title, 80)} (${counted(points, "point")})`)
  )
  const worth = Math.round(10_000 / promotion.total) / 100
  return `As if promoted: ${names}. No criterion is named that pays for it, so totals are out of ${promotion.total} and scaled to 100: every point of the rubric is worth ${worth}.`
}

/** `Gaps → Not ready: 2 (https://a.example 30 → 27, https://b.example 31 → 29)`. */
const verdictLine = ({ from, runs, sites, to }: VerdictChange): string => {
  const names = sites.map(({ after, before, site }) => `${plainText(site, 100)} ${before} → ${after}`)
  return `${plainText(from, 40)} → ${plainText(to, 40)}: ${runs} (${firstNamed(names, NAMED, runs)})`
}

/** `31 runs: https://a.example, https://b.example and 29 more`. */
const reasonSites = ({ runs, sites }: ReasonGroup): string =>
  `${counted(runs, "run")}: ${firstNamed(
    sites.map((site) => plainText(site, 100)),
    NAMED,
    runs
  )}`

const STATUS_WORDS: Readonly<Record<TrialStatus, string>> = {
  present: "Present",
  partial: "Partial",
  absent: "Absent",
  inconclusive: "Inconclusive",
  not_applicable: "Does not apply",
  not_measured: "Not measured"
}

const STATUSES = ["present", "partial", "absent", "inconclusive", "not_applicable", "not_measured"] as const

/** What runs say of criteria on trial. */
const trialTable = ({ trials }: RescoreSummary): RescoreTable => ({
  header: ["On trial", "Points", ...STATUSES.map((status) => STATUS_WORDS[status])],
  rows: trials.map(({ id, points, statuses, title }) => [
    `${id} ${plainText(title, 80)}`,
    String(points),
    ...STATUSES.map((status) => String(statuses[status]))
  ])
})

/** The sites of a status that few have, and how facts are spread. */
const trialLines = ({ facts, id, sites, statuses }: TrialSummary): ReadonlyArray<string> => [
  ...STATUSES.flatMap((status) =>
    statuses[status] === 0 || statuses[status] > FEW
      ? []
      : [`${id} ${STATUS_WORDS[status].toLowerCase()}: ${sites[status].map((site) => plainText(site, 100)).join(", ")}`]
  ),
  ...(facts.length === 0 ? [] : [`${id} facts (least, quartiles, most): ${facts.map(factText).join("; ")}`])
]

const factText = (fact: FactSummary): string => {
  switch (fact.kind) {
    case "number":
      return `${fact.name} ${fact.quartiles.join(", ")}`
    case "flag":
      return `${fact.name} in ${fact.held} of ${fact.runs}`
    case "word":
      return `${fact.name} ${fact.words.map(({ runs, word }) => `${plainText(word, 30)} (${runs})`).join(", ")}`
  }
}

/** How many runs cannot be compared, and why if that is the same for all. */
const incomparableSentence = ({ incomparable, notComparable }: RescoreSummary): string => {
  const reasons = new Set(incomparable.map(({ reason }) => reason))
  const [reason] = reasons
  return reasons.size === 1 && reason !== undefined
    ? `${notComparable} not comparable: ${plainText(reason, 300)}.`
    : `${notComparable} not comparable.`
}

/** Runs that cannot be compared, those with one reason together: `3 runs: reason (a, b, c)`. */
const incomparableTable = (incomparable: ReadonlyArray<NotComparable>): RescoreTable => ({
  header: ["Runs", "Why", "Which"],
  rows: [...Map.groupBy(incomparable, ({ reason }) => reason)].map(([reason, group]) => [
    String(group.length),
    plainText(reason, 300),
    firstNamed(
      group.map(({ name, site }) => plainText(site ?? name, 100)),
      NAMED
    )
  ])
})

/** The points a criterion gained or lost; empty if one rubric does not have it. */
const changeOfMove = ({ after, before }: Pick<CriterionChange, "before" | "after">): number =>
  (after?.score ?? 0) - (before?.score ?? 0)

/** `facts` as in a rubric's conditions: `links = 3, alive = 0.9`. */
const factsText = (facts: FactRecord): string =>
  Object.entries(facts)
    .map(([name, value]) => `${name} = ${typeof value === "string" ? `"${value}"` : String(value)}`)
    .join(", ")

/** The result of a level's condition, as a clause; `quote` marks the condition. */
const decisiveText = ({ condition, earns, held }: DecidingCondition, quote: (condition: string) => string): string => {
  const points = earns === 1 ? "1 point" : `${earns} points`
  if (condition === null) return `no level was reached (${points})`
  return `${quote(condition.replace(/\s+/gu, " "))} ${held ? "held" : "did not hold"} (${points})`
}

/** Why a criterion's points changed, in one to three clauses: the old condition, the new condition, the facts. */
const reasons = (move: CriterionChange, quote: (condition: string) => string): ReadonlyArray<string> => {
  const { after, before, conditionAfter, conditionBefore, facts, remeasured } = move
  const named = factsText(facts)
  const then = remeasured === null ? "" : factsText(remeasured.facts)
  return [
    ...(before === null ? ["the earlier rubric gave no points for it"] : []),
    ...(conditionBefore === null ? [] : [`before: ${decisiveText(conditionBefore, quote)}`]),
    ...(before !== null && conditionBefore === null && before.status !== "inconclusive"
      ? ["before: the earlier rubric is unknown (pass it with --before)"]
      : []),
    ...(after === null ? ["the rubric no longer has it"] : []),
    ...(conditionAfter === null ? [] : [`now: ${decisiveText(conditionAfter, quote)}`]),
    ...(named === "" ? [] : [`facts: ${named}`]),
    ...(remeasured === null
      ? []
      : [`measured again, since it ${remeasured.reason}${then === "" ? "" : `: then ${then}`}`])
  ]
}
