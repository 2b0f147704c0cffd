import type { AuditReport, CriterionResult } from "../audit/Report.ts"
import { pageKey } from "../evidence/Address.ts"
import type { Page } from "../page/Page.ts"
import { apiCatalogFile, publishedSpec, specType } from "./files/ApiCatalogFile.ts"
import { fullTextFile } from "./files/FullTextFile.ts"
import { deadLinks } from "./files/DeadLinks.ts"
import { type HeadSnippet, headSnippet, type HeadWish } from "./files/HeadSnippet.ts"
import { type LlmsExtras, llmsTxtFile, specTitle } from "./files/LlmsTxtFile.ts"
import { type MarkdownOf, pageMarkdown } from "./files/PageMarkdownFile.ts"
import { withReference } from "./files/ReferenceMarkdown.ts"
import { robotsTxtFile } from "./files/RobotsTxtFile.ts"
import { sitemapFiles } from "./files/SitemapFile.ts"
import {
  type AiPolicy,
  type GeneratedFile,
  NOTHING,
  notWritten,
  onHost,
  together,
  leftToOwner,
  type Unwritten,
  type Written
} from "./site/GeneratedFile.ts"
import { FORMATS, HOST_TITLES } from "./hosts/Formats.ts"
import { type ConfigurationFile, type HostName, type HostRules, linkHeader } from "./hosts/HostRules.ts"
import { type MarkdownForms, markdownForms, markdownUrlOf, pathRewrites } from "./site/MarkdownForms.ts"
import { isSitemap } from "../site/wellknown/Sitemap.ts"
import type { PublishedSite } from "./site/PublishedSite.ts"
import { criteriaBy, type WritablePlugin } from "./site/WritablePlugins.ts"
import { wayPages, waysOn } from "./files/WayOn.ts"
import { unversioned } from "./site/NoVersion.ts"
import { readingLength } from "../text/languages/Words.ts"
import { ownsRoot, rootText } from "./site/OwnedRoot.ts"
import { takenPaths } from "./site/TakenPaths.ts"
import { LEAST_DESCRIPTION, type PublishedMarkdown, type SitePages, sitePages } from "./site/SitePages.ts"

/** What to write. */
export interface FixOptions {
  /** Only files for the criteria of these plugins; `null`: for all. */
  readonly only: ReadonlySet<WritablePlugin> | null
  /** `null`: the owner has not decided. */
  readonly ai: AiPolicy | null
  /** `null`: not known. */
  readonly host: HostName | null
  /** Whether the site is a folder: what a host has to do is not checked in it, and may be written all the same. */
  readonly folder: boolean
}

/** Everything that was written for a site. */
export interface Fixes {
  /** Files to publish. */
  readonly files: ReadonlyArray<GeneratedFile>
  /** What to add to the heads of pages. */
  readonly heads: ReadonlyArray<HeadSnippet>
  /** Files that configure the host. */
  readonly configuration: ReadonlyArray<ConfigurationFile>
  /** The host's rules as they are read from these files; `null`: none. */
  readonly rules: HostRules | null
  /** Plugins whose criteria the configuration is for. */
  readonly configures: ReadonlyArray<WritablePlugin>
  readonly unwritten: ReadonlyArray<Unwritten>
}

type Gap = (plugin: WritablePlugin) => boolean

/** Writes what the site lacks from what it publishes; `more`: pages that were opened beside the sample; `dead`: links of llms.txt that lead nowhere. Pure. */
export const writeFixes = (
  site: PublishedSite,
  more: ReadonlyArray<Page>,
  report: Pick<AuditReport, "criteria">,
  options: FixOptions,
  markdownOf: MarkdownOf,
  dead: ReadonlySet<string> = deadLinks(report)
): Fixes => {
  const wish = { ...wishOf(site, report.criteria, options), deadLinks: dead }
  const versions = pageVersions(site, [...site.sample.pages, ...more], wish, markdownOf)
  const pages = sitePages(site, more, (page) => versions.of.get(page.url) ?? null)
  const heads = pages.opened.flatMap((own) => (isOnHost(site, own.url) ? (headSnippet(own, wish.heads) ?? []) : []))
  const whole = siteFiles(site, pages, wish)
  const index = indexFiles(site, pages, wish, whole.files)
  const llmsTxt = llmsTxtUrl(site, index)
  const host = siteHost(site, wish, options, llmsTxt, versions.files.length > 0)
  const written = together([
    index,
    whole,
    namingFiles(site, wish, options, whole.files),
    { files: ledOn(site, pages, versions, llmsTxt), unwritten: versions.unwritten },
    metadataLeft(
      wish.gap,
      pages.opened.map(({ page }) => page),
      heads
    ),
    { files: [], unwritten: host.unwritten },
    wish.gap("a5-entry-points") &&
    !host.plugins.includes("a5-entry-points") &&
    !heads.some(({ plugins }) => plugins.includes("a5-entry-points"))
      ? notWritten("a5-entry-points", NOTHING_TO_ANNOUNCE)
      : NOTHING,
    wish.gap("c1-spec-found") && wish.spec === null ? notWritten("c1-spec-found", whyNoSpec(site)) : NOTHING
  ])
  return {
    files: distinctFiles(written.files),
    heads,
    configuration: host.files,
    rules: host.rules,
    configures: host.plugins,
    unwritten: written.unwritten
  }
}

/** The Markdown versions, each with its way on. */
const ledOn = (
  site: PublishedSite,
  pages: SitePages,
  { files, of }: PageVersions,
  llmsTxt: string | null
): ReadonlyArray<GeneratedFile> => {
  const pageOf = new Map([...of].map(([page, { url }]) => [url, page] as const))
  const ways = waysOn(site, wayPages(pages), llmsTxt)
  return files.map((file) => {
    const page = pageOf.get(file.url)
    return page === undefined ? file : { ...file, text: ways.ledOn(page, file.text) }
  })
}

const NOTHING_TO_ANNOUNCE =
  "There is neither an llms.txt nor a Markdown version nor an API description that pages could announce."

/** Why no page announces an API description. */
const whyNoSpec = ({ spec: { best, placeholder } }: PublishedSite): string => {
  if (best !== null)
    return best.offSite
      ? "The API description is on another site. Publish it on this one."
      : "The API description is only inside a page. Publish it as a file of its own."
  return placeholder === null
    ? "We found no API description, and none can be written from what the site says. Publish one if there is an API."
    : "The API description that we found lists no operation, or is the sample of another product. Publish the product's own."
}

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
    deadLinks: deadLinks({ criteria })
  }
}

/** llms.txt, which names the full text: that of `written`, or the site's own. */
export const indexFiles = (
  site: PublishedSite,
  pages: SitePages,
  { deadLinks, gap, spec }: Wish,
  written: ReadonlyArray<GeneratedFile>
): Written => {
  const fullText =
    written.find(({ plugins }) => plugins.includes("a2-full-text"))?.url ?? site.fullText.files[0]?.url ?? null
  return gap("a1-llms-txt") || spec !== null
    ? onHost(site.base.origin, llmsTxtFile(site, pages, { pages: gap("a1-llms-txt"), spec, fullText, dead: deadLinks }))
    : NOTHING
}

/** Where llms.txt is or will be; `null`: nowhere. `files`: what `indexFiles` wrote. */
export const llmsTxtUrl = ({ llmsTxt }: PublishedSite, { files }: Written): string | null =>
  files[0]?.url ?? llmsTxt.file?.url ?? null

/** The files that there is one of for a whole site, and that name none of the others: written before those that name them. */
export const siteFiles = (site: PublishedSite, pages: SitePages, { gap, lacksCatalog }: Wish): Written =>
  onHost(
    site.base.origin,
    together([
      gap("a2-full-text") ? fullTextFile(site, pages) : NOTHING,
      gap("a4-sitemap") ? sitemapFiles(site, pages) : NOTHING,
      gap("f2-catalogue-and-auth") && lacksCatalog ? catalogFile(site) : NOTHING
    ])
  )

const catalogFile = (site: PublishedSite): Written =>
  ownsRoot(site.base.folder)
    ? apiCatalogFile(site)
    : notWritten("f2-catalogue-and-auth", rootText("The API catalogue", site.base.url))

/** robots.txt, which names the sitemap: that in `written`, or the site's own. */
export const namingFiles = (
  site: PublishedSite,
  { gap }: Wish,
  { ai }: FixOptions,
  written: ReadonlyArray<GeneratedFile>
): Written => {
  // Of an index and its children, robots.txt names the index.
  const top = site.sitemaps.files.find((file) => isSitemap(file) && file.source !== "index")
  const sitemap =
    site.sitemaps.entries.length === 0
      ? (written.find(({ plugins }) => plugins.includes("a4-sitemap"))?.url ?? null)
      : (top?.url ?? null)
  if (gap("a3-robots-policy") && !ownsRoot(site.base.folder))
    return notWritten("a3-robots-policy", rootText("robots.txt", site.base.url))
  return gap("a3-robots-policy") ? onHost(site.base.origin, robotsTxtFile(site, { ai, sitemap })) : NOTHING
}

/** What rules of an earlier run say: what they gained is no gap any more, and is written again as it is now. */
export interface EarlierRules {
  /** Relation types of their links. */
  readonly rels: ReadonlySet<string>
  readonly negotiates: boolean
}

const NO_RULES: EarlierRules = { rels: new Set(), negotiates: false }

/** The configuration of the host. */
export const siteHost = (
  site: PublishedSite,
  { forms, gap, spec }: Wish,
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
    lacksVersions: gap("b2-markdown-negotiation") && !hasVersions,
    forms:
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

const isWanted = ({ only }: Pick<FixOptions, "only">, plugin: WritablePlugin): boolean =>
  only === null || only.has(plugin)

/** Whether a criterion of a plugin has points to gain. What could not be checked may be there already, so nothing is written for it. */
export const gapIn =
  (criteria: ReadonlyArray<CriterionResult>, options: Pick<FixOptions, "only">): Gap =>
  (plugin) =>
    isWanted(options, plugin) &&
    criteriaBy(criteria, plugin).some(
      ({ applicable, max, score, status }) => status !== "inconclusive" && applicable !== false && score < max
    )

interface PageVersions {
  readonly of: ReadonlyMap<string, PublishedMarkdown>
  readonly files: ReadonlyArray<GeneratedFile>
  readonly unwritten: ReadonlyArray<Unwritten>
}

/** The Markdown of each page: the site's own, else a conversion, which is published if `publish`. */
const pageVersions = (
  site: PublishedSite,
  pages: ReadonlyArray<Page>,
  { forms, gap }: Wish,
  markdownOf: MarkdownOf
): PageVersions => {
  const publish = gap("b1-markdown-twins")
  const own = new Map(
    site.markdownVersions.pages.flatMap(({ page, version }) =>
      version === null ? [] : [[pageKey(page.url), version] as const]
    )
  )
  const of = new Map<string, PublishedMarkdown>()
  const files: Array<GeneratedFile> = []
  const texts = new Set<string>()
  const without = unversioned()
  const paths = takenPaths()
  for (const page of pages) {
    // A page in Markdown needs no version.
    if (of.has(page.url) || page.format === "markdown") continue
    const there = own.get(pageKey(page.url))
    if (there !== undefined) {
      of.set(page.url, { url: there.url, text: there.text, written: false })
      continue
    }
    const url = markdownUrlOf(forms, page.url)
    const file = pageMarkdown(
      withReference(site, page, markdownOf(page)),
      url !== null && isOnHost(site, url) ? url : null
    )
    if (typeof file === "string") {
      without.add(file, page.url)
      continue
    }
    // One text for two pages would be the version of the first alone.
    if (texts.has(file.text)) {
      without.add("same_text", page.url)
      continue
    }
    texts.add(file.text)
    const isPublished = publish && paths.take(file.path)
    of.set(page.url, { url: isPublished ? file.url : null, text: file.text, written: isPublished })
    if (isPublished) files.push(file)
    else without.add("taken", page.url)
  }
  return { of, files, unwritten: publish ? without.notes() : [] }
}

const isOnHost = ({ base }: PublishedSite, url: string): boolean => URL.parse(url)?.origin === base.origin

interface HostWish {
  readonly links: ReadonlyArray<{ readonly url: string; readonly rel: string }>
  /** Whether there is no Markdown that rules could send. */
  readonly lacksVersions: boolean
  /** `null`: pages are not negotiated. */
  readonly forms: MarkdownForms | null
  /** Plugins whose criteria the links are for. */
  readonly announces: ReadonlyArray<WritablePlugin>
}

export interface HostFiles {
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

const hostFiles = (options: FixOptions, { announces, forms, lacksVersions, links }: HostWish): HostFiles => {
  const { host } = options
  const nothing: HostFiles = {
    dropsEarlier: false,
    files: [],
    rules: null,
    plugins: [],
    unwritten: lacksVersions
      ? notWritten("b2-markdown-negotiation", "No page has a Markdown version that a rule could send.").unwritten
      : []
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

/** Elements of heads that only the owner can change. */
const metadataLeft = (gap: Gap, pages: ReadonlyArray<Page>, heads: ReadonlyArray<HeadSnippet>): Written => {
  if (!gap("b4-metadata")) return NOTHING
  const html = pages.filter(({ format }) => format === "html")
  const has = (url: string, text: string): boolean => heads.some((head) => head.url === url && head.text.includes(text))
  const urls = (of: ReadonlyArray<Page>): ReadonlyArray<string> => of.map(({ url }) => url)
  const undescribed = html.filter(({ description, url }) => description === "" && !has(url, 'name="description"'))
  const unspoken = html.filter(({ lang }) => lang.trim() === "")
  const short = html.filter(({ description }) => description !== "" && readingLength(description) < LEAST_DESCRIPTION)
  const shared = html.filter(
    ({ description }) =>
      description !== "" &&
      html.filter((other) => other.description === description).length * 2 > html.length &&
      html.length > 2
  )
  const astray = html.filter(({ canonical, url }) => canonical !== null && pageKey(canonical) !== pageKey(url))
  const notes = [
    [unspoken, "Set `lang` on `<html>`: the page does not say which language it is in."],
    [undescribed, "Write a description: the page has no sentence that could be one."],
    [short, `Write a longer description: it has fewer than ${LEAST_DESCRIPTION} characters.`],
    [shared, "Write a description for each page: these have the template's."],
    [astray, "Correct the canonical URL: it names another page."]
  ] as const
  return together(
    notes.map(([of, reason]) => (of.length === 0 ? NOTHING : notWritten("b4-metadata", reason, urls(of))))
  )
}

/** Of two files with one path the first counts. */
const distinctFiles = (files: ReadonlyArray<GeneratedFile>): ReadonlyArray<GeneratedFile> => {
  const taken = takenPaths()
  return files.filter(({ path }) => taken.take(path))
}
