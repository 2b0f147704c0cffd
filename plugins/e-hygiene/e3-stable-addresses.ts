import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/plugin/Criterion.ts"
import { between, count, EITHER, eitherUnless, flag, ratio, share, shareBetween } from "../../engine/plugin/Fact.ts"
import { sampledPages } from "../../engine/plugin/SampledPages.ts"
import { counted, enumerated, grouped, pathShown, someOf } from "../../engine/plugin/Wording.ts"
import { onSite, pageKey } from "../../engine/evidence/Address.ts"
import type { Exchange } from "../../engine/evidence/Exchange.ts"
import { type Heading, isSubstantive, type Page } from "../../engine/page/Page.ts"
import { isAsideAddress } from "../../engine/site/address/PageUrl.ts"
import { namesVersion } from "../../engine/site/address/VersionFolders.ts"
import { withoutPageEnding } from "../../engine/text/UrlPath.ts"
import { evenStride } from "../../engine/site/base/EvenStride.ts"
import { type Spot, spotCheck } from "../../engine/site/sample/SpotCheck.ts"
import type { Site } from "../../engine/site/Site.ts"
import { type SecondTree, secondTree } from "./SecondTree.ts"

const headingsOf = (page: Page): ReadonlyArray<Heading> =>
  page.headings.filter(({ inMain, level }) => inMain && (level === 2 || level === 3))

/** The h2 and h3 of main content, without those whose text repeats on the page: "Responses" below each operation. */
const citableHeadings = (page: Page): ReadonlyArray<Heading> => {
  const headings = headingsOf(page)
  const times = tally(headings.map(({ text }) => text.toLowerCase()))
  return headings.filter(({ text }) => times.get(text.toLowerCase()) === 1)
}

/** Those of them that a fragment leads to: it must be no other heading's. */
const anchoredHeadings = (page: Page): ReadonlyArray<Heading> => {
  const times = tally(page.headings.flatMap(({ anchor }) => (anchor === null ? [] : [anchor])))
  return citableHeadings(page).filter(({ anchor }) => anchor !== null && times.get(anchor) === 1)
}

const tally = (texts: ReadonlyArray<string>): ReadonlyMap<string, number> => {
  const times = new Map<string, number>()
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1)
  return times
}

/** How pages say which version they are about. `dead`: a selector without a link that resolves. */
interface PageVersions {
  readonly how: "path" | "selector" | "dead" | "none"
  /** The page that says so. */
  readonly page: Page | undefined
  /** Links of selectors that could not be fetched. */
  readonly unanswered: ReadonlyArray<Exchange>
}

/** Maximum number of links of selectors to fetch. */
const FETCHED = 2

/** Looks at the paths of pages, then at their version selectors: one link beyond the sample, which is of one version, must resolve. */
const pageVersions = Effect.fnUntraced(function* (
  site: Site,
  pages: ReadonlyArray<Page>
): Effect.fn.Return<PageVersions> {
  // A post about a release is named after it, and is none of its pages.
  const inPath = pages.find(({ url }) => !isAsideAddress(url) && pathNamesVersion(url))
  if (inPath !== undefined) return { how: "path", page: inPath, unanswered: [] }
  // Of one page's folder, it may be the name of a product.
  const [first] = pages
  if (first !== undefined && site.base.prefix.split("/").some((folder) => VERSION_WORD.test(folder)))
    return { how: "path", page: first, unanswered: [] }
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

/** A version among the words of a folder's name that all pages are below: `api-v1-docs`. */
const VERSION_WORD = /(?:^|[-_])v\d{1,3}(?:\.\d{1,3}){0,2}(?:[-_]|$)/i

/** A folder's name, or that of the page itself: `/v3.html`. */
const pathNamesVersion = (url: string): boolean => {
  const segments = new URL(url).pathname.split("/")
  const page = withoutPageEnding(segments.at(-1) ?? "")
  return segments.some(namesVersion) || (/\d/.test(page) && namesVersion(page))
}

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

/** E3: a page and its sections have URLs that last. */
export const e3StableAddresses = define({
  id: "e3-stable-addresses",
  revision: 3,
  // The links of a version selector (2), or, with a version in the path, one page of another folder (1).
  budget: { requests: FETCHED, megabytes: 1 },
  params: Schema.Struct({}),
  facts: {
    substantive_pages: count("substantive sampled pages"),
    plain_routes: flag("no page depends on a hash route"),
    versioned: flag("a page has a version in its path, or a version selector with a link that resolves"),
    headings: count(
      "h2 and h3 headings in the main content of the sampled pages whose text does not repeat on the page"
    ),
    anchored: share("of those, headings with a fragment of their own"),
    canonical: share("share of sampled pages with a canonical"),
    repeated_canonicals: count("canonicals that two or more sampled pages share")
  },
  measure: Effect.fn("e3-stable-addresses")(function* (site) {
    const { missing, pages } = yield* sampledPages(site)
    const [first] = pages
    if (first === undefined)
      return yield* new Unobtainable({
        message: "We could not fetch any page of the site.",
        exchange: site.base.exchange
      })
    const headings = pages.flatMap(citableHeadings)
    // A missing page is taken to have no more headings than the page with the most.
    const unseen = missing.length * Math.max(...pages.map((page) => citableHeadings(page).length))
    const anchored = pages.flatMap(anchoredHeadings).length
    const canonicals = pages.flatMap((page) => (page.canonical === null ? [] : [page.canonical]))
    const hashed = pages.find((page) => page.hashRouting)
    const versions = yield* pageVersions(site, pages)
    // With a version in the path no link of a selector is fetched, which leaves a request.
    const copy = versions.how === "path" ? yield* secondTree(site, pages) : null
    const versioned = versions.how === "path" || versions.how === "selector"
    const repeated = repeatedCanonicals(pages)
    const unanchored = pages.find((page) => anchoredHeadings(page).length < citableHeadings(page).length)
    const withoutCanonical = repeated[0] ?? pages.find((page) => page.canonical === null)
    const finding = (good: boolean, message: string, page: Page | undefined): Finding => ({
      good,
      message,
      proof: (page ?? first).answer
    })
    const substantive = pages.filter(isSubstantive).length
    const shared = new Set(repeated.map(({ canonical }) => canonical)).size
    const found: ReadonlyArray<Finding> = [
      finding(
        hashed === undefined,
        hashed === undefined
          ? "No page depends on a hash route."
          : `${pathShown(hashed.url)} uses hash routes for its pages.`,
        hashed
      ),
      finding(versioned, versionMessage(versions), versions.page),
      finding(
        headings.length > 0 && anchored / headings.length >= 0.8,
        headings.length === 0
          ? "No page has h2 or h3 headings that can be cited."
          : anchorMessage(anchored, headings.length, pages.flatMap(headingsOf).length > headings.length),
        unanchored
      ),
      finding(
        canonicals.length >= 0.8 * pages.length && repeated.length === 0,
        canonicalMessage(pages, canonicals.length, repeated),
        withoutCanonical
      )
    ]
    const missed = NAMES.filter((_, index) => found[index]?.good === false)
    const summary = finding(
      missed.length === 0,
      missed.length === 0 ? `Pages have ${enumerated(NAMES)}.` : `Missing: ${enumerated(missed)}.`,
      // A page that lacks what is missing proves more than the first page does.
      [hashed, versions.page, unanchored, withoutCanonical].find(
        (page, index) => page !== undefined && found[index]?.good === false
      ) ?? first
    )
    return {
      facts: {
        substantive_pages: substantive,
        plain_routes: hashed === undefined,
        versioned,
        headings: headings.length,
        anchored: ratio(anchored, headings.length),
        canonical: ratio(canonicals.length, pages.length),
        repeated_canonicals: shared
      },
      uncertain:
        missing.length === 0
          ? { versioned: eitherUnless(versions.unanswered.length === 0) }
          : {
              substantive_pages: between(substantive, substantive + missing.length),
              plain_routes: hashed === undefined ? EITHER : undefined,
              versioned: eitherUnless(versioned),
              headings: between(headings.length, headings.length + unseen),
              anchored: shareBetween(anchored, headings.length, unseen),
              canonical: shareBetween(canonicals.length, pages.length, missing.length),
              repeated_canonicals: between(shared, shared + missing.length)
            },
      unanswered: [...missing, ...versions.unanswered],
      findings: [
        summary,
        ...found.filter(({ good }) => !good),
        ...(copy === null ? [] : [copyShown(copy)]),
        ...found.filter(({ good }) => good)
      ] as const
    }
  })
})

/** What is checked, in the order of the findings. */
const NAMES = [
  "paths of their own",
  "a version (in the path or in a selector)",
  "headings with ids",
  "canonical URLs of their own"
]

const versionMessage = ({ how, page }: PageVersions): string => {
  const path = pathShown(page?.url ?? "")
  if (how === "path") return `${path} has a version in its path.`
  if (how === "selector") return `${path} has a version selector.`
  return how === "dead"
    ? `${path} has a version selector, but no link of it that we tried leads to another version.`
    : "No page has a version in its path or a version selector."
}

const copyShown = ({ other, own, pages }: SecondTree): Finding => ({
  good: false,
  message: `${counted(pages, "page")} of the documentation ${pages === 1 ? "is" : "are"} public twice, such as ${pathShown(own.url)} and ${pathShown(other.url)}: neither names the other as its canonical URL or is noindex, so agents can't tell which one counts. This costs no points.`,
  proof: other.answer
})

/** Pages that share their canonical with another sampled page. */
const repeatedCanonicals = (pages: ReadonlyArray<Page>): ReadonlyArray<Page> => {
  const times = new Map<string, number>()
  const keyOf = (page: Page): string => pageKey(page.canonical ?? page.url)
  for (const page of pages) if (page.canonical !== null) times.set(keyOf(page), (times.get(keyOf(page)) ?? 0) + 1)
  return pages.filter((page) => page.canonical !== null && (times.get(keyOf(page)) ?? 0) > 1)
}

const anchorMessage = (anchored: number, headings: number, repeat: boolean): string => {
  const which = repeat ? " whose text does not repeat on the page" : ""
  if (headings === 1) return `The only h2 or h3 heading${which} has ${anchored === 1 ? "an" : "no"} id of its own.`
  return `${someOf(anchored, headings, [`h2 or h3 heading${which}`, `h2 and h3 headings${which}`], ["has", "have"])} an id of ${anchored < 2 ? "its" : "their"} own.`
}

const canonicalMessage = (pages: ReadonlyArray<Page>, canonicals: number, repeated: ReadonlyArray<Page>): string =>
  `${someOf(canonicals, pages.length, ["page", "pages"], ["has", "have"])} a canonical URL${repeated.length === 0 ? "." : `, but ${grouped(repeated.length)} share theirs with another page.`}`
