import { describe, expect, it } from "vitest"
import type { LimitRefusal } from "../../../engine/limit/LimitDecision.ts"
import { refusalMessage, withoutVerification } from "../../../server/audits/RefusalMessages.ts"

const refusal = (policy: LimitRefusal["standing"]["policy"], more: Partial<LimitRefusal> = {}): LimitRefusal => ({
  _tag: "Refusal",
  code: policy === "site" ? "site_quota" : "rate_limited",
  standing: { policy, limit: 1, windowSeconds: 86_400, remaining: 0, resetSeconds: 5_400 },
  retryAfter: 5_400,
  runId: null,
  ...more
})

const RUN = "0191f7a0-0000-7000-8000-000000000000"

describe("what a refusal says", () => {
  it("sends a client to the report of a site that was audited for its network, where a run is left", () => {
    expect(refusalMessage(refusal("site", { runId: RUN, auditedAgo: 1_200 }))).toBe(
      "This site was audited 20 minutes ago for your network. Read that report. You can audit the site again in 1 hour and 30 minutes, or run npx docgauge URL now."
    )
  })

  it("sends nobody to a report that is gone", () => {
    expect(refusalMessage(refusal("site"))).toBe(
      "This site was audited recently for your network. You can audit the site again in 1 hour and 30 minutes, or run npx docgauge URL now."
    )
    expect(refusalMessage(refusal("host"))).toBe(
      "Audits have sent this site as many requests as we allow. The next audit is possible in 1 hour and 30 minutes."
    )
    expect(refusalMessage(refusal("host", { runId: RUN }))).toContain("Read its newest report.")
  })

  it("tells an owner how to have the site audited more often, which pages leave out", () => {
    const message = refusalMessage(
      refusal("site", {
        verification: {
          file: "https://docs.example.com/.well-known/docgauge",
          meta: "<meta>",
          token: "abc",
          then: "once every 10 minutes"
        }
      })
    )
    expect(message).toMatch(
      /If the site is yours, publish abc in https:\/\/docs\.example\.com\/\.well-known\/docgauge, or <meta> in the <head> of the page at base_url: it can then be audited once every 10 minutes\.$/
    )
    expect(withoutVerification(message)).toBe(refusalMessage(refusal("site")))
  })

  it("counts what a network has waiting", () => {
    expect(refusalMessage(refusal("runs"))).toBe(
      "Your network already has 1 audit waiting or running. Wait 1 hour and 30 minutes."
    )
    expect(refusalMessage(refusal("network", { network: "2001:db8:1::/48" }))).toBe(
      "The network 2001:db8:1::/48, which yours is part of, already has 1 audit waiting or running, as many as it may have. Wait 1 hour and 30 minutes, or run npx docgauge URL now."
    )
    expect(refusalMessage(refusal("plans", { standing: { ...refusal("plans").standing, limit: 2 } }))).toContain(
      "2 plans waiting or being made"
    )
    expect(refusalMessage(refusal("submit"))).toBe("Too many requests. Wait 1 hour and 30 minutes.")
  })

  it("never names a wait that is too short", () => {
    expect(refusalMessage(refusal("submit", { retryAfter: 61 }))).toBe("Too many requests. Wait 2 minutes.")
  })
})
