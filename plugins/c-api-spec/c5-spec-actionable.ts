import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding } from "../../engine/plugin/Criterion.ts"
import { count, EITHER, flag, share } from "../../engine/plugin/Fact.ts"
import { withMissingText } from "../../engine/plugin/SampledPages.ts"
import { capitalised, counted, enumerated, grouped } from "../../engine/plugin/Wording.ts"
import { NO_REQUESTS } from "../../engine/evidence/AuditBudget.ts"
import type { ApiDescription, FoundSpec, Portion, SpecSecurity } from "../../engine/apispec/ApiSpec.ts"
import { documentedAuthentication } from "../d-content/Authentication.ts"
import type { Citation } from "../d-content/Citation.ts"
import { readDocumentation } from "../d-content/Documentation.ts"
import { specEvidence, specShown } from "../../engine/plugin/SpecEvidence.ts"
import { shareOf } from "./Weighing.ts"

/** The rubric's threshold, for the findings. */
const MOST = 0.9

/** C5: the API description says where to call, with which credentials, and what a failure looks like. */
export const c5SpecActionable = define({
  id: "c5-spec-actionable",
  revision: 3,
  budget: NO_REQUESTS,
  params: Schema.Struct({}),
  facts: {
    absolute_server: flag(
      "an absolute https server URL that is not a placeholder, with variables set to their defaults"
    ),
    security_clear: flag(
      "security schemes are defined and applied, or none is needed (`security: []`, or no scheme is defined, no operation returns 401 or 403 and no page documents authentication)"
    ),
    operations: count("operations of the description"),
    errors_described: share("of those, with a 4xx or default response that has a schema"),
    versioned: flag("`info.version` is not empty")
  },
  measure: Effect.fn("c5-spec-actionable")(function* (site) {
    const evidence = yield* specEvidence(site)
    if (evidence._tag === "NoSpec") {
      return {
        facts: { absolute_server: false, security_clear: false, operations: 0, errors_described: 0, versioned: false },
        findings: [evidence.finding]
      }
    }
    const { spec } = evidence.found
    const silent = isSilent(spec.security)
    const documented = silent ? documentedAuthentication(yield* readDocumentation(site)) : null
    const facts = {
      absolute_server: spec.servers.some(({ usable }) => usable),
      security_clear: silent ? documented === null : isClear(spec.security),
      operations: spec.operationCount,
      errors_described: shareOf(spec.quality.errorOperations),
      versioned: spec.version !== ""
    }
    const parts = partsOf(evidence.found, facts, documented)
    const lacking = [
      ...(facts.absolute_server ? [] : ["the URL of a server that can be called"]),
      ...(facts.security_clear ? [] : ["how to authenticate"]),
      ...(facts.errors_described >= MOST
        ? []
        : [`error responses with a schema (${documenting(spec.quality.errorOperations)})`]),
      ...(facts.versioned ? [] : ["info.version"])
    ]
    const summary: Finding = {
      good: lacking.length === 0,
      message:
        lacking.length === 0
          ? `${capitalised(specShown(evidence.found))} names its server, how to authenticate, error responses and its version.`
          : `Missing in ${specShown(evidence.found)}: ${enumerated(lacking)}.`,
      proof: evidence.found.exchange
    }
    const measured = Effect.succeed({ facts, findings: [summary, ...parts] as const })
    return yield* silent ? withMissingText<typeof facts>(() => ({ security_clear: EITHER }))(measured, site) : measured
  })
})

/** It names neither credentials nor a refusal, and does not say that none are needed. */
const isSilent = (security: SpecSecurity): boolean =>
  !security.saidToBeNone &&
  security.schemes.length === 0 &&
  security.undeclaredOperations === 0 &&
  security.refusingOperations === 0

const isClear = (security: SpecSecurity): boolean =>
  security.saidToBeNone ||
  (security.schemes.length > 0 && security.securedOperations > 0 && security.undeclaredOperations === 0)

interface Verdicts {
  readonly absolute_server: boolean
  readonly security_clear: boolean
  readonly errors_described: number
  readonly versioned: boolean
}

const documenting = ({ part, whole }: Portion): string =>
  whole === 1
    ? "its only operation documents none"
    : `${grouped(part)} of ${grouped(whole)} operations ${part === 1 ? "documents" : "document"} one`

const partsOf = (
  { exchange, spec }: FoundSpec,
  facts: Verdicts,
  documented: Citation | null
): ReadonlyArray<Finding> => {
  const { part, whole } = spec.quality.errorOperations
  return [
    { good: facts.absolute_server, message: serverShown(spec), proof: exchange },
    {
      good: facts.security_clear,
      message: securityShown(spec.security, facts.security_clear, documented),
      proof: documented?.proof ?? exchange
    },
    {
      good: facts.errors_described >= MOST,
      message:
        whole === 1
          ? `Its only operation has ${part === 1 ? "an" : "no"} error response with a schema.`
          : `${part === 0 ? `None of its ${grouped(whole)}` : part === whole ? `All ${grouped(whole)}` : `${grouped(part)} of its ${grouped(whole)}`} operations ${part === 1 ? "has" : "have"} an error response with a schema.`,
      proof: exchange
    },
    {
      good: facts.versioned,
      message: facts.versioned
        ? `Its version is ${spec.version.slice(0, 40)}.`
        : "Its `info.version` is missing or empty.",
      proof: exchange
    }
  ]
}

const serverShown = ({ servers }: ApiDescription): string => {
  const usable = servers.find((server) => server.usable)
  if (usable !== undefined) return `It names the server ${usable.url.slice(0, 80)}.`
  const [first] = servers
  return first === undefined
    ? "It names no server."
    : `${servers.length === 1 ? "Its only server cannot" : `None of its ${servers.length} servers can`} be called as written: ${first.url.slice(0, 80)} ${unusableShown(first.url)}.`
}

const unusableShown = (url: string): string => {
  if (/^https:/i.test(url)) return "names a placeholder, not a host that everyone can reach"
  return /^[a-z][a-z\d+.-]*:/i.test(url) ? "is not an https URL" : "is not an absolute URL"
}

const securityShown = (security: SpecSecurity, clear: boolean, documented: Citation | null): string => {
  const schemes = counted(security.schemes.length, "security scheme")
  if (security.saidToBeNone) return "It says that no credentials are needed."
  if (security.undeclaredOperations > 0)
    return `${counted(security.undeclaredOperations, "operation")} ${security.undeclaredOperations === 1 ? "requires" : "require"} a security scheme that is not defined.`
  if (security.schemes.length > 0) {
    return clear
      ? `It defines ${schemes}, applied to ${counted(security.securedOperations, "operation")}.`
      : `It defines ${schemes}, but applies none.`
  }
  if (documented !== null) return `It defines no security scheme, but ${documented.where} documents authentication.`
  return clear
    ? "It defines no security scheme, no operation returns 401 or 403, and no page documents authentication."
    : `It defines no security scheme, but ${counted(security.refusingOperations, "operation")} ${security.refusingOperations === 1 ? "returns" : "return"} 401 or 403.`
}
