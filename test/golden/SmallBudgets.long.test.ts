import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { auditOver } from "../audit/AuditOver.ts"
import type { GoldenSite } from "./AuditFakeSite.ts"
import { goldenSites } from "./GoldenSites.ts"
import { falseVerdicts } from "./WithoutResponse.ts"

/** Requests of an audit: from a few files of the site's root up to most of what its criteria ask for. */
const BUDGETS = [15, 25, 50, 100]

/** `null`: there was no page to report on. */
const auditedWith = async (
  { site, url }: GoldenSite,
  limits: { readonly requests?: number }
): Promise<AuditReport | null> => {
  const { result } = await Effect.runPromise(
    auditOver(layerFakeSite(site, { host: new URL(url).origin }), url, { limits })
  )
  return Result.isSuccess(result) ? result.success.report : null
}

describe.each(goldenSites.filter(({ name }) => name === "excellent" || name === "typical" || name === "japanese"))(
  "the $name site, audited with too few requests",
  (golden) => {
    it("is judged as with enough of them, or a criterion is inconclusive", { timeout: 120_000 }, async () => {
      const whole = await auditedWith(golden, {})
      const wrong: Array<string> = []
      for (const requests of BUDGETS) {
        const small = await auditedWith(golden, { requests })
        if (whole !== null && small !== null)
          wrong.push(...falseVerdicts(whole, small).map((verdict) => `${requests} requests: ${verdict}`))
      }
      expect(wrong).toEqual([])
      expect(whole).not.toBeNull()
    })
  }
)
