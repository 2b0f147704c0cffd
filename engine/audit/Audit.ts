import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import type { BoundCriterion } from "../criterion/Registry.ts"
import { originOf, plainForm, siteOf } from "../evidence/Address.ts"
import { Evidence } from "../evidence/Evidence.ts"
import { isOk } from "../evidence/Exchange.ts"
import { FetchLimits } from "../evidence/FetchLimits.ts"
import type { JournalEntry, JournalListener } from "../evidence/Journal.ts"
import type { Transport } from "../evidence/Transport.ts"
import type { LoadedRubric } from "../rubric/RubricFile.ts"
import { gatherBase } from "../site/Base.ts"
import { headStart } from "../site/HeadStart.ts"
import { Parsing } from "../site/Parsing.ts"
import { forbidsAudit } from "../site/Robots.ts"
import { makeSite, type Site, type SiteUnderAudit } from "../site/Site.ts"
import { AuditFailed, type Refusal } from "./AuditError.ts"
import { measure, type Outcome } from "./Measure.ts"
import { planFor } from "./Plan.ts"
import { assembleReport } from "./Assemble.ts"
import { refusalOfBase, refusalOfPages, shutOut } from "./Refusals.ts"
import { reliabilityOf } from "./Reliability.ts"
import type { AuditReport } from "./Report.ts"
import { coverageOf } from "./Score.ts"
import { gatherSignals } from "./Signals.ts"

/** What an audit is asked to do; the same request on the same evidence gives the same report. */
export interface AuditRequest {
  /** As `parseTarget` gives it, and as the report repeats it. */
  readonly url: string
  /** The run's date, `YYYY-MM-DD`. */
  readonly date: string
  readonly sampleSize: number
  /** The production origin to be read as the audited one; `null`: none. */
  readonly canonicalOrigin: string | null
  readonly rubric: LoadedRubric<BoundCriterion>
  readonly listen?: (event: AuditEvent) => void
}

/** Told while an audit runs; for progress only. */
export type AuditEvent =
  | Parameters<JournalListener>[0]
  | { readonly _tag: "Measured"; readonly criterion: string; readonly done: number; readonly total: number }

/** A report, and the evidence that it stands on. */
export interface AuditOutcome {
  readonly report: AuditReport
  /** Every request, in a defined order. */
  readonly journal: ReadonlyArray<KeptExchange>
}

/** A request of an audit, and the ids of the criteria that lean on it, sorted; none where only the audit itself does. */
export interface KeptExchange extends JournalEntry {
  readonly askedBy: ReadonlyArray<string>
}

/**
 * Audits a site: reads robots.txt, goes to the base, lets all plugins measure at once, judges by the rubric. Fails only
 * where there can be no report.
 */
export const runAudit = Effect.fn("Audit.run")(function*(
  request: AuditRequest
): Effect.fn.Return<AuditOutcome, AuditFailed, Transport | Parsing> {
  const limits = yield* FetchLimits
  const { canonicalOrigin, listen = () => {}, sampleSize } = request
  const url = plainForm(request.url)
  const evidence = Evidence.layer({
    site: siteOf(new URL(url).hostname),
    canonicalOrigin: canonicalOrigin === null ? null : { origin: canonicalOrigin, as: originOf(url) },
    allowanceOf: planFor(limits, sampleSize),
    listen
  })
  return yield* auditBehindDoor(request, url, listen).pipe(
    Effect.catchTag("Refused", ({ advice, message, reason }) => Effect.gen(function*() {
      const { journal } = yield* Evidence
      return yield* new AuditFailed({ reason, message, advice, journal: yield* journal })
    })),
    Effect.provide(evidence)
  )
})

/** Everything is asked and compared by `url`, the plain form of the address; only the report has it as it was given. */
const auditBehindDoor = Effect.fnUntraced(function*(
  request: AuditRequest,
  url: string,
  listen: (event: AuditEvent) => void
): Effect.fn.Return<AuditOutcome, Refused, Evidence | Parsing> {
  const evidence = yield* Evidence
  const robots = yield* evidence.collector("site/robots").get(`${originOf(url)}/robots.txt`)
  if (forbidsAudit(robots, url)) return yield* new Refused(shutOut)
  const atBase = evidence.collector("site/base")
  const answer = yield* atBase.get(url)
  if (isOk(answer)) yield* Effect.forkChild(headStart(evidence, { audited: url, answer, robots }))
  const base = yield* gatherBase(atBase, yield* Parsing, url)
  yield* refuseIf(refusalOfBase(base, robots))
  const site = yield* makeSite({ base, date: request.date, sampleSize: request.sampleSize })
  const engine = site.for("site/audit")
  if ((yield* engine.robots).shutsOutDocgauge) return yield* new Refused(shutOut)

  const { criteria, experimental } = request.rubric
  const all = [...criteria, ...experimental]
  let done = 0
  const measuring = Effect.forEach(all, (criterion) =>
    Effect.map(measure(criterion, site.for(criterion.definition.id)), (outcome) => {
      done += 1
      listen({ _tag: "Measured", criterion: criterion.definition.id, done, total: all.length })
      return [criterion.definition.id, outcome] as const
    }), { concurrency: "unbounded" })
  const [, measured, signals] = yield* Effect.all(
    [requirePages(engine), measuring, gatherSignals(site.for("site/signals"))],
    { concurrency: "unbounded" }
  )
  const outcomes: ReadonlyMap<string, Outcome> = new Map(measured)
  const journal = yield* evidence.journal
  const reliability = yield* reliabilityOf(engine, journal, yield* evidence.shortfalls, coverageOf(criteria, outcomes), measured.some(([, outcome]) => outcome.pluginFailed))
  const report = assembleReport({ url: request.url, date: request.date, rubric: request.rubric, outcomes, signals, reliability })
  return { report, journal: journal.map((entry) => ({ ...entry, askedBy: criteriaBehind(entry, site) })) }
})

const criteriaBehind = ({ askers }: JournalEntry, { askersOf }: SiteUnderAudit): ReadonlyArray<string> =>
  [...new Set(askers.flatMap(askersOf))].sort()

/** There is a report only where at least one page could be had. */
const requirePages = (site: Site): Effect.Effect<void, Refused> =>
  Effect.flatMap(site.sample, ({ visits }) => refuseIf(refusalOfPages(site.base, visits)))

const refuseIf = (refusal: Refusal | null): Effect.Effect<void, Refused> => refusal === null ? Effect.void : Effect.fail(new Refused(refusal))

/** On its way to where the evidence is, which goes with it. */
class Refused extends Data.TaggedError("Refused")<Refusal> {}
