import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Metric from "effect/Metric"
import { answers, httpDuration } from "./Metrics.ts"

const METHODS = ["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE", "other"]

/** By method and status class: attributes are bound once, since every response is counted. */
const counters = new Map(
  METHODS.map((method) => [
    method,
    [1, 2, 3, 4, 5].map((first) => Metric.withAttributes(answers, { method, status: `${first}xx` }))
  ])
)

/** By the beginning of the path; the first that fits. */
const GROUPS = [
  ["audit", /^\/audit(?:\/|$)/],
  ["mcp", /^\/mcp(?:\/|$)/],
  ["api", /^\/api\//],
  ["operator", /^\/(?:metrics|healthz)(?:\/|$)/],
  ["page", /^/]
] as const

const durations = GROUPS.map(([group, pattern]) => ({
  pattern,
  duration: Metric.withAttributes(httpDuration, { group })
}))

/** Counts a response by method and status class, and the time that it took by what was asked for. */
export const answerCounter = Effect.contextWith((service: Context.Context<never>) =>
  Effect.succeed((method: string, path: string, status: number, seconds: number): void => {
    ;(counters.get(method) ?? counters.get("other"))?.[Math.floor(status / 100) - 1]?.updateUnsafe(1, service)
    durations.find(({ pattern }) => pattern.test(path))?.duration.updateUnsafe(seconds, service)
  })
)
