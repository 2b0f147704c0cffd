import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { BoundCriterion } from "../criterion/Registry.ts"
import { originOf, plainForm, siteOf } from "../evidence/Address.ts"
import { type AuditBudget, criterionSpender, makeAuditBudget } from "../evidence/AuditBudget.ts"
import { Evidence } from "../evidence/Evidence.ts"
import { isOk } from "../evidence/Exchange.ts"
import { FetchLimits } from "../evidence/FetchLimits.ts"
import type { JournalEntry, JournalListener } from "../evidence/Journal.ts"
import type { Transport } from "../evidence/Transport.ts"
import { ParserPool } from "../parse/ParserPool.ts"
import type { LoadedRubric } from "../rubric/RubricFile.ts"
import { baseSpender, gatherBase } from "../site/base/Base.ts"
import { siteSpenders } from "../site/Derivations.ts"
import { requestEarly } from "../site/EarlyRequests.ts"
import { productionOrigin } from "../site/ProductionOrigin.ts"
import type { NamedPages } from "../site/sample/Sample.ts"
import { makeSite, type Site, type SiteUnderAudit } from "../site/Site.ts"
import { forbidsAudit, robots } from "../site/wellknown/Robots.ts"
import { assembleReport } from "./Assemble.ts"
import { AuditFailed, type Refusal, Refused } from "./AuditError.ts"
import { cutEvidence, type KeptExchange, withoutCutEvidence } from "./CutEvidence.ts"
import { cutTexts, joined } from "./CutTexts.ts"
import { measure, type MeasuredCriterion, notChecked, withoutUnfetchedProof } from "./Measure.ts"
import { refusalOfBase, refusalOfPages, shutOut } from "./Refusals.ts"
import { reliabilityOf } from "./Reliability.ts"
import type { AuditReport, RequestTotals } from "./Report.ts"
import { fetchedPages, routesTo } from "./SamplePages.ts"
import { coverageOf, judgeAll, pointsLostInTransport } from "./Score.ts"
import { gatherSignals, signalsSpender } from "./Signals.ts"
import { siteGenerator } from "./SiteGenerator.ts"

/** What to audit and how; the same request on the same evidence gives the same report. */
export interface AuditRequest {
  /** As `parseTarget` returns it, and as the report repeats it. */
  readonly url: string
  /** The run's date, `YYYY-MM-DD`. */
  readonly date: string
  readonly sampleSize: number
  /** Paths and globs of pages that are always in the sample; none if missing. */
  readonly namedPages?: ReadonlyArray<string>
  /** The production origin whose URLs are read as the audited origin's; `null`: none. */
  readonly canonicalOrigin: string | null
  /** Whether the site is a folder and not served: criteria that judge a server are not measured. */
  readonly folder?: boolean
  readonly rubric: LoadedRubric<BoundCriterion>
  readonly listen?: (event: AuditEvent) => void
  /** Reads what was derived of the site, after all criteria were measured. */
  readonly inspect?: (site: Site) => Effect.Effect<void>
}

/** Progress of a running audit. */
export type AuditEvent =
  | Parameters<JournalListener>[0]
  | { readonly _tag: "Measured"; readonly criterion: string; readonly done: number; readonly total: number }

/** A report and the evidence behind it. */
export interface AuditOutcome {
  readonly report: AuditReport
  /** Every request, in a defined order. */
  readonly journal: ReadonlyArray<KeptExchange>
  /** The one other origin that the site names as its own, as a preview does; `null` where it names none. */
  readonly productionOrigin: string | null
  /** What `namedPages` led to. */
  readonly named: ReadonlyArray<NamedPages>
}

/**
 * Audits a site: plans what each part may fetch, collects robots.txt, the base page and what the criteria ask for, judges by
 * the rubric and puts the report together. Fails only where no report is possible.
 */
export const runAudit = ({ rubric, ...request }: AuditRequest): Effect.Effect<AuditOutcome, AuditFailed, Transport | ParserPool> =>
  auditLoading(request, Effect.succeed(rubric))

/** The same with a rubric that is loaded while the first answers are awaited. A site that can't be audited doesn't wait for it. */
export const auditLoading = Effect.fn("Audit.run")(function*<E>(
  request: Omit<AuditRequest, "rubric">,
  rubric: Effect.Effect<LoadedRubric<BoundCriterion>, E>
): Effect.fn.Return<AuditOutcome, AuditFailed | E, Transport | ParserPool> {
  const limits = yield* FetchLimits
  const { canonicalOrigin, listen = () => {}, sampleSize } = request
  // Requests and comparisons use the plain form of the URL; only the report has it as given.
  const url = plainForm(request.url)
  const budget = makeAuditBudget(limits, sampleSize)
  budget.reserve([robots, baseSpender])
  const evidence = Evidence.layer({
    site: siteOf(new URL(url).hostname),
    canonicalOrigin: canonicalOrigin === null ? null : { origin: canonicalOrigin, as: originOf(url) },
    allowanceOf: budget.allowanceOf,
    listen
  })
  return yield* Effect.scoped(Effect.flatMap(collect(request, { url, budget, rubric }), (collected) => reportOn(request, collected))).pipe(
    Effect.catch((error: Refused | E): Effect.Effect<never, AuditFailed | E, Evidence> =>
      error instanceof Refused ? failWithJournal(error) : Effect.fail(error)),
    Effect.provide(evidence)
  )
})

const failWithJournal = Effect.fnUntraced(function*({ advice, message, reason }: Refused): Effect.fn.Return<never, AuditFailed, Evidence> {
  const { journal } = yield* Evidence
  return yield* new AuditFailed({ reason, message, advice, journal: yield* journal })
})

/** What an audit has before anything is judged. */
interface Collected {
  readonly rubric: LoadedRubric<BoundCriterion>
  readonly site: SiteUnderAudit
  readonly outcomes: ReadonlyArray<readonly [id: string, outcome: MeasuredCriterion]>
  readonly signals: AuditReport["signals"]
}

/** What collecting starts from. */
interface Planned<E> {
  /** The plain form of the audited URL. */
  readonly url: string
  readonly budget: AuditBudget
  readonly rubric: Effect.Effect<LoadedRubric<BoundCriterion>, E>
}

/** Reads robots.txt and the base page, then lets all plugins measure at once. */
const collect = Effect.fn("Audit.collect")(function*<E>(
  { date, folder, inspect, listen, namedPages = [], sampleSize }: Omit<AuditRequest, "rubric">,
  { budget, rubric: loading, url }: Planned<E>
): Effect.fn.Return<Collected, Refused | E, Evidence | ParserPool | Scope.Scope> {
  const evidence = yield* Evidence
  const loaded = yield* Effect.forkChild(loading)
  const robotsTxt = yield* evidence.collector(robots.collector).get(`${originOf(url)}/robots.txt`)
  if (forbidsAudit(robotsTxt, url)) return yield* new Refused(shutOut)
  const answer = yield* evidence.collector(baseSpender.collector).get(url)
  budget.reserve(siteSpenders)
  if (isOk(answer)) yield* Effect.forkChild(requestEarly(evidence, { audited: url, answer, robots: robotsTxt }), { startImmediately: true })
  const base = yield* gatherBase(evidence.collector(baseSpender.collector), yield* ParserPool, url)
  yield* refuseIf(refusalOfBase(base))
  const site = yield* makeSite({ base, date, sampleSize, namedPages })
  const engine = site.for("site/audit")
  if ((yield* engine.robots).shutsOutDocgauge) return yield* new Refused(shutOut)

  const measuring = Effect.gen(function*() {
    const rubric = yield* Fiber.join(loaded)
    const criteria = [...rubric.criteria, ...rubric.experimental].map(({ bound, definition }) => criterionSpender(definition.id, bound.budget))
    budget.reserve([...criteria, signalsSpender])
    const [outcomes, signals] = yield* Effect.all([
      // Criteria fetch after llms.txt and the sitemaps, which the sample waits for.
      Effect.andThen(Effect.all([engine.llmsTxt, engine.sitemaps], { concurrency: "unbounded" }), Effect.suspend(() => measureAll(rubric, site, { folder, listen }))),
      gatherSignals(site.for(signalsSpender.collector))
    ], { concurrency: "unbounded" })
    return { rubric, outcomes, signals }
  })
  const [, measured] = yield* Effect.all([requirePages(engine), measuring], { concurrency: "unbounded" })
  if (inspect !== undefined) yield* inspect(engine)
  return { site, ...measured }
})

/** All criteria at once, experimental ones included. */
const measureAll = (
  { criteria, experimental }: LoadedRubric<BoundCriterion>,
  site: SiteUnderAudit,
  { folder = false, listen = () => {} }: { readonly folder: boolean | undefined; readonly listen: AuditRequest["listen"] }
): Effect.Effect<Collected["outcomes"]> => {
  const all = [...criteria, ...experimental]
  let done = 0
  return Effect.forEach(all, (criterion) =>
    Effect.map(folder && criterion.bound.needsServer ? Effect.succeed(notChecked(site.for("site/audit").base.exchange)) : measure(criterion, site.for(criterion.definition.id)), (outcome) => {
      done += 1
      listen({ _tag: "Measured", criterion: criterion.definition.id, done, total: all.length })
      return [criterion.definition.id, outcome] as const
    }), { concurrency: "unbounded" })
}

/** Judges by the rubric. */
const reportOn = Effect.fn("Audit.report")(function*(
  { date, folder = false, url }: Omit<AuditRequest, "rubric">,
  { outcomes: collected, rubric, signals, site }: Collected
): Effect.fn.Return<AuditOutcome, never, Evidence> {
  const evidence = yield* Evidence
  const journal = (yield* evidence.journal).map((entry) => ({ ...entry, askedBy: criteriaBehind(entry, site) }))
  const measured = withoutUnfetchedProof(collected, journal, site.for("site/audit").base.exchange)
  const outcomes = withoutCutEvidence(measured, cutEvidence(journal))
  const skipped = joined(yield* evidence.shortfalls, yield* cutTexts(site))
  const pluginFailed = measured.some(([, outcome]) => outcome.pluginFailed)
  const judgements = judgeAll(rubric.criteria, outcomes)
  const reliability = yield* reliabilityOf(site.for("site/audit"), {
    journal,
    skipped,
    folder,
    pluginFailed,
    coverage: coverageOf(rubric.criteria, judgements),
    lostPoints: pointsLostInTransport(rubric.criteria, outcomes, judgements)
  })
  const { named, pages } = yield* site.for("site/audit").sample
  const report = assembleReport({
    url, date, rubric, outcomes, signals, reliability,
    pages: yield* fetchedPages(site),
    routes: yield* routesTo(site),
    requests: requestTotals(journal, outcomes),
    generator: siteGenerator(pages)
  })
  return { report, journal, named, productionOrigin: yield* productionOrigin(site.for("site/audit")) }
})

/**
 * The requests that the report is based on. A plugin that gives up interrupts requests that are under way, at a
 * point that depends on timing, so what only such plugins asked for does not count.
 */
const requestTotals = (journal: ReadonlyArray<KeptExchange>, outcomes: ReadonlyMap<string, MeasuredCriterion>): RequestTotals => {
  const used = journal.filter(({ askedBy, seen }) => seen && askedBy.some((id) => (outcomes.get(id)?.facts ?? null) !== null))
  return { count: used.length, bytes: used.reduce((sum, { hop }) => sum + (hop._tag === "HopAnswer" ? hop.bodyBytes ?? hop.body.length : 0), 0) }
}

const criteriaBehind = ({ callers }: JournalEntry, { callersOf }: SiteUnderAudit): ReadonlyArray<string> =>
  [...new Set(callers.flatMap(callersOf))].sort()

/** A report needs at least one page. */
const requirePages = (site: Site): Effect.Effect<void, Refused> =>
  Effect.flatMap(site.sample, ({ visits }) => refuseIf(refusalOfPages(site.base, visits)))

const refuseIf = (refusal: Refusal | null): Effect.Effect<void, Refused> => refusal === null ? Effect.void : Effect.fail(new Refused(refusal))
