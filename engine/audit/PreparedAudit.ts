import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { BoundCriterion } from "../criterion/Registry.ts"
import { originOf, plainForm, siteOf } from "../evidence/Address.ts"
import { Evidence } from "../evidence/Evidence.ts"
import { FetchLimits } from "../evidence/FetchLimits.ts"
import type { Transport } from "../evidence/Transport.ts"
import type { LoadedRubric } from "../rubric/RubricFile.ts"
import type { Parsing } from "../site/Parsing.ts"
import type { forbidsAudit } from "../site/Robots.ts"
import type { AuditOutcome, AuditRequest } from "./Audit.ts"
import { AuditFailed, Refused } from "./AuditError.ts"
import { planFor } from "./Plan.ts"
import { shutOut } from "./Refusals.ts"
import type { auditSite } from "./SiteAudit.ts"

/** What an audit needs besides the site's answers. */
export interface Preparation<E> {
  /** Needed once the answer to robots.txt is there. */
  readonly forbidsAudit: Effect.Effect<typeof forbidsAudit, E>
  /** Needed once the site's first answers are there. */
  readonly auditSite: Effect.Effect<typeof auditSite, E>
  /** Needed when criteria are to be measured. */
  readonly rubric: Effect.Effect<LoadedRubric<BoundCriterion>, E>
}

/**
 * Audits a site, and gets ready for its answers while they are on their way: loading a rubric, and the code that reads a
 * site, takes a process about as long as robots.txt and the first page take to arrive and to be read.
 */
export const auditPreparing = Effect.fn("Audit.run")(function*<E>(
  request: Omit<AuditRequest, "rubric">,
  preparation: Preparation<E>
): Effect.fn.Return<AuditOutcome, AuditFailed | E, Transport | Parsing> {
  const limits = yield* FetchLimits
  const { canonicalOrigin, listen = () => {}, sampleSize } = request
  const url = plainForm(request.url)
  const evidence = Evidence.layer({
    site: siteOf(new URL(url).hostname),
    canonicalOrigin: canonicalOrigin === null ? null : { origin: canonicalOrigin, as: originOf(url) },
    allowanceOf: planFor(limits, sampleSize),
    listen
  })
  return yield* auditBehindDoor(request, url, preparation).pipe(
    Effect.catch((error: Refused | E): Effect.Effect<never, AuditFailed | E, Evidence> =>
      error instanceof Refused ? withEvidence(error) : Effect.fail(error)),
    Effect.provide(evidence)
  )
})

const withEvidence = Effect.fnUntraced(function*({ advice, message, reason }: Refused): Effect.fn.Return<never, AuditFailed, Evidence> {
  const { journal } = yield* Evidence
  return yield* new AuditFailed({ reason, message, advice, journal: yield* journal })
})

/** Everything is asked and compared by `url`, the plain form of the address; only the report has it as it was given. */
const auditBehindDoor = Effect.fnUntraced(function*<E>(
  request: Omit<AuditRequest, "rubric">,
  url: string,
  preparation: Preparation<E>
): Effect.fn.Return<AuditOutcome, Refused | E, Evidence | Parsing> {
  // One after the other, what is needed first before: loading keeps the thread busy.
  const robotsReader = yield* Effect.forkChild(preparation.forbidsAudit)
  const code = yield* Effect.forkChild(Effect.andThen(Fiber.await(robotsReader), preparation.auditSite))
  const evidence = yield* Evidence
  const robots = yield* evidence.collector("site/robots").get(`${originOf(url)}/robots.txt`)
  const forbidsAudit = yield* Fiber.join(robotsReader)
  if (forbidsAudit(robots, url)) return yield* new Refused(shutOut)
  const base = yield* Effect.forkChild(evidence.collector("site/base").get(url), { startImmediately: true })
  const rubric = yield* Effect.forkChild(preparation.rubric)
  const auditSite = yield* Fiber.join(code)
  return yield* Effect.scoped(auditSite({ request, url, robots, answer: yield* Fiber.join(base), rubric }))
})
