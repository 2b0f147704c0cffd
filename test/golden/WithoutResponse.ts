import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type { AuditReport, CriterionResult } from "../../engine/audit/Report.ts"
import type { Asked } from "../../engine/evidence/Exchange.ts"
import { keyOf } from "../../engine/evidence/Journal.ts"
import { type Hop, type HopRequest, Transport } from "../../engine/evidence/Transport.ts"
import { layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { auditOver } from "../audit/AuditOver.ts"
import type { GoldenSite } from "./AuditFakeSite.ts"

const META = { peer: "203.0.113.7", sentAt: 0, firstByteMs: 0, attempts: 1 }

const answer = (status: number, headers: ReadonlyArray<readonly [string, string]>, text: string): Hop => {
  const body = new TextEncoder().encode(text)
  return { _tag: "HopAnswer", status, headers, body, cut: false, wireBytes: body.length, meta: META }
}

const HTML = ["content-type", "text/html; charset=utf-8"] as const

const CHALLENGE =
  "<!doctype html><html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1><p>Enable JavaScript and cookies to continue.</p></body></html>"

/** What says nothing about a site, in place of one of its responses. */
const silences = {
  "429": answer(
    429,
    [HTML],
    "<!doctype html><html><head><title>Too many requests</title></head><body><h1>Slow down</h1></body></html>"
  ),
  "503": answer(503, [["content-type", "text/plain"]], "Service unavailable\n"),
  "a timeout": { _tag: "HopFault", kind: "first_byte_timeout", message: "no answer within 15 s", meta: META },
  "the end of gathering": { _tag: "HopFault", kind: "deadline", message: "gathering time was over", meta: META },
  "a challenge": answer(403, [HTML, ["cf-mitigated", "challenge"]], CHALLENGE),
  "a challenge with status 200": answer(200, [HTML], CHALLENGE)
} as const satisfies Readonly<Record<string, Hop>>

export type Silence = keyof typeof silences

/** An audit of a golden site, and every request that it sent, each once. */
export const auditedWhole = (
  golden: GoldenSite
): Promise<{ readonly report: AuditReport; readonly requests: ReadonlyArray<Asked> }> => {
  const requests = new Map<string, Asked>()
  return audited(golden, ({ asked }) => {
    requests.set(keyOf(asked), asked)
    return null
  }).then((report) => {
    if (report === null) throw new Error(`no report on ${golden.name}`)
    return { report, requests: [...requests.values()] }
  })
}

/** The report without the response to one request; `null`: none was possible. */
export const auditedWithout = (golden: GoldenSite, request: Asked, silence: Silence): Promise<AuditReport | null> => {
  const key = keyOf(request)
  return auditedWithoutSome(golden, (asked) => (keyOf(asked) === key ? silence : null))
}

/** The report without the responses to some requests; `null`: none was possible. */
export const auditedWithoutSome = (
  golden: GoldenSite,
  silenceOf: (asked: Asked) => Silence | null
): Promise<AuditReport | null> =>
  audited(golden, ({ asked }) => {
    const silence = silenceOf(asked)
    return silence === null ? null : silences[silence]
  })

const audited = (
  { site, url }: GoldenSite,
  instead: (request: HopRequest) => Hop | null
): Promise<AuditReport | null> => {
  const transport = Layer.effect(
    Transport,
    Effect.map(Transport, ({ send }) =>
      Transport.of({
        send: (request) => {
          const hop = instead(request)
          return hop === null ? send(request) : Effect.succeed(hop)
        }
      })
    )
  ).pipe(Layer.provide(layerFakeSite(site, { host: new URL(url).origin })))
  return Effect.runPromise(
    Effect.map(auditOver(transport, url), ({ result }) => (Result.isSuccess(result) ? result.success.report : null))
  )
}

/** Criteria that have other points, or another status, and are not inconclusive: what a missing response must never cause. */
export const falseVerdicts = (whole: AuditReport, without: AuditReport): ReadonlyArray<string> =>
  [...without.criteria].flatMap((result) => {
    const before = whole.criteria.find(({ id }) => id === result.id)
    return before === undefined || holds(before, result)
      ? []
      : [`${result.id} ${before.status} ${before.score} → ${result.status} ${result.score}: ${result.summary}`]
  })

const holds = (before: CriterionResult, after: CriterionResult): boolean =>
  after.status === "inconclusive" ? after.score === 0 : after.status === before.status && after.score === before.score

export const silenceNames: ReadonlyArray<Silence> = [
  "429",
  "503",
  "a timeout",
  "the end of gathering",
  "a challenge",
  "a challenge with status 200"
]
