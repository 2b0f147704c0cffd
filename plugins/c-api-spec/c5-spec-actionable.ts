import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/criterion/Criterion.ts"
import { count, flag, share } from "../../engine/criterion/Fact.ts"
import { counted } from "../../engine/criterion/Wording.ts"
import type { ApiDescription, FoundSpec, SpecSecurity } from "../../engine/site/ApiSpec.ts"
import { specEvidence } from "./SpecEvidence.ts"
import { portionShown, sentence, specShown } from "./SpecWording.ts"
import { shareOf } from "./Weighing.ts"

/** As the rubric has it, for the words of the findings. */
const MOST = 0.9

/** C5: a caller learns from the description where to call, with which credentials, and what a failure looks like. */
export const c5SpecActionable = define({
  id: "c5-spec-actionable",
  revision: 1,
  params: Schema.Struct({}),
  facts: {
    absolute_server: flag("an absolute https server that is no placeholder, variables by their defaults"),
    security_clear: flag("security schemes defined and applied, or none needed: `security: []`, or nothing is defined and nothing answers 401 or 403"),
    operations: count("operations of the description"),
    errors_described: share("of those, with a 4xx or default response that has a schema"),
    versioned: flag("a version in `info` that is not empty")
  },
  measure: Effect.fn("c5-spec-actionable")(function*(site) {
    const evidence = yield* specEvidence(site)
    if (evidence._tag === "NoSpec") {
      return {
        facts: { absolute_server: false, security_clear: false, operations: 0, errors_described: 0, versioned: false },
        findings: [evidence.finding]
      }
    }
    const { spec } = evidence.found
    const facts = {
      absolute_server: spec.servers.some(({ usable }) => usable),
      security_clear: isClear(spec.security),
      operations: spec.operationCount,
      errors_described: shareOf(spec.quality.errorOperations),
      versioned: spec.version !== ""
    }
    const parts = partsOf(evidence.found, facts)
    const good = parts.filter((part) => part.good).length
    const summary: Finding = {
      good: good === parts.length,
      message: `${sentence(specShown(evidence.found))} answers ${good} of ${parts.length} of a caller's questions: server, credentials, errors, version.`,
      proof: evidence.found.exchange
    }
    return { facts, findings: [summary, ...parts] }
  })
})

const isClear = (security: SpecSecurity): boolean =>
  security.saidToBeNone
  || (security.schemes.length > 0 && security.securedOperations > 0 && security.undeclaredOperations === 0)
  || (security.schemes.length === 0 && security.undeclaredOperations === 0 && security.refusingOperations === 0)

interface Verdicts {
  readonly absolute_server: boolean
  readonly security_clear: boolean
  readonly errors_described: number
  readonly versioned: boolean
}

const partsOf = ({ exchange, spec }: FoundSpec, facts: Verdicts): ReadonlyArray<Finding> => {
  const errors = portionShown(spec.quality.errorOperations, "operations")
  return [
    { good: facts.absolute_server, message: serverShown(spec), proof: exchange },
    { good: facts.security_clear, message: securityShown(spec.security, facts.security_clear), proof: exchange },
    { good: facts.errors_described >= MOST, message: `An error response with a schema stands on ${errors}.`, proof: exchange },
    { good: facts.versioned, message: facts.versioned ? `Its version is ${spec.version.slice(0, 40)}.` : "Its version is empty.", proof: exchange }
  ]
}

const serverShown = ({ servers }: ApiDescription): string => {
  const usable = servers.find((server) => server.usable)
  if (usable !== undefined) return `It names the server ${usable.url.slice(0, 80)}.`
  const [first] = servers
  return first === undefined
    ? "It names no server."
    : `Its ${counted(servers.length, "server")} cannot be called as written, such as ${first.url.slice(0, 80)}: not absolute, not https, or a placeholder.`
}

const securityShown = (security: SpecSecurity, clear: boolean): string => {
  const schemes = counted(security.schemes.length, "security scheme")
  if (security.saidToBeNone) return "It says that no credentials are needed."
  if (security.undeclaredOperations > 0) return `${counted(security.undeclaredOperations, "operation")} require a security scheme that is defined nowhere.`
  if (security.schemes.length > 0) {
    return clear
      ? `It defines ${schemes}, applied to ${counted(security.securedOperations, "operation")}.`
      : `It defines ${schemes}, applied to no operation.`
  }
  return clear
    ? "It defines no security scheme, and no operation answers 401 or 403."
    : `It defines no security scheme, though ${counted(security.refusingOperations, "operation")} answer 401 or 403.`
}
