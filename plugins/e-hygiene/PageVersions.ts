import * as Effect from "effect/Effect"
import { onSite, pageKey } from "../../engine/evidence/Address.ts"
import type { Exchange } from "../../engine/evidence/Exchange.ts"
import type { Page } from "../../engine/page/Page.ts"
import { isAsideAddress } from "../../engine/site/address/PageUrl.ts"
import { namesVersion } from "../../engine/site/address/VersionFolders.ts"
import { evenStride } from "../../engine/site/base/EvenStride.ts"
import { type Spot, spotCheck } from "../../engine/site/sample/SpotCheck.ts"
import type { Site } from "../../engine/site/Site.ts"

/** How pages say which version they are about. `dead`: a selector without a link that resolves. */
export interface PageVersions {
  readonly how: "path" | "selector" | "dead" | "none"
  /** The page that says so. */
  readonly page: Page | undefined
  /** Links of selectors that could not be fetched. */
  readonly unanswered: ReadonlyArray<Exchange>
}

/** Maximum number of links of selectors to fetch. */
export const FETCHED = 2

/** Looks at the paths of pages, then at their version selectors: one link beyond the sample, which is of one version, must resolve. */
export const pageVersions = Effect.fnUntraced(function* (
  site: Site,
  pages: ReadonlyArray<Page>
): Effect.fn.Return<PageVersions> {
  // A post about a release is named after it, and is none of its pages.
  const inPath = pages.find(({ url }) => !isAsideAddress(url) && new URL(url).pathname.split("/").some(namesVersion))
  if (inPath !== undefined) return { how: "path", page: inPath, unanswered: [] }
  const page = pages.find(({ versionLinks }) => versionLinks !== null)
  if (page === undefined) return { how: "none", page, unanswered: [] }
  const { visits } = yield* site.sample
  const own = new Set(visits.map(({ exchange }) => pageKey(exchange.url)))
  const links = pages
    .flatMap(({ versionLinks }) => versionLinks ?? [])
    .filter((link) => onSite(link, site.base.site) && !own.has(pageKey(link)))
  const spots = yield* untilOneResolves(site, evenStride([...new Set(links)], FETCHED))
  const works = spots.some(({ outcome }) => outcome === "resolves")
  const unanswered = works
    ? []
    : spots.filter(({ outcome }) => outcome === "unobtainable").map(({ exchange }) => exchange)
  return { how: works ? "selector" : "dead", page, unanswered }
})

/** One after the other: the first link usually resolves, and the next is not needed then. */
const untilOneResolves = Effect.fnUntraced(function* (
  site: Site,
  links: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<Spot>> {
  const spots: Array<Spot> = []
  for (const link of links) {
    spots.push(...(yield* spotCheck(site, [link], { size: 1, fetches: 1, fetched: [] })))
    if (spots.some(({ outcome }) => outcome === "resolves")) break
  }
  return spots
})
