import type { CriterionResult } from "../../audit/Report.ts"
import { publishedSpec, specType } from "../files/ApiCatalogFile.ts"
import type { HeadWish } from "../files/HeadSnippet.ts"
import { deadLinks } from "../files/Links.ts"
import { type LlmsExtras, specTitle } from "../files/LlmsTxtFile.ts"
import type { HostName, HostRedirect } from "../hosts/HostRules.ts"
import type { AiPolicy } from "../site/GeneratedFile.ts"
import { type MarkdownForms, markdownForms } from "../site/MarkdownForms.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"
import { criteriaBy, type WritablePlugin } from "../site/WritablePlugins.ts"

/** What access logs say of the agents that read a site. */
export interface AgentReads {
  /** Paths that they ask for and that are missing, each with the page that they most likely mean. */
  readonly missed: ReadonlyArray<HostRedirect>
  /** How often they ask for a page, in any form. */
  readonly requestsFor: (url: string) => number
}

export interface FixOptions {
  /** Only files for the criteria of these plugins; `null`: for all. */
  readonly only: ReadonlySet<WritablePlugin> | null
  /** `null`: the owner has not decided. */
  readonly ai: AiPolicy | null
  /** `null`: not known. */
  readonly host: HostName | null
  /** Whether the site is a folder: what a host has to do is not checked in it, and may be written all the same. */
  readonly folder: boolean
  /** Left out: no access logs are known. */
  readonly reads?: AgentReads
}

/** Whether a criterion of a plugin has points that files may gain. */
export type Gap = (plugin: WritablePlugin) => boolean

/** What to write for a site, as its report and the options say. */
export interface Wish {
  readonly gap: Gap
  readonly forms: MarkdownForms
  readonly heads: HeadWish
  /** The API description, if no page announces it. */
  readonly spec: (LlmsExtras["spec"] & { readonly type: string }) | null
  /** Whether the catalog is missing, so that none of the owner's is replaced. */
  readonly lacksCatalog: boolean
  /** Links of llms.txt that lead nowhere. */
  readonly deadLinks: ReadonlySet<string>
  /** URLs at which the site has files that the audit did not recognise: nothing is written over them. */
  readonly there: ReadonlySet<string>
  /** Whether the owner's Markdown of the start page leads nowhere: no rule sends it. */
  readonly deadEnd: boolean
}

export const wishOf = (site: PublishedSite, criteria: ReadonlyArray<CriterionResult>, options: FixOptions): Wish => {
  const gap = gapIn(criteria, options)
  const fact = (plugin: WritablePlugin, name: string): unknown =>
    criteriaBy(criteria, plugin)[0]?.measured.facts?.[name]
  const found = publishedSpec(site)
  const foundBy = fact("c1-spec-found", "found_by")
  const spec =
    gap("c1-spec-found") && found !== null && foundBy !== "announced" && foundBy !== "well_known"
      ? { url: found.url, title: specTitle(found.spec.title), type: specType(found) }
      : null
  return {
    gap,
    forms: markdownForms(site.markdownVersions.learnt),
    heads: { metadata: gap("b4-metadata"), entryPoints: gap("a5-entry-points"), spec, site: site.base.site },
    spec,
    lacksCatalog: fact("f2-catalogue-and-auth", "catalogue") === "absent",
    deadLinks: deadLinks({ criteria }),
    there: new Set(),
    deadEnd: false
  }
}

/** Whether `--only` leaves a plugin's criteria in. */
export const isWanted = ({ only }: Pick<FixOptions, "only">, plugin: WritablePlugin): boolean =>
  only === null || only.has(plugin)

/** Whether a criterion of a plugin has points to gain. What could not be checked may be there already, so nothing is written for it. */
export const gapIn =
  (criteria: ReadonlyArray<CriterionResult>, options: Pick<FixOptions, "only">): Gap =>
  (plugin) =>
    isWanted(options, plugin) &&
    criteriaBy(criteria, plugin).some(
      ({ applicable, max, score, status }) => status !== "inconclusive" && applicable !== false && score < max
    )
