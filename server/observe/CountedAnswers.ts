import * as Context from "effect/Context"
import * as Metric from "effect/Metric"
import { answers } from "./Metrics.ts"

const METHODS = ["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE", "other"]

/** By method and status class: attributes are bound once, since every response is counted. */
const counters = new Map(METHODS.map((method) =>
  [method, [1, 2, 3, 4, 5].map((first) => Metric.withAttributes(answers, { method, status: `${first}xx` }))]))

const CONTEXT = Context.empty()

/** Counts a response by method and status class. */
export const countAnswer = (method: string, status: number): void =>
  (counters.get(method) ?? counters.get("other"))?.[Math.floor(status / 100) - 1]?.updateUnsafe(1, CONTEXT)
