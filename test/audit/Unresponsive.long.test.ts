import type { RequestListener } from "node:http"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { FetchLimits, limitsWith } from "../../engine/evidence/FetchLimits.ts"
import { guardedHttp } from "../../engine/evidence/http/GuardedHttp.ts"
import { politely } from "../../engine/evidence/politeness/Politeness.ts"
import { httpServer } from "../evidence/LoopbackServers.ts"
import { AGENTS, auditOver } from "./AuditOver.ts"
import { type NastySite, nastySites } from "./NastySites.ts"

/** Short times for one answer, which a slow machine meets for pages that are answered; gathering may go on for as long as ever. */
const LIMITS = limitsWith({ firstByteMs: 5_000, stallMs: 5_000, exchangeMs: 6_000 })

const transport = politely().pipe(
  Layer.provide(guardedHttp({ resolve: [], allowPrivate: true, allowHttp: true, userAgents: AGENTS })),
  Layer.provide(Layer.succeed(FetchLimits, LIMITS))
)

interface Asked {
  readonly report: AuditReport
  readonly asked: number
}

const auditOf = async (listener: RequestListener): Promise<Asked> => {
  let asked = 0
  const server = await httpServer((request, response) => {
    asked += 1
    listener(request, response)
  })
  try {
    const { result } = await Effect.runPromise(
      auditOver(transport, `http://127.0.0.1:${server.port}`, { limits: LIMITS })
    )
    return { report: Result.getOrThrow(result).report, asked }
  } finally {
    await server.close()
  }
}

/** Six requests at once, and robots.txt, the base page and their like. */
const MOST_ASKED = 16

// Audits that wait, each of a server of its own.
describe.concurrent("a site that only drips or hangs once it is read", () => {
  it.each<NastySite>(["all but the first page drips", "all but the first page hangs"])(
    "is given up on, two at once: %s",
    { timeout: 120_000 },
    async (name) => {
      const audits = await Promise.all(Array.from({ length: 2 }, () => auditOf(nastySites[name])))
      for (const { asked, report } of audits) {
        expect(asked).toBeLessThan(MOST_ASKED)
        expect(report.reliability.reliable).toBe(false)
        expect(report.reliability.flags).toContain("unresponsive")
        expect(report.reliability.flags).not.toContain("timed_out")
        expect(report.reliability.skipped.some(({ reason }) => reason === "unresponsive")).toBe(true)
      }
      // What was not asked for is not missing.
      const [first] = audits
      for (const id of ["A1", "A4", "C1"])
        expect(first?.report.criteria.find((criterion) => criterion.id === id)?.status, id).toBe("inconclusive")
    }
  )
})

describe.concurrent("a site with a few slow pages", () => {
  it("is audited to the end", { timeout: 120_000 }, async () => {
    const slow = new Set(["/guide/p1", "/guide/p2", "/guide/p3", "/guide/p4"])
    const { asked, report } = await auditOf((request, response) => {
      if (!slow.has(request.url ?? "")) nastySites.ok(request, response)
    })
    expect(report.reliability.flags).not.toContain("unresponsive")
    expect(report.reliability.skipped).toEqual([])
    expect(asked).toBeGreaterThan(50)
  })
})
