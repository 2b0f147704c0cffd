import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import { describe, expect, it } from "vitest"
import { encodeReport } from "../../../engine/audit/Report.ts"
import type { EncodedReport } from "../../../engine/store/runs/RunStore.ts"
import { FinishedRun } from "../../../server/audits/FinishedRuns.ts"
import { reportOf } from "../ScriptedAuditor.ts"

const URL = "https://docs.cut.dev"

/** A stored report with so many entries of what limits left out. */
const storedWith = (skipped: number): EncodedReport => {
  const report = reportOf(URL)
  const entries = Array.from({ length: skipped }, () => ({
    collector: "site/sample",
    reason: "size" as const,
    count: 1
  }))
  return {
    run: {
      id: "01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b",
      status: "done",
      url: URL,
      site: "docs.cut.dev",
      domain: "cut.dev",
      rubricDigest: "sha256:0",
      asAgents: false,
      startedAt: "2026-11-21T10:14:03.512874Z",
      finishedAt: "2026-11-21T10:14:33.512874Z",
      attempts: 1,
      progress: { done: 30, total: 30 },
      totalScore: 60,
      reliable: true,
      error: null
    },
    encoded: encodeReport({ ...report, reliability: { ...report.reliability, skipped: entries } }),
    durationMs: 1,
    requests: 1,
    bytes: 1
  }
}

describe("the headers of a report", () => {
  const request = HttpServerRequest.fromWeb(new Request("http://localhost/audit"))

  /** The signature and the diagnostics that are sent. */
  const sentWith = (skipped: number, signature: string | null) => {
    const { headers } = Effect.runSync(new FinishedRun(storedWith(skipped), signature).cachedReport.to(request))
    return { signature: headers["x-audit-signature"], diagnostics: headers["x-audit-diagnostics"] ?? "" }
  }

  const skippedIn = (diagnostics: string): number =>
    Schema.decodeUnknownSync(Schema.Struct({ skipped: Schema.Array(Schema.Unknown) }))(
      JSON.parse(Buffer.from(diagnostics, "base64").toString())
    ).skipped.length

  it("have diagnostics that fit 4 KB together with the signature, however much limits left out", () => {
    for (const signature of [null, "x".repeat(800), "x".repeat(3_400)]) {
      const { diagnostics, signature: sent = "" } = sentWith(500, signature)
      expect(diagnostics.length + sent.length).toBeLessThanOrEqual(4_096)
      expect(skippedIn(diagnostics)).toBeLessThan(60)
      expect(sent).toBe(signature ?? "")
    }
  })

  it("have all of what limits left out if there is room", () => {
    expect(skippedIn(sentWith(20, "x".repeat(800)).diagnostics)).toBe(20)
  })

  it("have no signature if there is none", () => {
    expect(sentWith(0, null).signature).toBeUndefined()
  })
})
