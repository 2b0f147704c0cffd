import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { BoundCriterion } from "../criterion/Registry.ts"
import { originOf, plainForm, siteOf } from "../evidence/Address.ts"
import { makeAuditBudget } from "../evidence/AuditBudget.ts"
import { Evidence } from "../evidence/Evidence.ts"
import { FetchLimits } from "../evidence/FetchLimits.ts"
import type { Transport } from "../evidence/Transport.ts"
import type { ParserPool } from "../parse/ParserPool.ts"
import type { LoadedRubric } from "../rubric/RubricFile.ts"
import { baseSpender } from "../site/base/Base.ts"
import { underWay } from "../evidence/UnderWay.ts"
import { robotsSpender } from "../site/wellknown/RobotsSpender.ts"
import { AuditFailed, Refused } from "./AuditError.ts"
import type { AuditOutcome, AuditRequest } from "./AuditRequest.ts"
import { shutOut } from "./Refusals.ts"

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
  const { canonicalOrigin, listen = () => {}, sampleSize } = request
  // Requests and comparisons use the plain form of the URL; only the report has it as given.
  const url = plainForm(request.url)
  const budget = makeAuditBudget(limits, sampleSize)
  budget.reserve([robotsSpender, baseSpender])
  const evidence = Evidence.layer({
    site: siteOf(new URL(url).hostname),
    canonicalOrigin: canonicalOrigin === null ? null : { origin: canonicalOrigin, as: originOf(url) },
    allowanceOf: budget.allowanceOf,
    listen
  })
  const steps = Effect.gen(function* () {
    const { collector } = yield* Evidence
    const askingRobots = yield* underWay(collector(robotsSpender.collector).get(`${originOf(url)}/robots.txt`))
    const { forbidsAudit } = yield* Effect.promise(() => import("../site/wellknown/Robots.ts"))
    const robots = yield* Fiber.join(askingRobots)
    if (forbidsAudit(robots, url)) return yield* new Refused(shutOut)
    const askingBase = yield* underWay(collector(baseSpender.collector).get(url))
    const { collect, reportOn } = yield* Effect.promise(loadAuditSteps)
    const collected = yield* collect(request, { url, budget, rubric, robots, answer: yield* Fiber.join(askingBase) })
    return yield* reportOn(request, collected)
  })
  return yield* Effect.scoped(steps).pipe(
    Effect.catch((error: Refused | E): Effect.Effect<never, AuditFailed | E, Evidence> =>
      error instanceof Refused ? failWithJournal(error) : Effect.fail(error)
    ),
    Effect.provide(evidence)
  )
})

const failWithJournal = Effect.fnUntraced(function* ({
  advice,
  message,
  reason
}: Refused): Effect.fn.Return<never, AuditFailed, Evidence> {
  const { journal } = yield* Evidence
  return yield* new AuditFailed({ reason, message, advice, journal: yield* journal })
})
