import * as Context from "effect/Context"
import * as Metric from "effect/Metric"
import { answers } from "./Metrics.ts"

const METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE"])

const counters = new Map<string, typeof answers>()

const counterFor = (method: string, status: string): typeof answers => {
  const key = `${method} ${status}`
  const counter = counters.get(key) ?? Metric.withAttributes(answers, { method, status })
  counters.set(key, counter)
  return counter
}

const CONTEXT = Context.empty()

/** Counts a response by method and status class. */
export const countAnswer = (method: string, status: number): void =>
  counterFor(METHODS.has(method) ? method : "other", `${Math.floor(status / 100)}xx`).updateUnsafe(1, CONTEXT)
