import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { BoundCriterion } from "../plugin/Registry.ts"
import { type AuditBudget, criterionSpender } from "../evidence/AuditBudget.ts"
import { Evidence } from "../evidence/Evidence.ts"
import { type Exchange, isOk } from "../evidence/Exchange.ts"
import type { JournalEntry } from "../evidence/Journal.ts"
import { ParserPool } from "../parse/ParserPool.ts"
import type { GeneratorName } from "../rubric/definition/Rubric.ts"
import type { LoadedRubric } from "../rubric/RubricFile.ts"
import { baseSpender, gatherBase } from "../site/base/Base.ts"
import { makeSite, requestEarly, type Site, siteSpenders, type SiteUnderAudit } from "../site/Site.ts"
import { reportedDrift } from "../site/drift/SiteDrift.ts"
import { type KnownGenerator, productionOrigin, siteGenerator } from "../site/SiteSource.ts"
import { assembleReport } from "./Assemble.ts"
import {
  type AuditOutcome,
  type AuditRequest,
  type Refusal,
  refusalOfBase,
  refusalOfPages,
  Refused,
  shutOut
} from "./AuditRequest.ts"
import { cutTexts, joined, reliabilityOf } from "./Reliability.ts"
import {
  cutEvidence,
  type KeptExchange,
  measure,
  type MeasuredCriterion,
  notChecked,
  withoutCutEvidence,
  withoutUnfetchedProof
} from "./Measure.ts"
import type { AuditReport, RequestTotals } from "./Report.ts"
import { fetchedPages, routesTo } from "./SamplePages.ts"
import { coverageOf, judgeAll, pointsLostInTransport } from "./Score.ts"
import { gatherSignals, signalsSpender } from "./Signals.ts"

/*
 * The steps of an audit once robots.txt was asked for: read the site, measure its criteria, and put the report together.
 */

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
  /** The answers to robots.txt and to the URL. */
  readonly robots: Exchange
  readonly answer: Exchange
}

/** Reads the base page, then lets all plugins measure at once. */
export const collect = Effect.fn("Audit.collect")(function* <E>(
  { date, folder, inspect, listen, namedPages = [], sampleSize }: Omit<AuditRequest, "rubric">,
  { answer, budget, robots, rubric: loading, url }: Planned<E>
): Effect.fn.Return<Collected, Refused | E, Evidence | ParserPool | Scope.Scope> {
  const evidence = yield* Evidence
  budget.reserve(siteSpenders)
  if (isOk(answer))
    yield* Effect.forkChild(requestEarly(evidence, { audited: url, answer, robots }), { startImmediately: true })
  const reading = yield* Effect.forkChild(
    gatherBase(evidence.collector(baseSpender.collector), yield* ParserPool, url),
    { startImmediately: true }
  )
  // Loading keeps this thread busy, so the page is given to its reader first.
  const loaded = yield* Effect.forkChild(loading)
  const base = yield* Fiber.join(reading)
  yield* refuseIf(refusalOfBase(base))
  const site = yield* makeSite({ base, date, sampleSize, namedPages })
  const engine = site.for("site/audit")
  if ((yield* engine.robots).shutsOutDocgauge) return yield* new Refused(shutOut)

  const measuring = Effect.gen(function* () {
    const rubric = yield* Fiber.join(loaded)
    const criteria = [...rubric.criteria, ...rubric.experimental].map(({ bound, definition }) =>
      criterionSpender(definition.id, bound.budget)
    )
    budget.reserve([...criteria, signalsSpender])
    const [outcomes, signals] = yield* Effect.all(
      [
        // Criteria fetch after llms.txt and the sitemaps, which the sample waits for.
        Effect.andThen(
          Effect.all([engine.llmsTxt, engine.sitemaps], { concurrency: "unbounded" }),
          Effect.suspend(() => measureAll(rubric, site, { folder, listen }))
        ),
        gatherSignals(site.for(signalsSpender.collector))
      ],
      { concurrency: "unbounded" }
    )
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
  {
    folder = false,
    listen = () => {}
  }: { readonly folder: boolean | undefined; readonly listen: AuditRequest["listen"] }
): Effect.Effect<Collected["outcomes"]> => {
  const all = [...criteria, ...experimental]
  let done = 0
  return Effect.forEach(
    all,
    (criterion) =>
      Effect.map(
        folder && criterion.bound.needsServer
          ? Effect.succeed(notChecked(site.for("site/audit").base.exchange))
          : measure(criterion, site.for(criterion.definition.id)),
        (outcome) => {
          done += 1
          listen({ _tag: "Measured", criterion: criterion.definition.id, done, total: all.length })
          return [criterion.definition.id, outcome] as const
        }
      ),
    { concurrency: "unbounded" }
  )
}

export const reportOn = Effect.fn("Audit.report")(function* (
  { date, folder = false, url }: Omit<AuditRequest, "rubric">,
  { outcomes: collected, rubric, signals, site }: Collected
): Effect.fn.Return<AuditOutcome, never, Evidence> {
  const evidence = yield* Evidence
  const journal = (yield* evidence.journal).map((entry) => ({ ...entry, askedBy: criteriaBehind(entry, site) }))
  const measured = withoutUnfetchedProof(collected, journal, site.for("site/audit").base.exchange)
  const outcomes = withoutCutEvidence(measured, cutEvidence(journal))
  const skipped = joined(yield* evidence.shortfalls, yield* cutTexts(site, measured))
  const pluginFailed = measured.some(([, outcome]) => outcome.pluginFailed)
  const judgements = judgeAll(rubric.criteria, outcomes)
  const reliability = yield* reliabilityOf(site.for("site/audit"), {
    journal,
    skipped,
    folder,
    pluginFailed,
    coverage: coverageOf(rubric.criteria, judgements, outcomes),
    lostPoints: pointsLostInTransport(rubric.criteria, outcomes, judgements)
  })
  const { named, pages } = yield* site.for("site/audit").sample
  const generator = siteGenerator(pages)
  const report = assembleReport({
    url,
    date,
    rubric,
    outcomes,
    signals,
    reliability,
    pages: yield* fetchedPages(site),
    routes: yield* routesTo(site),
    drift: reportedDrift(yield* site.for("site/audit").drift),
    requests: requestTotals(journal, outcomes),
    generator: withRecipes(generator)
  })
  return { report, journal, named, generator, productionOrigin: yield* productionOrigin(site.for("site/audit")) }
})

/**
 * The requests that the report is based on. A plugin that gives up interrupts requests that are under way, at a
 * point that depends on timing, so what only such plugins asked for does not count.
 */
const requestTotals = (
  journal: ReadonlyArray<KeptExchange>,
  outcomes: ReadonlyMap<string, MeasuredCriterion>
): RequestTotals => {
  const used = journal.filter(
    ({ askedBy, seen }) => seen && askedBy.some((id) => (outcomes.get(id)?.facts ?? null) !== null)
  )
  return {
    count: used.length,
    bytes: used.reduce((sum, { hop }) => sum + (hop._tag === "HopAnswer" ? (hop.bodyBytes ?? hop.body.length) : 0), 0)
  }
}

const criteriaBehind = ({ callers }: JournalEntry, { callersOf }: SiteUnderAudit): ReadonlyArray<string> =>
  [...new Set(callers.flatMap(callersOf))].sort()

/** A report needs at least one page. */
const requirePages = (site: Site): Effect.Effect<void, Refused> =>
  Effect.flatMap(site.sample, ({ visits }) => refuseIf(refusalOfPages(site.base, visits)))

const refuseIf = (refusal: Refusal | null): Effect.Effect<void, Refused> =>
  refusal === null ? Effect.void : Effect.fail(new Refused(refusal))

/** Those that the rubric can have recipes for. */
const WITH_RECIPES: Readonly<Record<GeneratorName, true>> = {
  docusaurus: true,
  mkdocs: true,
  sphinx: true,
  starlight: true,
  vitepress: true
}

const withRecipes = (generator: KnownGenerator | null): GeneratorName | null =>
  generator !== null && hasRecipes(generator) ? generator : null

const hasRecipes = (generator: KnownGenerator): generator is GeneratorName => Object.hasOwn(WITH_RECIPES, generator)
