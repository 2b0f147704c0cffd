import * as Effect from "effect/Effect"
import { originOf } from "../evidence/Address.ts"
import { openingOf } from "../evidence/BodyText.ts"
import { isAnswer } from "../evidence/Exchange.ts"
import type { Site } from "./Site.ts"
import { parseSitemap } from "./wellknown/SitemapDocument.ts"

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
