import type { RequestListener } from "node:http"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { FetchLimits, limitsWith } from "../../engine/evidence/FetchLimits.ts"
import { openArchive, replay } from "../../engine/evidence/archive/Replay.ts"
import { guardedHttp } from "../../engine/evidence/http/GuardedHttp.ts"
import { politely } from "../../engine/evidence/politeness/Politeness.ts"
import { httpServer } from "../evidence/LoopbackServers.ts"
import { AGENTS, auditOver } from "./AuditOver.ts"
import { nastySites } from "./NastySites.ts"

/** Time enough for an audit at the lowest rate, too, to which a slow machine may bring it. */
const LIMITS = limitsWith({ gatherMs: 150_000 })

const transport = politely().pipe(
  Layer.provide(guardedHttp({ resolve: [], allowPrivate: true, allowHttp: true, userAgents: AGENTS })),
  Layer.provide(Layer.succeed(FetchLimits, LIMITS))
)

const auditOf = async (listener: RequestListener) => {
  const server = await httpServer(listener)
  try {
    return await Effect.runPromise(auditOver(transport, `http://127.0.0.1:${server.port}`, { limits: LIMITS }))
  } finally {
    await server.close()
  }
}

const reportOf = async (listener: RequestListener): Promise<AuditReport> =>
  Result.getOrThrow((await auditOf(listener)).result).report

const statuses = ({ criteria }: AuditReport) =>
  Object.fromEntries(criteria.map(({ id, score, status }) => [id, `${status} ${score}`]))

/** Answers as `nastySites.ok`, but 429 to these requests in the order in which they come: by count, because a slow audit never exceeds a rate. */
const limiting = (first: number, last: number): RequestListener => {
  let count = 0
  return (request, response) => {
    count += 1
    if (count < first || count > last) nastySites.ok(request, response)
    else response.writeHead(429, { "retry-after": "1" }).end("slow down")
  }
}

/** Answers as `nastySites.ok`, but so at some paths. */
const except =
  (paths: RegExp, status: number, headers: Readonly<Record<string, string>> = {}): RequestListener =>
  (request, response) => {
    if (paths.test(request.url ?? "")) response.writeHead(status, headers).end()
    else nastySites.ok(request, response)
  }

// Audits that wait, each of a server of its own.
describe.concurrent("a site that limits the rate", () => {
  it(
    "gets the score that it would get without the limit, and the flag `rate_limited`, in a replay too",
    { timeout: 300_000 },
    async () => {
      const [free, limited] = [await reportOf(nastySites.ok), await auditOf(limiting(16, 20))]
      const { report } = Result.getOrThrow(limited.result)
      expect(statuses(report)).toEqual(statuses(free))
      expect(report.reliability.reliable).toBe(free.reliability.reliable)
      expect(free.reliability.flags).not.toContain("rate_limited")
      expect(report.reliability.flags).toContain("rate_limited")
      expect(report.reliability.skipped).toEqual([])

      const archive = await Effect.runPromise(Effect.flatMap(limited.archive, openArchive))
      const again = await Effect.runPromise(auditOver(replay(archive), report.base_url, { limits: LIMITS }))
      expect(again.text).toBe(limited.text)
    }
  )

  it(
    "isn't reliable where it asks for longer waits than gathering lasts, and isn't asked much more",
    { timeout: 120_000 },
    async () => {
      let asked = 0
      const report = await reportOf((request, response) => {
        asked += 1
        if (asked <= 20) nastySites.ok(request, response)
        else response.writeHead(429, { "retry-after": "3600" }).end()
      })
      expect(report.reliability.reliable).toBe(false)
      expect(report.reliability.flags).toEqual(expect.arrayContaining(["rate_limited", "unanswered"]))
      expect(report.reliability.skipped.map(({ reason }) => reason)).toContain("rate_limited")
      expect(asked).toBeLessThan(35)
    }
  )
})

describe.concurrent("a score whose evidence is missing for reasons of transport", () => {
  it.each<[string, RequestListener]>([
    ["sitemaps that answer 500", except(/sitemap/, 500)],
    ["an llms.txt behind a challenge", except(/llms\.txt$/, 403, { "cf-mitigated": "challenge" })],
    ["an llms.txt that answers 429 for an hour", except(/llms\.txt$/, 429, { "retry-after": "3600" })]
  ])("isn't reliable: %s", { timeout: 120_000 }, async (_, listener) => {
    const report = await reportOf(listener)
    expect(report.reliability.reliable).toBe(false)
  })

  it.each([
    ["is reliable with 1 point that could not be checked: F3", "AGENTS\\.md", ["F3"], true],
    ["is reliable with 1: F1", "\\.well-known/mcp\\.json", ["F1"], true]
  ] as const)("%s", { timeout: 120_000 }, async (_, path, unchecked, reliable) => {
    const { criteria, reliability } = await reportOf(except(new RegExp(`${path}$`), 429, { "retry-after": "3600" }))
    expect(criteria.filter(({ status }) => status === "inconclusive").map(({ id }) => id)).toEqual(unchecked)
    expect([reliability.reliable, reliability.flags.includes("unanswered")]).toEqual([reliable, !reliable])
  })

  it(
    "is reliable where what is missing is the site's own refusal: an S3 bucket answers 403 to what it doesn't have",
    { timeout: 120_000 },
    async () => {
      const missing = /sitemap|llms|openapi|swagger|canary|\.well-known|mcp/
      const { reliability } = await reportOf(except(missing, 403))
      expect(reliability.flags).not.toContain("unanswered")
    }
  )
})
