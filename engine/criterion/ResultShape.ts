import * as Predicate from "effect/Predicate"

/** Why what a measure returned is no measurement, as code without types may have it; `null`: it has the shape of one. */
export const shapeFault = (result: unknown): string | null => {
  if (!Predicate.isObject(result)) return `it returned ${String(result)}, and must return { facts, findings }`
  if (!Predicate.hasProperty(result, "facts") || !Predicate.isObject(result.facts)) return "its result has no facts"
  const waiting = Object.entries(result.facts).find(([, value]) => Predicate.isPromise(value))
  if (waiting !== undefined) return `its fact "${waiting[0]}" is a promise: await it`
  return Predicate.hasProperty(result, "findings") && Array.isArray(result.findings)
    ? null
    : "its result has no findings: the first is the summary of the report"
}
