import * as Effect from "effect/Effect"
import type * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { dirname, isAbsolute, join } from "node:path"
import process from "node:process"
import type { AuditReport } from "../../engine/audit/Report.ts"
import type { Diagnostic, Span } from "../../engine/rubric/source/SourceText.ts"
import { auditedUrl, urlOfAnyKind } from "../audit/AuditedUrl.ts"
import type { AuditFlags } from "../audit/AuditFlags.ts"
import { type AuditSource, canonicalOriginOf } from "../audit/AuditSource.ts"
import { readBaseline, requireSameSite } from "../gate/Baseline.ts"
import { sourceOf } from "../audit/LocalAudit.ts"
import { type PreviewLogin, siteHeaders } from "../audit/RequestHeaders.ts"
import { type GateResult, type Goals, NO_GOALS, type Waiver, type GoalCheck } from "../gate/Gates.ts"
import type { CliFailure } from "../io/CliFailure.ts"
import { resolveRules } from "../io/Connections.ts"
import type { Config, GoalsConfig, SiteConfig } from "./Config.ts"
import { type ConfigFile, type ConfigPath, keySpan, valueSpan } from "./ReadConfig.ts"
import { type Exchange, isMissing } from "../../engine/evidence/Exchange.ts"
import type { Page } from "../../engine/page/Page.ts"
import { isGlob } from "../../engine/site/sample/NamedPages.ts"
import type { NamedPages } from "../../engine/site/sample/Sample.ts"
import { plainText } from "../../engine/text/PlainText.ts"

/** One site of a configuration file, ready to be audited. */
export interface ConfiguredSite {
  /** Its URL as the file has it. */
  readonly url: string
  readonly flags: AuditFlags
  readonly login: PreviewLogin | null
  /** Paths and globs of pages that are always in the sample. */
  readonly pages: ReadonlyArray<string>
  readonly goals: Goals
  readonly waivers: ReadonlyArray<Waiver>
  /** The path of its baseline; `null`: none. */
  readonly baseline: string | null
}

/** A site's report and whether it meets its goals. */
export interface AuditedSite {
  readonly site: ConfiguredSite
  readonly report: AuditReport
  readonly gate: GateResult
  /** The origin that its links name, if it may be a preview of that site. */
  readonly productionOrigin: string | null
}

/** The sites of a file, with the goals and waivers of the file where they have none of their own. */
export const configuredSites = (config: Config, file: string, flags: AuditFlags): ReadonlyArray<ConfiguredSite> =>
  config.sites.map((site): ConfiguredSite => {
    const baseline = site.baseline ?? config.baseline
    return {
      url: site.url,
      flags: siteFlags(site, config, file, flags),
      login:
        site.headers === undefined && site.basic_auth === undefined
          ? null
          : { headers: Object.entries(site.headers ?? {}), basicAuth: site.basic_auth ?? null },
      pages: [...new Set(site.pages ?? [])],
      goals: goalsOf({ ...config.goals, ...site.goals }, baseline !== undefined, site.drift),
      waivers: [...(config.waivers ?? []), ...(site.waivers ?? [])].map(({ criterion, reason, until = null }) => ({
        criterion,
        reason,
        until
      })),
      baseline: baseline === undefined ? null : besideFile(file, baseline)
    }
  })

/** A path that is relative to the configuration file. */
export const besideFile = (file: string, path: string): string => (isAbsolute(path) ? path : join(dirname(file), path))

const siteFlags = (
  { canonical_origin: origin, path, url }: SiteConfig,
  { rubric }: Config,
  file: string,
  flags: AuditFlags
): AuditFlags => ({
  ...flags,
  url: Option.some(path === undefined ? url : besideFile(file, path)),
  as: path === undefined ? Option.none() : Option.some(url),
  canonicalOrigin: Option.fromUndefinedOr(origin),
  rubric: rubric === undefined ? Option.none() : Option.some(besideFile(file, rubric)),
  config: Option.none()
})

const goalsOf = (
  { categories, criteria, drift, max_drop: maxDrop, require_reliable: requireReliable, score }: GoalsConfig,
  hasBaseline: boolean,
  isDriftJudged = drift !== undefined
): Goals => ({
  ...NO_GOALS,
  score: score ?? null,
  maxDrop: maxDrop ?? (hasBaseline ? 0 : null),
  categories: categories ?? {},
  criteria: criteria ?? {},
  drift: isDriftJudged ? (drift ?? 0) : null,
  requireReliable: requireReliable ?? null
})

/** A site of the file with all that its values name: it can be audited. */
export interface ReadySite {
  readonly site: ConfiguredSite
  readonly source: AuditSource
  readonly baseline: AuditReport | null
}

/** Logins are tried with any URL, because that of the site may be wrong, too. */
const ANY_URL = "https://docs.example.com"

/** Checks what a site's values name: URL, folder, login, environment variables and baseline. The failure is every mistake with its place. */
export const readySite = Effect.fnUntraced(function* (
  site: ConfiguredSite,
  index: number,
  { root }: ConfigFile
): Effect.fn.Return<Result.Result<ReadySite, ReadonlyArray<Diagnostic>>, CliFailure, FileSystem.FileSystem> {
  const at = (key: string): Span => valueSpan(root, ["sites", index, key])
  const { flags } = site
  const resolve = yield* resolveRules(flags.resolve)
  const isFolder = Option.isSome(flags.as)
  const url = yield* Effect.result(isFolder ? urlOfAnyKind({ url: flags.as }) : auditedUrl(flags, resolve))
  const origin = yield* Effect.result(canonicalOriginOf(flags))
  const faults = [
    ...faultsOf(url, at("url")),
    ...faultsOf(origin, at("canonical_origin")),
    ...(yield* loginFaults(site, (path) => keySpan(root, ["sites", index, ...path]) ?? root.span))
  ]
  if (faults.length > 0) return Result.fail(faults)
  const source = yield* Effect.result(sourceOf(flags, site.login, process.env))
  const baseline = yield* Effect.result(baselineOf(site, source))
  const atBaseline = keySpan(root, ["sites", index, "baseline"]) ?? keySpan(root, ["baseline"]) ?? root.span
  return Result.isSuccess(source) && Result.isSuccess(baseline)
    ? Result.succeed({ site, source: source.success, baseline: baseline.success })
    : Result.fail([...faultsOf(source, at(isFolder ? "path" : "url")), ...faultsOf(baseline, atBaseline)])
})

/** Each header alone, so that each mistake has its place, and then the login as a whole. */
const loginFaults = Effect.fnUntraced(function* ({ login }: ConfiguredSite, at: (path: ConfigPath) => Span) {
  if (login === null) return []
  const ofHeaders = yield* Effect.forEach(login.headers, (header) =>
    Effect.map(Effect.result(siteHeaders(ANY_URL, { headers: [header], basicAuth: null })), (result) =>
      faultsOf(result, at(["headers", header[0]]))
    )
  )
  const faults = ofHeaders.flat()
  return faults.length > 0 || login.basicAuth === null
    ? faults
    : faultsOf(yield* Effect.result(siteHeaders(ANY_URL, login)), at(["basic_auth"]))
})

const baselineOf = Effect.fnUntraced(function* (
  { baseline: path, flags }: ConfiguredSite,
  source: Result.Result<AuditSource, CliFailure>
): Effect.fn.Return<AuditReport | null, CliFailure, FileSystem.FileSystem> {
  if (path === null) return null
  const baseline = yield* readBaseline(path, flags)
  if (Result.isSuccess(source))
    yield* requireSameSite(source.success.run.url, source.success.run.canonicalOrigin, baseline)
  return baseline
})

/** A message of the command line as a problem of the file: its first sentence, with the others as the hint, and keys instead of flags. */
const faultsOf = (result: Result.Result<unknown, CliFailure>, span: Span): ReadonlyArray<Diagnostic> => {
  if (Result.isSuccess(result)) return []
  const [message = "", ...advice] = result.failure.message
    .replace(/ Nothing was audited\.$/, "")
    .replaceAll("--canonical-origin", '"canonical_origin"')
    .split(/\.?\n|\. (?=\p{Lu})/u)
  return [
    { rule: "value", span, message: message.replace(/\.$/, ""), hint: advice.length === 0 ? null : advice.join(". ") }
  ]
}

/** The `pages` of a site as goals: each must be there to be read. */
export const pageChecks = (named: ReadonlyArray<NamedPages>): ReadonlyArray<GoalCheck> => named.map(pageCheck)

const pageCheck = ({ pattern, visits }: NamedPages): GoalCheck => {
  const name = plainText(pattern, 200)
  const goal = `${isGlob(pattern) ? "pages" : "page"} ${name}`
  const missed = (fault: string): GoalCheck => ({
    goal,
    outcome: "missed",
    message: `"pages" names ${name}, which ${fault}`
  })
  const [first] = visits
  if (visits.some(({ page }) => page !== null && isReadable(page))) return { goal, outcome: "met", message: null }
  if (first === undefined)
    return missed(
      "matches none of the pages that llms.txt, sitemaps and links name. Correct the pattern, or link the pages."
    )
  const { exchange, page } = first
  if (isMissing(exchange) || (page !== null && page.challenge !== null))
    return {
      goal,
      outcome: "unchecked",
      message: `"pages" names ${name}, which could not be read: it ${answered(exchange)}. Audit again later.`
    }
  if (page?.format === "other") return missed("is a file and no page to read. Name pages only.")
  return missed(
    `${page === null ? answered(exchange) : "says that it does not exist"}. Correct the path, or publish the page.`
  )
}

const isReadable = ({ challenge, format, saysNotFound }: Page): boolean =>
  challenge === null && !saysNotFound && format !== "other"

const answered = (exchange: Exchange): string =>
  exchange._tag === "Fault" ? `failed (${plainText(exchange.message, 200)})` : `answers ${exchange.status}`
