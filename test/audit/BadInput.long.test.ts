import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import type { AuditReport, ReliabilityFlag } from "../../engine/audit/Report.ts"
import type { AuditFailed } from "../../engine/audit/AuditRequest.ts"
import { type FetchLimits as Limits, FetchLimits, limitsWith } from "../../engine/evidence/FetchLimits.ts"
import { guardedHttp, type GuardedHttpOptions } from "../../engine/evidence/http/GuardedHttp.ts"
import { politely } from "../../engine/evidence/politeness/Politeness.ts"
import { openArchive, replay } from "../../engine/evidence/archive/Replay.ts"
import { certificateFor, httpServer, httpsServer } from "../evidence/LoopbackServers.ts"
import { AGENTS, auditOver } from "./AuditOver.ts"
import { type NastySite, nastySites } from "./NastySites.ts"

/** Two retries are enough to see that they end. */
const USUAL = limitsWith({ retriesPerAudit: 2 })

/** So short that a site that hangs is given up on within a minute, and long enough that a slow machine meets them for pages that are answered. */
const SHORT = limitsWith({
  retriesPerAudit: 2,
  firstByteMs: 5_000,
  stallMs: 5_000,
  exchangeMs: 12_000,
  gatherMs: 75_000
})

const limitsFor = (name: NastySite): Limits => (/hang|drip/.test(name) ? SHORT : USUAL)

const overNetwork = (limits: Limits, options: Partial<GuardedHttpOptions>) =>
  politely().pipe(
    Layer.provide(guardedHttp({ resolve: [], allowPrivate: true, allowHttp: true, userAgents: AGENTS, ...options })),
    Layer.provide(Layer.succeed(FetchLimits, limits))
  )

type Outcome = AuditReport | AuditFailed

/** Audits over real HTTP; then again from the record of it, which must come to the same, failure or report. */
const audited = async (url: string, limits = USUAL, options: Partial<GuardedHttpOptions> = {}): Promise<Outcome> => {
  const live = await Effect.runPromise(auditOver(overNetwork(limits, options), url, { limits }))
  const archive = await Effect.runPromise(Effect.flatMap(live.archive, openArchive))
  const again = await Effect.runPromise(auditOver(replay(archive), url, { limits }))
  expect(again.text).toBe(live.text)
  return Result.isSuccess(live.result) ? live.result.success.report : live.result.failure
}

const auditedSite = async (name: NastySite): Promise<Outcome> => {
  const server = await httpServer(nastySites[name])
  try {
    return await audited(`http://127.0.0.1:${server.port}`, limitsFor(name))
  } finally {
    await server.close()
  }
}

const isReport = (outcome: Outcome): outcome is AuditReport => "total_score" in outcome

describe.concurrent("no report, and why", () => {
  const rows: ReadonlyArray<readonly [NastySite, AuditFailed["reason"], RegExp]> = [
    ["forbidden", "no_page", /answers 403, so it was not audited/],
    ["unauthorized", "no_page", /answers 401/],
    ["gone", "no_page", /answers 410/],
    ["challenge 403", "no_page", /answers 403/],
    ["challenge 200", "no_page", /answers with a bot challenge/],
    ["error 500", "no_page", /answers 500/],
    ["error 503", "no_page", /answers 503/],
    ["pdf", "no_page", /is not a web page \(application\/pdf\)/],
    ["binary", "no_page", /is binary data, though it is sent as text\/html/],
    ["elsewhere by HTTP", "left_site", /redirects to another site, https:\/\/elsewhere\.example\/docs/],
    ["elsewhere by meta refresh", "left_site", /redirects to another site, https:\/\/elsewhere\.example\/docs/],
    ["elsewhere by script", "left_site", /redirects to another site, https:\/\/elsewhere\.example\/docs/],
    ["loop", "no_page", /leads to no page: redirected in a circle/],
    ["endless redirects", "no_page", /leads to no page: redirected more than 5 times/],
    ["hang", "unreachable", /no answer within 5 s/],
    ["first page hangs", "unreachable", /no answer within 5 s/],
    ["drip", "unreachable", /no answer within 5 s|nothing came for 5 s|not complete within 12 s/],
    ["drips headers", "unreachable", /no answer within 5 s|not complete within 12 s/],
    ["truncated", "unreachable", /the connection ended before the answer did/],
    ["reset", "unreachable", /the connection ended before the answer did/],
    ["not HTTP", "unreachable", /the answer is not HTTP/],
    ["header flood", "unreachable", /the headers are longer than 64 KB/],
    ["shut out", "shut_out", /forbids docgauge by name/]
  ]
  it.each(rows)("%s", { timeout: 120_000 }, async (name, reason, message) => {
    const outcome = await auditedSite(name)
    if (isReport(outcome)) throw new Error(`${name} got ${outcome.total_score} points`)
    expect(outcome.reason).toBe(reason)
    expect(outcome.message).toMatch(message)
    expect(outcome.message).not.toMatch(/[\r\n]/)
    expect(outcome.advice).toMatch(/^\S.*\S$/)
  })
})

describe.concurrent("a true report", () => {
  /** The most points that such a site may get, and what its reader is told. */
  const rows: ReadonlyArray<readonly [NastySite, number, ReadonlyArray<ReliabilityFlag>]> = [
    ["ok", 25, []],
    ["empty", 10, ["catch_all", "client_rendered", "single_page"]],
    ["catch-all", 25, ["catch_all"]],
    ["login", 10, ["login_wall"]],
    ["one hop", 25, []],
    ["all but the first page hangs", 15, ["unresponsive"]],
    ["all but the first page drips", 15, ["unresponsive"]],
    ["all but the first page truncated", 15, []],
    ["too many requests", 15, []],
    ["deep arrays", 25, []],
    ["deep objects", 25, []],
    ["YAML aliases", 25, []],
    ["deep YAML", 25, []],
    ["unclosed tags", 25, ["catch_all"]],
    ["NUL bytes", 25, ["catch_all"]],
    ["invalid UTF-8", 25, ["catch_all"]],
    ["Markdown only", 40, []],
    ["fickle", 30, []]
  ]
  it.each(rows)("%s", { timeout: 120_000 }, async (name, most, flags) => {
    const outcome = await auditedSite(name)
    if (!isReport(outcome)) throw new Error(outcome.message)
    expect(outcome.total_score).toBeLessThanOrEqual(most)
    expect(outcome.reliability.flags).toEqual(expect.arrayContaining([...flags]))
    expect(outcome.criteria).toHaveLength(30)
  })
})

describe.concurrent("no connection", () => {
  it("refused", async () => {
    const server = await httpServer(nastySites.ok)
    await server.close()
    expect(await audited(`http://127.0.0.1:${server.port}`)).toMatchObject({
      reason: "unreachable",
      message: expect.stringContaining("the connection was refused")
    })
  })

  it("an unknown host", async () => {
    expect(await audited("https://no-such-host.invalid")).toMatchObject({
      reason: "unreachable",
      message: expect.stringMatching(/no such host|could not be looked up/)
    })
  })

  it("a host that is not public", async () => {
    expect(await audited("https://localhost", USUAL, { allowPrivate: false })).toMatchObject({
      reason: "unreachable",
      message: expect.stringContaining("private use")
    })
  })

  it.each([
    ["self-signed", false, "the certificate is self-signed"],
    ["expired", true, "the certificate"]
  ] as const)("a bad certificate: %s", async (_, expired, message) => {
    const server = await httpsServer(nastySites.ok, certificateFor("docs.example.com", expired))
    try {
      const resolve = [{ host: "docs.example.com", port: 443, address: "127.0.0.1", toPort: server.port }]
      expect(await audited("https://docs.example.com", USUAL, { resolve })).toMatchObject({
        reason: "unreachable",
        message: expect.stringContaining(message),
        advice: expired ? expect.any(String) : expect.stringContaining("NODE_EXTRA_CA_CERTS")
      })
    } finally {
      await server.close()
    }
  })
})
