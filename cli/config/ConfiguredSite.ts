import { dirname, isAbsolute, join } from "node:path"
import * as Option from "effect/Option"
import type { AuditReport } from "../../engine/audit/Report.ts"
import type { AuditFlags } from "../audit/AuditFlags.ts"
import type { PreviewLogin } from "../audit/RequestHeaders.ts"
import type { GateResult } from "../gate/Gates.ts"
import { type Goals, NO_GOALS, type Waiver } from "../gate/Goals.ts"
import type { Config, GoalsConfig, SiteConfig } from "./Config.ts"

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
