import { publishedSpec } from "../files/ApiCatalogFile.ts"
import { FORMATS, HOST_TITLES } from "../hosts/Formats.ts"
import { type ConfigurationFile, type HostRules, linkHeader } from "../hosts/HostRules.ts"
import { leftToOwner, notWritten, type Unwritten } from "../site/GeneratedFile.ts"
import { type MarkdownForms, pathRewrites } from "../site/MarkdownForms.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"
import type { WritablePlugin } from "../site/WritablePlugins.ts"
import { type FixOptions, isWanted, type Wish } from "./Wish.ts"

/** What rules of an earlier run say: what they gained is no gap any more, and is written again as it is now. */
export interface EarlierRules {
  /** Relation types of their links. */
  readonly rels: ReadonlySet<string>
  readonly negotiates: boolean
}

const NO_RULES: EarlierRules = { rels: new Set(), negotiates: false }

export const siteHost = (
  site: PublishedSite,
  { deadEnd, forms, gap, spec }: Wish,
  options: FixOptions,
  llmsTxtUrl: string | null,
  writesVersions: boolean,
  earlier: EarlierRules = NO_RULES
): HostFiles => {
  const hasVersions =
    writesVersions || site.markdownVersions.pages.some(({ version }) => version !== null && version.how !== "self")
  const announcesIndex = gap("a5-entry-points") || earlier.rels.has("describedby")
  const described = spec?.url ?? (earlier.rels.has("service-desc") ? (publishedSpec(site)?.url ?? null) : null)
  return hostFiles(options, {
    links: [
      ...(announcesIndex && llmsTxtUrl !== null ? [{ url: new URL(llmsTxtUrl).pathname, rel: "describedby" }] : []),
      ...(described !== null && new URL(described).origin === site.base.origin
        ? [{ url: new URL(described).pathname, rel: "service-desc" }]
        : [])
    ],
    unsent: !gap("b2-markdown-negotiation") ? null : !hasVersions ? NO_VERSIONS : deadEnd ? DEAD_END : null,
    forms:
      !deadEnd &&
      (gap("b2-markdown-negotiation") ||
        (options.folder && isWanted(options, "b2-markdown-negotiation")) ||
        earlier.negotiates) &&
      hasVersions
        ? forms
        : null,
    announces: [
      ...(announcesIndex ? (["a5-entry-points"] as const) : []),
      ...(described === null ? [] : (["c1-spec-found"] as const))
    ]
  })
}

interface HostWish {
  readonly links: ReadonlyArray<{ readonly url: string; readonly rel: string }>
  /** Why there is no Markdown that rules could send; `null`: there is, or it is not wanted. */
  readonly unsent: string | null
  /** `null`: pages are not negotiated. */
  readonly forms: MarkdownForms | null
  /** Plugins whose criteria the links are for. */
  readonly announces: ReadonlyArray<WritablePlugin>
}

const NO_VERSIONS = "No page has a Markdown version that a rule could send."
const DEAD_END =
  "The Markdown of the start page names no index and leads to none of the pages that the page leads to, so an agent that got it would get no further. Let it link to them, or name llms.txt in it, and run this again."

interface HostFiles {
  readonly files: ReadonlyArray<ConfigurationFile>
  readonly rules: HostRules | null
  /** Plugins whose criteria the rules are for. */
  readonly plugins: ReadonlyArray<WritablePlugin>
  readonly unwritten: ReadonlyArray<Unwritten>
  /** Whether rules of an earlier run are to go: nothing is left that a host has to do. */
  readonly dropsEarlier: boolean
}

/** Plugins whose criteria a host's rules can be for. */
const RULED: ReadonlyArray<WritablePlugin> = ["a5-entry-points", "b2-markdown-negotiation", "c1-spec-found"]

const hostFiles = (options: FixOptions, { announces, forms, links, unsent }: HostWish): HostFiles => {
  const { host } = options
  const nothing: HostFiles = {
    dropsEarlier: false,
    files: [],
    rules: null,
    plugins: [],
    unwritten: unsent === null ? [] : notWritten("b2-markdown-negotiation", unsent).unwritten
  }
  const wanted: HostRules = { link: linkHeader(links), rewrites: forms === null ? [] : pathRewrites(forms) }
  if (wanted.link === null && wanted.rewrites.length === 0)
    return { ...nothing, dropsEarlier: RULED.some((plugin) => isWanted(options, plugin)) }
  const without = (reason: string): HostFiles => ({
    ...nothing,
    unwritten: forms === null ? [] : notWritten("b2-markdown-negotiation", reason).unwritten
  })
  if (host === null)
    return {
      ...nothing,
      unwritten:
        forms === null
          ? []
          : leftToOwner(
              "b2-markdown-negotiation",
              "--host",
              "Serving Markdown for Accept: text/markdown takes a rule of your host. Say which it is with --host, such as --host nginx."
            ).unwritten
    }
  const format = FORMATS[host]
  if (format === null)
    return without(
      `${HOST_TITLES[host]} sends the same file to everyone. Put a host or a CDN in front of it that can look at the Accept header.`
    )
  const files = format.write(wanted)
  const rules = format.read(files)
  const plugins = [
    ...(wanted.link === null ? [] : announces),
    ...(wanted.rewrites.length === 0 ? [] : (["b2-markdown-negotiation"] as const))
  ]
  return rules === null ? nothing : { ...nothing, files, rules, plugins }
}
