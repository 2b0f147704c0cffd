import type { Page } from "../page/Page.ts"
import { percentDecoded } from "../text/UrlPath.ts"
import * as Effect from "effect/Effect"
import { originOf } from "../evidence/Address.ts"
import { openingOf } from "../evidence/BodyText.ts"
import { isAnswer } from "../evidence/Exchange.ts"
import type { Site } from "./Site.ts"
import { parseSitemap } from "./wellknown/SitemapDocument.ts"

/** Generators by their ids, and how pages name them. What is built on another one comes before it. */
const GENERATORS = [
  // The first version names no number, and has other plugins and folders.
  ["docusaurus", /^docusaurus v/i],
  ["mkdocs", /^mkdocs\b/i],
  ["sphinx", /^sphinx\b/i],
  ["starlight", /\bstarlight\b/i],
  ["vitepress", /^vitepress\b/i],
  ["antora", /^antora\b/i],
  ["asciidoctor", /^asciidoctor\b/i],
  ["astro", /^astro\b/i],
  ["docfx", /^docfx\b/i],
  ["doxygen", /^doxygen\b/i],
  ["drupal", /^drupal\b/i],
  ["exdoc", /^exdoc\b/i],
  ["gatsby", /^gatsby\b/i],
  ["gitbook", /^gitbook\b/i],
  ["hexo", /^hexo\b/i],
  ["hugo", /^hugo\b/i],
  ["javadoc", /^javadoc\b/i],
  ["jekyll", /^jekyll\b/i],
  ["mintlify", /^mintlify\b/i],
  ["nextra", /^nextra\b/i],
  ["pdoc", /^pdoc\b/i],
  ["quarto", /^quarto\b/i],
  ["readme", /^readme\b/i],
  ["redoc", /^redoc(?:ly)?\b/i],
  ["rustdoc", /^rustdoc\b/i],
  ["slate", /^slate\b/i],
  ["vuepress", /^vuepress\b/i],
  ["wordpress", /^wordpress\b/i],
  ["writerside", /^writerside\b/i],
  ["yard", /^yard\b/i]
] as const

/** The id of a documentation generator that we recognise. */
export type KnownGenerator = (typeof GENERATORS)[number][0]

/** The documentation generator that at least half of the pages were made by; `null`: none that we know. */
export const siteGenerator = (pages: ReadonlyArray<Pick<Page, "generators">>): KnownGenerator | null =>
  GENERATORS.find(([, pattern]) => {
    const made = pages.filter(({ generators }) => generators.some((name) => pattern.test(name))).length
    return made > 0 && made * 2 >= pages.length
  })?.[0] ?? null

/** How code hosts name a file in the URLs of their pages, with its path as the last part. A branch counts as one segment. */
const FORMS: ReadonlyArray<RegExp> = [
  // GitLab
  /^\/[^/]+(?:\/[^/]+)+\/-\/(?:edit|blob|tree|raw|ide\/project\/[^/]+\/edit)\/[^/]+\/(?:-\/)?(.+)$/,
  // Gitea and Forgejo
  /^\/[^/]+\/[^/]+\/(?:_edit|src\/branch|src\/tag|src\/commit)\/[^/]+\/(.+)$/,
  // GitHub, Bitbucket
  /^\/[^/]+\/[^/]+\/(?:edit|blob|tree|raw|src)\/[^/]+\/(.+)$/
]

/** Characters of a path. */
const LONGEST = 500

/**
 * The path of a page's source file in its repository, by the first of its "edit this page" links that a code host answers;
 * `null` if there is none.
 */
export const sourceFileOf = (links: ReadonlyArray<string>): string | null => {
  for (const link of links) {
    const path = pathIn(link)
    if (path !== null) return path
  }
  return null
}

const pathIn = (link: string): string | null => {
  const { pathname = "" } = URL.parse(link) ?? {}
  if (pathname.length > LONGEST) return null
  for (const form of FORMS) {
    const path = form.exec(pathname)?.[1]
    if (path !== undefined) return decoded(path)
  }
  return null
}

/** The path as the file system has it; `null` for one that could lead out of the repository. */
const decoded = (path: string): string | null => {
  const plain = percentDecoded(path)
  return plain === null ||
    /\p{Cc}/u.test(plain) ||
    plain.split("/").some((segment) => segment === "" || segment === "." || segment === "..")
    ? null
    : plain
}

/** Minimum share of the links that name the origin: a preview's files are those of production. */
const MOST = 0.9

/** Maximum locations of a sitemap that are looked at. */
const LOCATIONS = 100

/**
 * The origin that a preview's links point to: the one that nearly all locations of the sitemap, or else nearly all links of
 * llms.txt, or else nearly all canonical URLs have, if it is not the audited one; `null` otherwise.
 */
export const productionOrigin = Effect.fnUntraced(function* (site: Site): Effect.fn.Return<string | null> {
  const { file } = yield* site.llmsTxt
  const { pages } = yield* site.sample
  const sources = [
    yield* sitemapLocations(site),
    (file?.links ?? []).flatMap(({ url }) => url ?? []),
    pages.flatMap(({ canonical }) => canonical ?? [])
  ]
  const named = sources.find((urls) => urls.length >= 2)
  const origin = named === undefined ? null : commonOrigin(named)
  return origin === originOf(site.base.url) || origin === site.base.origin ? null : origin
})

/** The first locations, those on other hosts included, which are no entries of the site's sitemaps. */
export const sitemapLocations = Effect.fnUntraced(function* (site: Site): Effect.fn.Return<ReadonlyArray<string>> {
  const { dirt, entries, files } = yield* site.sitemaps
  if (dirt.otherHost === 0) return entries.map(({ url }) => url)
  const first = files.find(({ verdict }) => verdict === "urlset" || verdict === "text")?.exchange
  return first === undefined || !isAnswer(first)
    ? []
    : parseSitemap(openingOf(first), LOCATIONS, true).locations.map(({ loc }) => loc)
})

const commonOrigin = (urls: ReadonlyArray<string>): string | null => {
  const counts = new Map<string, number>()
  for (const url of urls) {
    // The origin is shown as part of a command, and a host may hold characters that shells act on.
    if (/^https?:\/\/[\w.:-]+(?:[/?#]|$)/i.test(url) && URL.canParse(url))
      counts.set(originOf(url), (counts.get(originOf(url)) ?? 0) + 1)
  }
  const [origin, count] = [...counts].sort(([, one], [, other]) => other - one)[0] ?? [null, 0]
  return count >= MOST * urls.length ? origin : null
}
