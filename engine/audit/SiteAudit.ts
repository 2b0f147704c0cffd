import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import type { BoundCriterion } from "../criterion/Registry.ts"
import { Evidence } from "../evidence/Evidence.ts"
import { type Exchange, isOk } from "../evidence/Exchange.ts"
import type { JournalEntry } from "../evidence/Journal.ts"
import type { LoadedRubric } from "../rubric/RubricFile.ts"
import { gatherBase } from "../site/Base.ts"
import { headStart } from "../site/HeadStart.ts"
import { Parsing } from "../site/Parsing.ts"
import { makeSite, type Site, type SiteUnderAudit } from "../site/Site.ts"
import { assembleReport } from "./Assemble.ts"
import type { AuditOutcome, AuditRequest } from "./Audit.ts"
import { type Refusal, Refused } from "./AuditError.ts"
import { cutEvidence, withoutCutEvidence } from "./CutEvidence.ts"
import { cutTexts, joined } from "./CutTexts.ts"
import { measure, type Outcome } from "./Measure.ts"
import { refusalOfBase, refusalOfPages, shutOut } from "./Refusals.ts"
import { reliabilityOf } from "./Reliability.ts"
import { coverageOf } from "./Score.ts"
import { gatherSignals } from "./Signals.ts"

/** Where an audit stands when the site's first answers are there. */
export interface Arrived<E> {
  readonly request: Omit<AuditRequest, "rubric">
  /** The plain form of the audited address. */
  readonly url: string
  readonly robots: Exchange
  /** The answer of the base page, or of the first of the redirects there. */
  readonly answer: Exchange
  /** Under way to being loaded. */
  readonly rubric: Fiber.Fiber<LoadedRubric<BoundCriterion>, E>
}

/** Audits from there: goes to the base, lets all plugins measure at once, judges by the rubric. */
export const auditSite = Effect.fn("Audit.site")(function*<E>(
  { answer, request, robots, rubric: loading, url }: Arrived<E>
): Effect.fn.Return<AuditOutcome, Refused | E, Evidence | Parsing | Scope.Scope> {
  const evidence = yield* Evidence
  const { listen = () => {} } = request
  if (isOk(answer)) yield* Effect.forkChild(headStart(evidence, { audited: url, answer, robots }), { startImmediately: true })
  const base = yield* gatherBase(evidence.collector("site/base"), yield* Parsing, url)
  yield* refuseIf(refusalOfBase(base, robots))
  const site = yield* makeSite({ base, date: request.date, sampleSize: request.sampleSize })
  const engine = site.for("site/audit")
  if ((yield* engine.robots).shutsOutDocgauge) return yield* new Refused(shutOut)

  const [, { measured, rubric }, signals] = yield* Effect.all([
    requirePages(engine),
    Effect.gen(function*() {
      const rubric = yield* Fiber.join(loading)
      // What single criteria ask for goes where there is room, after what the sample waits for has been asked.
      yield* Effect.all([engine.llmsTxt, engine.sitemaps], { concurrency: "unbounded" })
      return { rubric, measured: yield* measureAll(rubric, site, listen) }
    }),
    gatherSignals(site.for("site/signals"))
  ], { concurrency: "unbounded" })
  const journal = (yield* evidence.journal).map((entry) => ({ ...entry, askedBy: criteriaBehind(entry, site) }))
  const outcomes = withoutCutEvidence(measured, cutEvidence(journal))
  const coverage = coverageOf(rubric.criteria, outcomes)
  const skipped = joined(yield* evidence.shortfalls, yield* cutTexts(site))
  const reliability = yield* reliabilityOf(engine, journal, skipped, coverage, measured.some(([, outcome]) => outcome.pluginFailed))
  const report = assembleReport({ url: request.url, date: request.date, rubric, outcomes, signals, reliability })
  return { report, journal }
})

/** All criteria at once, those on trial among them. */
const measureAll = (
  { criteria, experimental }: LoadedRubric<BoundCriterion>,
  site: SiteUnderAudit,
  listen: NonNullable<AuditRequest["listen"]>
): Effect.Effect<ReadonlyArray<readonly [id: string, outcome: Outcome]>> => {
  const all = [...criteria, ...experimental]
  let done = 0
  return Effect.forEach(all, (criterion) =>
    Effect.map(measure(criterion, site.for(criterion.definition.id)), (outcome) => {
      done += 1
      listen({ _tag: "Measured", criterion: criterion.definition.id, done, total: all.length })
      return [criterion.definition.id, outcome] as const
    }), { concurrency: "unbounded" })
}

const criteriaBehind = ({ askers }: JournalEntry, { askersOf }: SiteUnderAudit): ReadonlyArray<string> =>
  [...new Set(askers.flatMap(askersOf))].sort()

/** There is a report only where at least one page could be had. */
const requirePages = (site: Site): Effect.Effect<void, Refused> =>
  Effect.flatMap(site.sample, ({ visits }) => refuseIf(refusalOfPages(site.base, visits)))

const refuseIf = (refusal: Refusal | null): Effect.Effect<void, Refused> => refusal === null ? Effect.void : Effect.fail(new Refused(refusal))
