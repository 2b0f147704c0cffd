import type { Finding } from "../plugin/Criterion.ts"
import { revisionParts } from "../plugin/Registry.ts"
import { type Answer, type Exchange, isAnswer, isChallenge, isMissing } from "../evidence/Exchange.ts"
import { type GeneratorName, USUAL_EFFORT } from "../rubric/definition/Rubric.ts"
import type { LoadedCriterion, LoadedRubric, LoadedStep } from "../rubric/RubricFile.ts"
import { plainText } from "../text/PlainText.ts"
import { type CitedExchanges, citedExchanges } from "./CitedExchanges.ts"
import { fixList, isApplicable, ownGain } from "./FixFirst.ts"
import type { MeasuredCriterion } from "./Measure.ts"
import type { DriftReport } from "../drift/Drift.ts"
import { type FetchedPage, readingCost } from "./SamplePages.ts"
import type {
  AuditReport,
  CriterionResult,
  EvidenceItem,
  Reliability,
  Remedy,
  ReportedFinding,
  RequestTotals,
  Signal
} from "./Report.ts"
import { type Routes, TOKEN_ESTIMATOR } from "./cost/ReadingCost.ts"
import { categoryScores, isOpenByOurLimit, judgeAll, type Judgement, sum, verdictOf } from "./Score.ts"
import { ENGINE_VERSION } from "./Version.ts"
import { addressShown, counted, enumerated } from "../plugin/Wording.ts"

/** Exchanges that a criterion cites at most. */
const EVIDENCE = 5

/** Findings of a criterion in the report, and their characters: a hostile site decides how many there are and how long their URLs. */
const FINDINGS = 200
const FINDING_CHARACTERS = 60_000

/** URLs that a remedy names at most. */
const ADDRESSES = 10

export interface ReportParts {
  readonly url: string
  readonly date: string
  readonly rubric: LoadedRubric<unknown>
  /** By criterion. */
  readonly outcomes: ReadonlyMap<string, MeasuredCriterion>
  readonly signals: ReadonlyArray<Signal>
  readonly reliability: Reliability
  readonly pages: ReadonlyArray<FetchedPage>
  /** Ways to the documentation of one operation; `null`: no page that was read shows one. */
  readonly routes: Routes | null
  readonly drift: DriftReport
  readonly requests: RequestTotals
  /** The documentation generator that the pages were made by; `null`: unknown. */
  readonly generator: GeneratorName | null
}

/** What a report says of the rubric that judged it. */
export const rubricOfReport = ({
  changedBy,
  digest,
  rubric: { draft = false, id, version }
}: Pick<LoadedRubric<unknown>, "changedBy" | "digest" | "rubric">): AuditReport["rubric"] => ({
  id,
  version,
  digest,
  ...(draft ? { draft } : {}),
  ...(changedBy === null ? {} : { changed_by: changedBy })
})

/** Puts the report together: judges, adds up, and cites. Pure. */
export const assembleReport = (parts: ReportParts): AuditReport => {
  const { date, outcomes, reliability, rubric, signals, url } = parts
  const {
    criteria,
    experimental,
    rubric: { categories, verdicts }
  } = rubric
  const judgements = judgeAll([...criteria, ...experimental], outcomes)
  const scores = categoryScores(criteria, judgements)
  const total = scores.reduce((sum, { score }) => sum + score, 0)
  const max = scores.reduce((sum, category) => sum + category.max, 0)
  const findings = new Map(
    [...criteria, ...experimental].flatMap(({ definition: { id } }) => {
      const [outcome, judgement] = [outcomes.get(id), judgements.get(id)]
      return outcome === undefined || judgement === undefined
        ? []
        : [[id, findingsFor(outcome, judgement, url)] as const]
    })
  )
  const cited = citedExchanges(
    [...findings.values()].flatMap(evidenceIn),
    [...findings.values()].flatMap(findingsWithin)
  )
  const resultOf = (criterion: LoadedCriterion<unknown>): ReadonlyArray<CriterionResult> => {
    const { id } = criterion.definition
    const [outcome, judgement, found] = [outcomes.get(id), judgements.get(id), findings.get(id)]
    return outcome === undefined || judgement === undefined || found === undefined
      ? []
      : [result(criterion, { judgement, outcome, findings: found, cited, judgements, parts })]
  }
  const results = criteria.flatMap(resultOf)
  return {
    base_url: url,
    audit_date: date,
    total_score: total,
    max_score: max,
    categories: Object.fromEntries(
      categories.map((category) => {
        const { score, max } = scores.find((one) => one.category === category.id) ?? { score: 0, max: category.points }
        return [category.key, { score, max, title: category.title }]
      })
    ),
    criteria: results,
    verdict: verdictOf(verdicts, total),
    rubric: rubricOfReport(rubric),
    engine_version: ENGINE_VERSION,
    reliability,
    signals,
    experimental: experimental.flatMap(resultOf),
    applicable_score: { score: total, max: sum(results.filter(isApplicable).map((criterion) => criterion.max)) },
    fix_first: fixList({ criteria: results }).fixes.map(({ criterion, gain, includes }) => ({
      id: criterion.id,
      gain,
      own: ownGain(criterion),
      effort: criterion.remedy?.effort ?? USUAL_EFFORT,
      includes: includes.map((included) => included.id)
    })),
    pages: parts.pages.map(({ bytes, named, source, status, title, tokens, url }) => ({
      url,
      status,
      title,
      bytes,
      ...(source === undefined ? {} : { source }),
      ...(named === undefined ? {} : { named }),
      tokens,
      failed: failedOn(url, results)
    })),
    token_estimator: TOKEN_ESTIMATOR,
    reading_cost: readingCost(parts.pages, parts.routes),
    drift: parts.drift,
    requests: parts.requests,
    exchanges: cited.exchanges,
    exchanges_left_out: cited.leftOut
  }
}

/** The criteria with points to gain that have a finding against a page. Summaries cite one page for all, so they do not count. */
const failedOn = (url: string, criteria: ReadonlyArray<CriterionResult>): ReadonlyArray<string> =>
  criteria
    .filter(
      ({ findings = [], max, score, status }) =>
        score < max &&
        status !== "inconclusive" &&
        findings.slice(1).some((finding) => !finding.good && finding.url === url)
    )
    .map(({ id }) => id)

/** What a criterion's result is made of. */
interface Judged {
  readonly judgement: Judgement
  readonly outcome: MeasuredCriterion
  readonly findings: Findings
  readonly cited: CitedExchanges
  /** Of all criteria, by id. */
  readonly judgements: ReadonlyMap<string, Judgement>
  readonly parts: ReportParts
}

const result = (criterion: LoadedCriterion<unknown>, judged: Judged): CriterionResult => {
  const { definition } = criterion
  const {
    cited,
    findings,
    judgement,
    judgements,
    outcome,
    parts: { reliability }
  } = judged
  const { earns, status } = judgement
  const { facts, uncertain } = outcome
  const [summary] = findings
  const needs = definition.needs ?? []
  const bad = findings.slice(1).filter(({ good }) => !good)
  return {
    id: definition.id,
    status,
    score: earns,
    max: definition.points,
    ...(isOpenByOurLimit(judgement, outcome) ? { reason: "our_limit" as const } : {}),
    evidence_url: summary.proof.url,
    title: definition.title,
    summary: plainText(summary.message),
    evidence: evidenceIn(findings).map((finding) => evidenceItem(finding, cited)),
    remedy:
      earns === definition.points
        ? null
        : {
            ...advice(criterion, judged),
            addresses: distinct((bad.length === 0 ? [summary] : bad).map(({ proof }) => proof.url)).slice(0, ADDRESSES)
          },
    measured: {
      plugin: definition.plugin,
      revision: revisionParts(definition.revision).major,
      params: definition.params,
      facts,
      ...(Object.keys(uncertain).length === 0 ? {} : { uncertain })
    },
    applicable: definition.applies === undefined || status !== "absent" || !reliability.flags.includes("no_http_api"),
    blocked_by: earnsNothing(judgement) && needs.every((id) => earnsNothing(judgements.get(id))) ? needs : [],
    ...findingsOf(findings, cited)
  }
}

/** What is there in part may earn nothing, too. */
const earnsNothing = (judgement: Judgement | undefined): boolean =>
  judgement !== undefined && judgement.earns === 0 && judgement.status !== "inconclusive"

type Findings = MeasuredCriterion["findings"]

const findingsFor = (outcome: MeasuredCriterion, { status }: Judgement, url: string): Findings =>
  status === "inconclusive" && outcome.facts !== null ? undecided(outcome, url) : outcome.findings

/** Maximum number of missing responses that a summary names. */
const NAMED = 3

/**
 * The findings of a criterion that reaches one level or another, depending on what missing responses would have shown:
 * first which responses are missing, each cited, then what was found. `base`: the URL of the audit, whose host goes without saying.
 */
export const undecided = (
  { findings, unanswered }: Pick<MeasuredCriterion, "findings" | "unanswered">,
  base: string
): Findings => {
  const outcomes = Map.groupBy(unanswered, (exchange) => outcomeAt(exchange, base))
  const missing = [...outcomes].flatMap(([outcome, [proof]]) => (proof === undefined ? [] : [{ outcome, proof }]))
  const [first, ...others] = missing
  if (first === undefined) return findings
  const more = missing.length - NAMED
  const named = enumerated([
    ...missing.slice(0, NAMED).map(({ outcome }) => outcome),
    ...(more > 0 ? [counted(more, "more URL")] : [])
  ])
  return [
    { good: false, message: `The result depends on what we could not read: ${named}.`, proof: first.proof },
    ...findings.slice(0, 1),
    ...others
      .slice(0, NAMED - 1)
      .map(({ outcome, proof }): Finding => ({ good: false, message: `${outcome}.`, proof })),
    ...findings.slice(1)
  ]
}

const outcomeAt = (exchange: Exchange, base: string): string =>
  `${addressShown(exchange.asked.url, base)} ${isAnswer(exchange) ? answerOutcome(exchange) : `could not be fetched (${exchange.message})`}`

const answerOutcome = (answer: Answer): string =>
  isChallenge(answer)
    ? "returned a bot challenge"
    : answer.cut && !isMissing(answer)
      ? "has more than we read"
      : `returned ${answer.status}`

/** What is left to do and what is done, by the facts; nothing is advised without them. */
const advice = (
  { definition: { remedy }, steps }: LoadedCriterion<unknown>,
  { judgement, outcome: { facts, uncertain }, parts: { generator } }: Judged
): Omit<Remedy, "addresses"> => {
  const { effort, recipes } = remedy
  if (facts === null || judgement.status === "inconclusive") return { effort, steps: [], steps_done: [] }
  const isDone = ({ unless }: LoadedStep): boolean => unless?.holds(facts) === true
  // A missing response may show that there is something to do after all.
  const isCertain = ({ unless }: LoadedStep): boolean =>
    unless?.reads.every((name) => !Object.hasOwn(uncertain, name)) === true
  const recipe = generator === null ? undefined : recipes?.[generator]
  return {
    effort,
    steps: steps.filter((step) => !isDone(step)).map(({ text }) => text),
    steps_done: steps.filter((step) => isDone(step) && isCertain(step)).map(({ text }) => text),
    ...(generator === null || recipe === undefined ? {} : { recipe: { generator, ...recipe } })
  }
}

/** All findings up to both limits, and how many are left out. */
const findingsOf = (
  findings: Findings,
  cited: CitedExchanges
): Pick<CriterionResult, "findings" | "findings_left_out"> => {
  const kept = findingsWithin(findings)
  return {
    findings: kept.map((finding): ReportedFinding => {
      const { exchange, ...item } = evidenceItem(finding, cited)
      return { ...item, good: finding.good, ...(exchange === undefined ? {} : { exchange }) }
    }),
    findings_left_out: findings.length - kept.length
  }
}

const findingsWithin = (findings: Findings): ReadonlyArray<Finding> => {
  let room = FINDING_CHARACTERS
  return findings
    .slice(0, FINDINGS)
    .filter(({ message, proof }) => (room -= plainText(message).length + proof.url.length) >= 0)
}

/** The findings that a criterion cites as evidence: the first few that differ. */
const evidenceIn = (findings: Findings): ReadonlyArray<Finding> => {
  const byText = new Map(
    findings.toReversed().map((finding) => [`${finding.proof.url}\n${plainText(finding.message)}`, finding])
  )
  const firsts = new Set(byText.values())
  return findings.filter((finding) => firsts.has(finding)).slice(0, EVIDENCE)
}

const evidenceItem = ({ message, proof }: Finding, { indexOf }: CitedExchanges): EvidenceItem => {
  const exchange = indexOf(proof)
  return {
    url: proof.url,
    status: isAnswer(proof) ? proof.status : null,
    note: plainText(message),
    ...(exchange === undefined ? {} : { exchange })
  }
}

const distinct = (texts: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(texts)]
