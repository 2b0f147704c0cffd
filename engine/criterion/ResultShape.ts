import * as Predicate from "effect/Predicate"

/** Why what a measure returned is no measurement, as code without types may have it; `null`: it has the shape of one. */
export const shapeFault = (result: unknown): string | null => {
  if (!Predicate.isObject(result)) return `it returned ${String(result)}, and must return { facts, findings }`
  if (!Predicate.hasProperty(result, "facts") || !Predicate.isObject(result.facts)) return "its result has no facts"
  const waiting = Object.entries(result.facts).find(([, value]) => Predicate.isPromise(value))
  if (waiting !== undefined) return `its fact "${waiting[0]}" is a promise: await it`
  if (!Predicate.hasProperty(result, "findings") || !Array.isArray(result.findings))
    return "its result has no findings: the first is the summary of the report"
  const unproved = result.findings.findIndex(
    (finding) => !Predicate.hasProperty(finding, "proof") || !Predicate.hasProperty(finding.proof, "_tag")
  )
  return unproved === -1
    ? null
    : `finding ${unproved + 1} has no proof: give the answer that shows it, such as page.answer, or site.base.exchange where no page does`
}
