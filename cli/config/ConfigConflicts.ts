import * as Effect from "effect/Effect"
import { resolve } from "node:path"
import { URL } from "node:url"
import { siteFormOf } from "../../engine/evidence/Address.ts"
import type { Diagnostic } from "../../engine/rubric/source/SourceText.ts"
import type { YamlNode } from "../../engine/rubric/source/YamlSource.ts"
import type { AuditFlags } from "../audit/AuditFlags.ts"
import { dashed, isGiven } from "../audit/FlagConflicts.ts"
import type { FurtherReport } from "../audit/PrintReport.ts"
import { FILE_FORMATS, type FileFormat } from "../audit/ReportFormats.ts"
import { type CliFailure, wrongUsage } from "../io/CliFailure.ts"
import type { Config } from "./Config.ts"
import { besideFile, type ConfiguredSite } from "./ConfiguredSite.ts"
import { type ConfigFile, type ConfigPath, keySpan, valueSpan } from "./ReadConfig.ts"

/** What would have no effect or could mean two things, told from the file alone. */
export const configConflicts = (
  { config, root, source: { file } }: ConfigFile,
  sites: ReadonlyArray<ConfiguredSite>,
  further: ReadonlyArray<FurtherReport>
): ReadonlyArray<Diagnostic> => [
  ...sitesTwice(config, root),
  ...loginsOfFolders(config, root),
  ...oneBaseline(config, root),
  ...dropsOfNothing(sites, root),
  ...unjudgedDrift(config, root),
  ...filesTwice(config, file, further, root)
]

const atValue = (root: YamlNode, path: ConfigPath, message: string, hint: string): Diagnostic => ({
  rule: "value",
  span: valueSpan(root, path),
  message,
  hint
})

const atKey = (root: YamlNode, path: ConfigPath, message: string, hint: string): Diagnostic => ({
  rule: "value",
  span: keySpan(root, path) ?? root.span,
  message,
  hint
})

const sitesTwice = ({ sites }: Config, root: YamlNode): ReadonlyArray<Diagnostic> => {
  const seen = new Map<string, string>()
  return sites.flatMap(({ url }, index) => {
    const form = formOf(url)
    const other = seen.get(form)
    seen.set(form, other ?? url)
    if (other === undefined) return []
    return [
      atValue(
        root,
        ["sites", index, "url"],
        other === url ? `${url} is named twice` : `${other} and ${url} are the same site`,
        "remove one"
      )
    ]
  })
}

/** The form in which sites are compared. Text that is no URL stays as it is: it is refused with the values of its site. */
const formOf = (url: string): string => {
  const whole = /^https?:\/\//i.test(url) ? url : `https://${url}`
  return URL.canParse(whole) ? siteFormOf(whole) : url
}

const loginsOfFolders = ({ sites }: Config, root: YamlNode): ReadonlyArray<Diagnostic> =>
  sites.flatMap((site, index) =>
    site.path === undefined
      ? []
      : (["headers", "basic_auth"] as const).flatMap((key) =>
          site[key] === undefined
            ? []
            : [
                atKey(
                  root,
                  ["sites", index, key],
                  `"${key}" cannot be used with "path", which audits a folder without a network`,
                  "remove one"
                )
              ]
        )
  )

const oneBaseline = ({ baseline, sites }: Config, root: YamlNode): ReadonlyArray<Diagnostic> =>
  baseline === undefined || sites.length === 1
    ? []
    : [
        atKey(
          root,
          ["baseline"],
          "several sites cannot have one baseline",
          "give each site its own: a baseline is a report of the same site"
        )
      ]

const dropsOfNothing = (sites: ReadonlyArray<ConfiguredSite>, root: YamlNode): ReadonlyArray<Diagnostic> =>
  sites.flatMap(({ baseline, goals: { maxDrop }, url }, index) => {
    if (maxDrop === null || baseline !== null) return []
    const own: ConfigPath = ["sites", index, "goals", "max_drop"]
    return [
      atKey(
        root,
        keySpan(root, own) === null ? ["goals", "max_drop"] : own,
        `"max_drop" needs a report to compare ${url} with`,
        "give the site a baseline, as in: baseline: .docgauge/baseline.json"
      )
    ]
  })

const unjudgedDrift = ({ sites }: Config, root: YamlNode): ReadonlyArray<Diagnostic> =>
  sites.flatMap(({ drift, goals }, index) =>
    drift === false && goals?.drift !== undefined
      ? [
          atKey(
            root,
            ["sites", index, "goals", "drift"],
            '"drift: false" of the site says that this goal is not judged',
            "remove one"
          )
        ]
      : []
  )

const filesTwice = (
  config: Config,
  file: string,
  further: ReadonlyArray<FurtherReport>,
  root: YamlNode
): ReadonlyArray<Diagnostic> => {
  const seen = new Map<string, WrittenFile & { readonly url: string }>()
  return config.sites.flatMap(({ url }, index) =>
    filesOf(config, file, url, further).flatMap((written) => {
      const { by, format, path } = written
      // Some file systems do not tell upper from lower case.
      const key = resolve(path).toLowerCase()
      const other = seen.get(key)
      seen.set(key, other ?? { ...written, url })
      if (other === undefined) return []
      const message = `${other.by === by ? by : `${other.by} and ${by}`} would write ${path} twice: ${other.format} of ${other.url}, and ${format} of ${url}`
      return other.url === url
        ? [atValue(root, ["formats", by === "--write" ? other.format : format], message, "name another file")]
        : [atValue(root, ["sites", index, "url"], message, "audit one of these sites with a configuration of its own")]
    })
  )
}

interface WrittenFile extends FurtherReport {
  /** What names the file. */
  readonly by: '"formats"' | "--write"
}
/** The files for a site's report, of the configuration and of `--write`. */
export const filesOf = (
  config: Config,
  file: string,
  url: string,
  further: ReadonlyArray<FurtherReport>
): ReadonlyArray<WrittenFile> => [
  ...FILE_FORMATS.flatMap((format): ReadonlyArray<WrittenFile> => {
    const path = formatFile(config, file, format, url)
    return path === null ? [] : [{ by: '"formats"', format, path }]
  }),
  ...further.map(({ format, path }): WrittenFile => ({
    by: "--write",
    format,
    path: config.sites.length === 1 ? path : withSiteName(path, url)
  }))
]

/** The file for a format of a site's report; `null` if the configuration does not ask for it. */
const formatFile = ({ formats = {}, sites }: Config, file: string, format: FileFormat, url: string): string | null => {
  const path = formats[format]
  return path === undefined ? null : besideFile(file, sites.length === 1 ? path : withSiteName(path, url))
}

/** `reports/docgauge.xml` for https://docs.example.com/v2: `reports/docgauge-docs.example.com-v2.xml`. */
const withSiteName = (path: string, url: string): string => {
  const name = url
    .replace(/^https?:\/\//, "")
    .split(/[^\w.]+/)
    .filter((part) => part !== "")
    .join("-")
  return path.replace(/(\.[A-Za-z]+)?$/, (ending) => `-${name}${ending}`)
}

/** Refuses flags that have no effect on the sites of the file. */
export const refuseFlags = (config: Config, flags: AuditFlags): Effect.Effect<void, CliFailure> => {
  const conflict = oneReport(config, flags) ?? networkOfFolders(config, flags)
  return conflict === null ? Effect.void : Effect.fail(wrongUsage(conflict))
}

const oneReport = ({ sites }: Config, { format }: AuditFlags): string | null =>
  sites.length === 1 || format === "text" || format === "github"
    ? null
    : `--format ${format} prints one report, and the configuration has ${sites.length} sites. Name files under "formats" instead.`

/** Flags that only say how to fetch a site. */
const OF_THE_NETWORK = ["resolve", "allowPrivate", "allowHttp", "concurrency"] as const

const networkOfFolders = ({ sites }: Config, flags: AuditFlags): string | null => {
  const ignored = sites.every(({ path }) => path !== undefined)
    ? OF_THE_NETWORK.find((name) => isGiven(flags[name]))
    : undefined
  return ignored === undefined
    ? null
    : `all sites of docgauge.yaml are folders, so ${dashed(ignored)} cannot be used with it.`
}
