import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type { BoundCriterion } from "../plugin/Registry.ts"
import { originOf } from "../evidence/Address.ts"
import {
  type Answer,
  type Exchange,
  type Fault,
  isAnswer,
  isChallengeError,
  isOk,
  mediaType,
  REFUSING
} from "../evidence/Exchange.ts"
import { isUntrusted, TRUST_ISSUER } from "../evidence/http/HopFailure.ts"
import type { JournalEntry, JournalListener } from "../evidence/Journal.ts"
import type { Page } from "../page/Page.ts"
import type { LoadedRubric } from "../rubric/RubricFile.ts"
import type { Base } from "../site/base/Derivation.ts"
import type { NamedPages } from "../site/sample/Sample.ts"
import type { Site } from "../site/Site.ts"
import type { KnownGenerator } from "../site/SiteSource.ts"
import { plainText } from "../text/PlainText.ts"
import type { KeptExchange } from "./Measure.ts"
import type { AuditReport } from "./Report.ts"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { USUAL_SAMPLE } from "../evidence/AuditBudget.ts"
import { isHttpAddress, type RunInfo } from "../evidence/archive/Archive.ts"
import { defaultLimits, type FetchLimits, limitsWith } from "../evidence/FetchLimits.ts"
import type { UserAgents } from "../evidence/UserAgents.ts"
import { ENGINE_VERSION } from "./Version.ts"

/** What to audit and how; the same request on the same evidence gives the same report. */
export interface AuditRequest {
  /** As `parseTarget` returns it, and as the report repeats it. */
  readonly url: string
  /** What is asked first: the URL with the slash and the query that were typed, on its host; `url` if missing. */
  readonly first?: string | undefined
  /** The run's date, `YYYY-MM-DD`. */
  readonly date: string
  readonly sampleSize: number
  /** Paths and globs of pages that are always in the sample; none if missing. */
  readonly namedPages?: ReadonlyArray<string>
  /** The production origin whose URLs are read as the audited origin's; `null`: none. */
  readonly canonicalOrigin: string | null
  /** Whether the site is a folder and not served: criteria that judge a server are not measured. */
  readonly folder?: boolean
  readonly rubric: LoadedRubric<BoundCriterion>
  /** The ids of the agents of others (`NAMED_AGENTS`) that a few URLs are asked for as, once all is judged; none if missing. Only for the owner of the site. */
  readonly asAgents?: ReadonlyArray<string>
  /** The only host, with its port, that is asked as them; any of the site if missing. The service knows the owner of one host. */
  readonly asAgentsHost?: string
  readonly listen?: (event: AuditEvent) => void
  /** Reads what was derived of the site, after all criteria were measured. */
  readonly inspect?: (site: Site) => Effect.Effect<void>
}

/** Progress of a running audit. */
export type AuditEvent =
  | Parameters<JournalListener>[0]
  | { readonly _tag: "Measured"; readonly criterion: string; readonly done: number; readonly total: number }

/** A report and the evidence behind it. */
export interface AuditOutcome {
  readonly report: AuditReport
  /** Every request, in a defined order. */
  readonly journal: ReadonlyArray<KeptExchange>
  /** The one other origin that the site names as its own, as a preview does; `null` where it names none. */
  readonly productionOrigin: string | null
  /** The documentation generator that the pages were made by; `null`: none that we know. */
  readonly generator: KnownGenerator | null
  /** What `namedPages` led to. */
  readonly named: ReadonlyArray<NamedPages>
}

/** Why an audit comes to no report, in words for people. */
export interface Refusal {
  /**
   * `unreachable`: nothing answered. `left_site`: the audited URL leads to another site. `shut_out`: robots.txt forbids
   * `docgauge` by name. `no_page`: it answered, but not with a page (2xx), or no page could be read. `blocked`: it leads to
   * a site that an operator of the service has blocked.
   */
  readonly reason: "unreachable" | "left_site" | "shut_out" | "no_page" | "blocked"
  /** What happened, in one plain sentence. */
  readonly message: string
  /** What to do about it, in one plain sentence. */
  readonly advice: string
}

/** There is no report. The evidence for that comes along, so that it can be recorded and replayed like any other. */
export class AuditFailed extends Data.TaggedError("AuditFailed")<
  Refusal & {
    /** Every request made so far, in a defined order. */
    readonly journal: ReadonlyArray<JournalEntry>
  }
> {}

/** On its way to where the evidence is, which goes with it. */
export class Refused extends Data.TaggedError("Refused")<Refusal> {}

/** robots.txt forbids `docgauge`, by that name. */
export const shutOut: Refusal = {
  reason: "shut_out",
  message: "robots.txt of the site forbids docgauge by name, so the site is not audited.",
  advice: "If the site is yours, allow the user agent docgauge in robots.txt."
}

/** Faults after a response. */
const ASTRAY: ReadonlySet<Fault["kind"]> = new Set(["redirect_loop", "too_many_redirects", "budget", "off_site"])

/** Why an audit ends at its base URL: a site whose base URL does not return 2xx is not audited. `null` if the audit continues. */
export const refusalOfBase = (base: Base): Refusal | null => {
  const { audited, exchange, redirects } = base
  if (isOk(exchange)) return refusalOfFile(base, exchange)
  if (isAnswer(exchange)) return errorResponse(audited, exchange)
  if (exchange.kind === "off_site" && redirects.length > 0) return leftSite(audited, exchange.url)
  if (exchange.kind === "shut_out") return shutOut
  if (exchange.kind === "blocked")
    return {
      reason: "blocked",
      message: `${shown(audited)} leads to ${shown(exchange.url)}: ${exchange.message}.`,
      advice: "Audit another site."
    }
  if (!ASTRAY.has(exchange.kind)) return unreachable(audited, exchange)
  return { reason: "no_page", message: `${shown(audited)} leads to no page: ${exchange.message}.`, advice: CHECK_URL }
}

/** A file that belongs to a documentation: its URL was given in place of the documentation's. */
const refusalOfFile = ({ audited, page }: Base, answer: Answer): Refusal | null => {
  const mapped = SITEMAP_URL.exec(audited)?.[1]
  if (mapped !== undefined && SITEMAP_ROOT.test(headOf(answer)))
    return {
      reason: "no_page",
      message: `${shown(audited)} is a sitemap, not a page: audit ${shown(mapped)} instead.`,
      advice: `Run: docgauge ${inShell(mapped)}`
    }
  if (page === null || page.format === "html") return null
  const site = siteOfLlmsTxt(audited)
  if (site !== null) {
    const name = audited.endsWith("-full.txt") ? "llms-full.txt" : "llms.txt"
    return {
      reason: "no_page",
      message: `${shown(audited)} is the ${name} of ${shown(site)}, not a page: audit ${shown(site)} instead.`,
      advice: `Run: docgauge ${inShell(site)}`
    }
  }
  const description = page.format === "markdown" ? null : descriptionIn(answer)
  if (description === null) return null
  return {
    reason: "no_page",
    message: `${shown(audited)} is an API description (${description}), not a page: audit the documentation that it belongs to instead.`,
    advice: `Pass the URL of its first page, such as ${originOf(audited)}/. The audit finds the API description from there.`
  }
}

/** The site that an llms.txt or llms-full.txt is of, by its URL; `null` for any other URL. */
export const siteOfLlmsTxt = (url: string): string | null =>
  /^(https?:\/\/.+\/)llms(?:-full)?\.txt$/.exec(url)?.[1] ?? null

const SITEMAP_URL = /^(https?:\/\/.+\/)sitemap(?:[-_]index)?\.xml$/
const SITEMAP_ROOT = /<(?:urlset|sitemapindex)[\s>]/

/** Bytes in which a file says what it is. */
const FILE_HEAD = 64 * 1024

const headOf = ({ body }: Answer): string => new TextDecoder().decode(body.subarray(0, FILE_HEAD)).trimStart()

/** What an API description says that it is, by its first lines as JSON or YAML; `null` for anything else. */
const descriptionIn = (answer: Answer): string | null => {
  const text = headOf(answer)
  const mark = (text.startsWith("{") ? JSON_MARK : YAML_MARK).exec(text)?.[1]
  if (mark !== undefined) return DESCRIPTIONS[mark] ?? null
  return text.startsWith("{") && text.includes("schema.getpostman.com/") ? "Postman" : null
}

const JSON_MARK = /"(openapi|swagger|asyncapi|openrpc)"\s{0,20}:\s{0,20}"\d/
const YAML_MARK = /^["']?(openapi|swagger|asyncapi|openrpc)["']?:[ \t]{0,20}["']?\d/m

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  openapi: "OpenAPI",
  swagger: "Swagger",
  asyncapi: "AsyncAPI",
  openrpc: "OpenRPC"
}

const CHECK_URL = "Check the URL. Audit the first page of the documentation."

const LET_THROUGH = "If a firewall or a login protects it, let the user agent docgauge through, then audit it again."

const errorResponse = (audited: string, answer: Answer): Refusal => {
  const { redirects, status, url } = answer
  const from = redirects.length === 0 ? "" : `leads to ${shown(url)}, which `
  const told = (what: string, advice: string): Refusal => ({
    reason: "no_page",
    message: `${shown(audited)} ${from}${what}, so it was not audited.`,
    advice
  })
  if (isChallengeError(answer)) return told(`answers ${status} with a bot challenge`, LET_THROUGH)
  if (status === 429)
    return told(
      "answers 429: it limits the rate of requests",
      "Audit it again later, or let the user agent docgauge through."
    )
  if (status >= 500) return told(`answers ${status}`, "Audit it again once the site works.")
  return told(`answers ${status}`, REFUSING.has(status) ? LET_THROUGH : CHECK_URL)
}

const leftSite = (audited: string, url: string): Refusal => {
  const other = url.length > LONGEST_SHOWN ? originOf(url) : url
  return {
    reason: "left_site",
    message: `${shown(audited)} redirects to another site, ${other}.`,
    advice: `Audit that URL instead: docgauge ${inShell(other)}`
  }
}

/** A URL that a site chose, so that it can be pasted into a command line. */
const inShell = (url: string): string => (/^[\w:/.%~-]+$/.test(url) ? url : `'${url.replaceAll("'", "%27")}'`)

const unreachable = (audited: string, { message }: Fault): Refusal => ({
  reason: "unreachable",
  message: `${shown(audited)} could not be reached: ${message}.`,
  advice: isUntrusted(message)
    ? TRUST_ISSUER
    : "Check the URL, and that this machine can reach it without a login or VPN."
})

/**
 * There is a report only where at least one page could be read: `null` then. `tried` are the pages that were looked for; the base
 * answered 2xx.
 */
export const refusalOfPages = (base: Base, tried: ReadonlyArray<{ readonly page: Page | null }>): Refusal | null => {
  if (tried.some(({ page }) => page !== null && page.challenge === null)) return null
  const count = tried.length - 1
  const others =
    count < 1
      ? ", and we found no other page"
      : `, and ${count === 1 ? "the other page could not" : `none of the ${count} other pages could`} be read`
  const isOther = base.page?.format === "other"
  return {
    reason: "no_page",
    message: `${shown(base.audited)} ${isOther ? notAPage(typeOf(base.exchange)) : "answers with a bot challenge"}${others}.`,
    advice: isOther ? CHECK_URL : LET_THROUGH
  }
}

const notAPage = (type: string): string =>
  /^(?:text\/|application\/xhtml)/.test(type)
    ? `is binary data, though it is sent as ${type}`
    : `is not a web page (${type})`

const typeOf = (exchange: Exchange): string =>
  (isAnswer(exchange) && plainText(mediaType(exchange), 60)) || "without a type"

const LONGEST_SHOWN = 200

const shown = (url: string): string => plainText(url, LONGEST_SHOWN)

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
