import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { USUAL_SAMPLE } from "../evidence/AuditBudget.ts"
import { isHttpAddress, type RunInfo } from "../evidence/archive/Archive.ts"
import { defaultLimits, type FetchLimits, limitsWith } from "../evidence/FetchLimits.ts"
import type { UserAgents } from "../evidence/UserAgents.ts"
import type { AuditRequest } from "./AuditRequest.ts"
import { ENGINE_VERSION } from "./Version.ts"

/** What an archive has to say for an audit to be done again from it. */
export interface RunRecord {
  readonly url: string
  readonly date: string
  readonly sampleSize: number
  readonly canonicalOrigin: string | null
  /** As `AuditRequest.first`. */
  readonly first?: string | undefined
  /** `AuditRequest.asAgents` of the run. Apart, so that only what asks for the matrix makes it again. */
  readonly askedAgents?: ReadonlyArray<string>
  /** As `AuditRequest.asAgentsHost`. */
  readonly asAgentsHost?: string
  readonly limits: FetchLimits
}

/** The run as its archive's `warcinfo` keeps it. */
export const runInfoOf = (request: AuditRequest, limits: FetchLimits, agents: UserAgents): RunInfo => {
  const { asAgents = [], asAgentsHost, canonicalOrigin, date, first, rubric, sampleSize, url } = request
  const { id, version } = rubric.rubric
  return {
    software: `docgauge/${ENGINE_VERSION}`,
    date,
    audited: url,
    agents,
    rubric: { id, version, digest: rubric.digest },
    limits: Object.fromEntries(Object.entries(limits)),
    parameters: {
      sampleSize,
      canonicalOrigin,
      ...(first === undefined ? {} : { first }),
      ...(asAgents.length === 0 ? {} : { asAgents, ...(asAgentsHost === undefined ? {} : { asAgentsHost }) })
    }
  }
}

const Parameters = Schema.Struct({
  sampleSize: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 500 })),
  canonicalOrigin: Schema.NullOr(Schema.String),
  asAgents: Schema.optionalKey(Schema.Array(Schema.String.check(Schema.isMaxLength(40))).check(Schema.isMaxLength(20))),
  asAgentsHost: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(300))),
  first: Schema.optionalKey(Schema.String.check(Schema.makeFilter(isHttpAddress, { expected: "an http or https URL" })))
})

const readParameters = Schema.decodeUnknownOption(Parameters)

/**
 * Reads a run back. An archive is untrusted: limits that it does not name, or names above the usual ones, are the usual
 * ones.
 */
export const runRecordOf = (info: RunInfo): RunRecord => {
  const parameters = Option.getOrElse(readParameters(info.parameters), (): typeof Parameters.Type => ({
    sampleSize: USUAL_SAMPLE,
    canonicalOrigin: null
  }))
  const limit = (name: keyof FetchLimits): number => {
    const recorded = Math.floor(info.limits[name] ?? -1)
    const least = name === "retriesPerAudit" ? 0 : 1
    return recorded >= least
      ? Math.min(recorded, defaultLimits[name] * (name === "requests" ? 10 : 1))
      : defaultLimits[name]
  }
  const limits = Object.fromEntries(LIMITS.map((name) => [name, limit(name)]))
  const { asAgents = [], ...others } = parameters
  return { url: info.audited, date: info.date, ...others, askedAgents: asAgents, limits: limitsWith(limits) }
}

/** What decides which evidence is kept; times play no part without a network. */
const LIMITS = [
  "redirects",
  "pageBytes",
  "documentBytes",
  "yamlBytes",
  "requests",
  "retriesPerAudit",
  "auditBytes",
  "sitemapEntries",
  "sitemapFiles"
] as const satisfies ReadonlyArray<keyof FetchLimits>
