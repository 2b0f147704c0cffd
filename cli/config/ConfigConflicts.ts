import { resolve } from "node:path"
import { URL } from "node:url"
import * as Effect from "effect/Effect"
import { siteFormOf } from "../../server/audits/SiteForm.ts"
import type { AuditFlags } from "../audit/AuditFlags.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import type { FurtherReport } from "../audit/FurtherReports.ts"
import { FILE_FORMATS, type FileFormat } from "../audit/ReportFormats.ts"
import type { Config } from "./Config.ts"
import { besideFile, type ConfiguredSite } from "./ConfiguredSite.ts"

/** Refuses what would have no effect or could mean two things, before anything is audited. */
export const refuseConflicts = (config: Config, file: string, { format }: AuditFlags, sites: ReadonlyArray<ConfiguredSite>, further: ReadonlyArray<FurtherReport>): Effect.Effect<void, CliFailure> => {
  const conflict = siteTwice(config) ?? loginOfFolder(config) ?? severalSites(config, format) ?? dropOfNothing(sites) ?? fileTwice(config, file, further)
  return conflict === null ? Effect.void : Effect.fail(wrongUsage(conflict))
}

const siteTwice = ({ sites }: Config): string | null => {
  const seen = new Map<string, string>()
  for (const { url } of sites) {
    const form = formOf(url)
    const other = seen.get(form)
    if (other !== undefined) return other === url ? `the configuration names ${url} twice. Remove one.` : `the configuration names ${other} and ${url}, which are the same site. Remove one.`
    seen.set(form, url)
  }
  return null
}

/** A URL that is none is refused when its site is audited. */
const formOf = (url: string): string => {
  const whole = /^https?:\/\//i.test(url) ? url : `https://${url}`
  return URL.canParse(whole) ? siteFormOf(whole) : url
}

const loginOfFolder = ({ sites }: Config): string | null => {
  for (const { basic_auth: basicAuth, headers, path, url } of sites) {
    const ignored = headers !== undefined ? "headers" : basicAuth !== undefined ? "basic_auth" : null
    if (path !== undefined && ignored !== null) return `${url} has "path", which audits a folder without a network, so "${ignored}" cannot be used with it. Remove one.`
  }
  return null
}

const severalSites = ({ baseline, sites }: Config, format: AuditFlags["format"]): string | null => {
  if (sites.length === 1) return null
  if (baseline !== undefined) return "the configuration has several sites and one baseline. Give each site its own: a baseline is a report of the same site."
  return format === "text" || format === "github" ? null : `--format ${format} prints one report, and the configuration has ${sites.length} sites. Name files under "formats" instead.`
}

const dropOfNothing = (sites: ReadonlyArray<ConfiguredSite>): string | null => {
  const site = sites.find(({ baseline, goals: { maxDrop } }) => maxDrop !== null && baseline === null)
  return site === undefined ? null : `the goal max_drop of ${site.url} needs the report to compare with. Give the site a baseline, as in: baseline: .docgauge/baseline.json`
}

const fileTwice = (config: Config, file: string, further: ReadonlyArray<FurtherReport>): string | null => {
  const seen = new Map<string, WrittenFile & { readonly url: string }>()
  for (const { url } of config.sites) {
    for (const written of filesOf(config, file, url, further)) {
      const { by, format, path } = written
      // Some file systems do not tell upper from lower case.
      const key = resolve(path).toLowerCase()
      const other = seen.get(key)
      if (other !== undefined) {
        return `${other.by === by ? by : `${other.by} and ${by}`} would write ${path} twice: ${other.format} of ${other.url}, and ${format} of ${url}. ${other.url === url ? "Name another file." : "Audit one of these sites with a configuration of its own."}`
      }
      seen.set(key, { ...written, url })
    }
  }
  return null
}

interface WrittenFile extends FurtherReport {
  /** What names the file. */
  readonly by: '"formats"' | "--write"
}

/** The files for a site's report, of the configuration and of `--write`. */
export const filesOf = (config: Config, file: string, url: string, further: ReadonlyArray<FurtherReport>): ReadonlyArray<WrittenFile> => [
  ...FILE_FORMATS.flatMap((format): ReadonlyArray<WrittenFile> => {
    const path = formatFile(config, file, format, url)
    return path === null ? [] : [{ by: '"formats"', format, path }]
  }),
  ...further.map(({ format, path }): WrittenFile => ({ by: "--write", format, path: config.sites.length === 1 ? path : withSiteName(path, url) }))
]

/** The file for a format of a site's report; `null` if the configuration does not ask for it. */
const formatFile = ({ formats = {}, sites }: Config, file: string, format: FileFormat, url: string): string | null => {
  const path = formats[format]
  return path === undefined ? null : besideFile(file, sites.length === 1 ? path : withSiteName(path, url))
}

/** `reports/docgauge.xml` for https://docs.example.com/v2: `reports/docgauge-docs.example.com-v2.xml`. */
const withSiteName = (path: string, url: string): string => {
  const name = url.replace(/^https?:\/\//, "").split(/[^\w.]+/).filter((part) => part !== "").join("-")
  return path.replace(/(\.[A-Za-z]+)?$/, (ending) => `-${name}${ending}`)
}
