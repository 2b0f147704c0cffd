import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { Finding } from "../criterion/Criterion.ts"
import type { FactRecord } from "../criterion/Fact.ts"
import type { BoundCriterion } from "../criterion/Registry.ts"
import type { LoadedCriterion } from "../rubric/RubricFile.ts"
import type { Site } from "../site/Site.ts"

/** What a plugin made of the site. */
export interface Outcome {
  /** `null` where the evidence could not be had. */
  readonly facts: FactRecord | null
  /** The first sums up; where there are no facts, it says what could not be had. */
  readonly findings: readonly [Finding, ...ReadonlyArray<Finding>]
  /** The plugin itself failed: it threw, hung, or gave back facts that are none. */
  readonly pluginFailed: boolean
}

/** Lets a criterion's plugin measure. One that fails where it must not (a bug) counts as without evidence; the log tells. */
export const measure = Effect.fn("Audit.measure")(function*(
  criterion: LoadedCriterion<BoundCriterion>,
  site: Site
): Effect.fn.Return<Outcome> {
  const unobtained = (message: string, proof: Finding["proof"], pluginFailed: boolean): Outcome => ({
    facts: null, findings: [{ good: false, message, proof }], pluginFailed
  })
  return yield* criterion.bound.measure(site).pipe(
    Effect.map(({ facts, findings }): Outcome => ({ facts, findings, pluginFailed: false })),
    Effect.catchTag("Unobtainable", ({ exchange, fault, message }) => Effect.succeed(unobtained(message, exchange, fault === "plugin"))),
    Effect.catchCause((cause) =>
      Cause.hasInterrupts(cause)
        ? Effect.failCause(cause)
        : Effect.as(
          Effect.logError(`The plugin ${criterion.definition.plugin} failed`, cause),
          unobtained(`The plugin ${criterion.definition.plugin} failed; this is a fault of docgauge, not of the site.`, site.base.exchange, true)
        )
    )
  )
})
