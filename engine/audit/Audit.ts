import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { BoundCriterion } from "../plugin/Registry.ts"
import { originOf, plainForm, siteOf } from "../evidence/Address.ts"
import { makeAuditBudget } from "../evidence/AuditBudget.ts"
import type { Collector, SiteBounds } from "../evidence/Collector.ts"
import { type Exchange, isGone, isOk, isRefusal } from "../evidence/Exchange.ts"
import { Evidence } from "../evidence/Evidence.ts"
import { FetchLimits } from "../evidence/FetchLimits.ts"
import { type Transport, underWay } from "../evidence/Transport.ts"
import type { ParserPool } from "../parse/ParserPool.ts"
import type { LoadedRubric } from "../rubric/RubricFile.ts"
import { baseSpender, robotsSpender } from "../site/base/Base.ts"
import { AuditFailed, type AuditOutcome, type AuditRequest, Refused, shutOut } from "./AuditRequest.ts"

/**
 * The code that reads and judges a site, which is most of an audit's. A process that will audit loads it before; a command
 * loads it while the first page is on its way.
 */
export const loadAuditSteps = () => import("./AuditSteps.ts")

/**
 * Audits a site: plans what each part may fetch, collects robots.txt, the base page and what the criteria ask for, judges by
 * the rubric and puts the report together. Fails only where no report is possible.
 */
export const runAudit = ({
  rubric,
  ...request
}: AuditRequest): Effect.Effect<AuditOutcome, AuditFailed, Transport | ParserPool> =>
  auditLoading(request, Effect.succeed(rubric))

/** The same with a rubric that is loaded while the first answers are awaited. A site that can't be audited doesn't wait for it. */
export const auditLoading = Effect.fn("Audit.run")(function* <E>(
  request: Omit<AuditRequest, "rubric">,
  rubric: Effect.Effect<LoadedRubric<BoundCriterion>, E>
): Effect.fn.Return<AuditOutcome, AuditFailed | E, Transport | ParserPool> {
  const limits = yield* FetchLimits
  const { asAgents = [], asAgentsHost, canonicalOrigin, listen = () => {}, sampleSize } = request
  const startedAt = yield* Clock.currentTimeMillis
  // Requests and comparisons use the plain form of the URL; only the report has it as given.
  const url = plainForm(request.url)
  const budget = makeAuditBudget(limits, sampleSize)
  budget.reserve([robotsSpender, baseSpender])
  const bounds: SiteBounds = {
    site: siteOf(new URL(url).hostname),
    canonicalOrigin: canonicalOrigin === null ? null : { origin: canonicalOrigin, as: originOf(url) }
  }
  const evidence = Evidence.layer({
    ...bounds,
    allowanceOf: budget.allowanceOf,
    readRobots,
    listen
  })
  const steps = Effect.gen(function* () {
    const { collector } = yield* Evidence
    const askingRobots = yield* underWay(collector(robotsSpender.collector).get(`${originOf(url)}/robots.txt`))
    yield* loadRobots
    const robots = yield* Fiber.join(askingRobots)
    if (!(yield* readRobots(robots))(url)) return yield* new Refused(shutOut)
    const askingBase = yield* underWay(askBase(collector(baseSpender.collector), url, request.first ?? url))
    const { collect, reportOn } = yield* Effect.promise(loadAuditSteps)
    const reached = yield* Fiber.join(askingBase)
    const collected = yield* collect(request, { ...reached, budget, rubric, robots })
    const outcome = yield* reportOn(request, collected)
    if (asAgents.length === 0) return outcome
    const { askAsAgents } = yield* Effect.promise(() => import("./agents/AskAsAgents.ts"))
    const leftMs = Math.max(0, startedAt + limits.gatherMs - (yield* Clock.currentTimeMillis))
    const { journal, matrix } = yield* askAsAgents({
      ids: asAgents,
      host: asAgentsHost,
      site: collected.site.for("site/audit"),
      bounds,
      leftMs,
      listen
    })
    return {
      ...outcome,
      report: matrix === null ? outcome.report : { ...outcome.report, as_agents: matrix },
      journal: [...outcome.journal, ...journal.map((entry) => ({ ...entry, askedBy: [] }))]
    }
  })
  return yield* Effect.scoped(steps).pipe(
    Effect.catch((error: Refused | E): Effect.Effect<never, AuditFailed | E, Evidence> =>
      error instanceof Refused ? failWithJournal(error) : Effect.fail(error)
    ),
    Effect.provide(evidence)
  )
})

/** The code that reads robots.txt. */
const loadRobots = Effect.promise(() => import("../site/wellknown/Robots.ts"))

const readRobots = (robots: Exchange): Effect.Effect<(url: string) => boolean> =>
  Effect.map(loadRobots, ({ lets }) => lets(robots))

/** The answer to the URL as it was typed; where there is none, that to its other form: without a query, with or without a slash at its end. */
const askBase = Effect.fnUntraced(function* (
  collector: Collector,
  url: string,
  first: string
): Effect.fn.Return<{ readonly url: string; readonly answer: Exchange }> {
  const typed = { url: first, answer: yield* collector.get(first) }
  if (!isGone(typed.answer) && !isRefusal(typed.answer)) return typed
  for (const other of [url, ...(url === originOf(url) ? [] : [`${url}/`])].filter((form) => form !== first)) {
    const answer = yield* collector.get(other)
    if (isOk(answer)) return { url: other, answer }
  }
  return typed
})

const failWithJournal = Effect.fnUntraced(function* ({
  advice,
  message,
  reason
}: Refused): Effect.fn.Return<never, AuditFailed, Evidence> {
  const { journal } = yield* Evidence
  return yield* new AuditFailed({ reason, message, advice, journal: yield* journal })
})
