import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { define, type Finding, Unobtainable } from "../../engine/criterion/Criterion.ts"
import { count, flag, ratio, share } from "../../engine/criterion/Fact.ts"
import { pathShown, someOf } from "../../engine/criterion/Wording.ts"
import { pageKey } from "../../engine/evidence/Address.ts"
import { isSubstantive, type Page } from "../../engine/site/Page.ts"

/** A path segment that names a version: `v2`, `2.1`, `v1.0.3`, `latest`, `stable`, `main`. */
const VERSION_SEGMENT = /^(?:v\d{1,4}(?:[.-]\d+|[.-]x){0,3}|\d{1,4}(?:\.\d+|\.x){1,3}|latest|stable|main)$/i

/** E3: can a page, and a passage of it, be cited so that the citation lasts? */
export const e3StableAddresses = define({
  id: "e3-stable-addresses",
  revision: 1,
  params: Schema.Struct({}),
  facts: {
    substantive_pages: count("substantive pages of the sample"),
    plain_routes: flag("no page is told apart by a hash route"),
    versioned: flag("a version in the path of a page, or a version selector"),
    headings: count("h2 and h3 in the main content of the sample"),
    anchored: share("of those, headings that a fragment leads to"),
    canonical: share("pages of the sample with a canonical"),
    repeated_canonicals: count("canonicals that two or more pages of the sample have")
  },
  measure: Effect.fn("e3-stable-addresses")(function*(site) {
    const { pages } = yield* site.sample
    const [first] = pages
    if (first === undefined) return yield* new Unobtainable({ message: "No page of the site could be had.", exchange: site.base.exchange })
    const headings = pages.flatMap((page) => page.headings.filter(({ inMain, level }) => inMain && (level === 2 || level === 3)))
    const anchored = headings.filter(({ anchor }) => anchor !== null).length
    const canonicals = pages.flatMap((page) => (page.canonical === null ? [] : [page.canonical]))
    const hashed = pages.find((page) => page.hashRouting)
    const versioned = pages.find(namesVersion)
    const repeated = repeatedCanonicals(pages)
    const unanchored = pages.find((page) => page.headings.some(({ anchor, inMain, level }) => inMain && (level === 2 || level === 3) && anchor === null))
    const finding = (good: boolean, message: string, page: Page | undefined): Finding => ({ good, message, proof: (page ?? first).answer })
    const found: ReadonlyArray<Finding> = [
      finding(hashed === undefined, hashed === undefined ? "Pages have paths of their own." : `${pathShown(hashed.url)} tells its pages apart by hash routes.`, hashed),
      finding(versioned !== undefined, versioned === undefined ? "No page shows a version in its path or a version selector." : `${pathShown(versioned.url)} ${versioned.versionSelector ? "offers a choice of versions" : "has a version in its path"}.`, versioned),
      finding(headings.length > 0 && anchored / headings.length >= 0.8, headings.length === 0 ? "There are no h2 or h3 headings." : `${someOf(anchored, headings.length, "h2 and h3 heading")} can be linked to.`, unanchored),
      finding(canonicals.length >= 0.8 * pages.length && repeated.length === 0, canonicalMessage(pages, canonicals.length, repeated), repeated[0] ?? pages.find((page) => page.canonical === null))
    ]
    const summary = finding(found.every(({ good }) => good), found.map(({ message }) => message).join(" "), first)
    return {
      facts: {
        substantive_pages: pages.filter(isSubstantive).length,
        plain_routes: hashed === undefined,
        versioned: versioned !== undefined,
        headings: headings.length,
        anchored: ratio(anchored, headings.length),
        canonical: ratio(canonicals.length, pages.length),
        repeated_canonicals: new Set(repeated.map(({ canonical }) => canonical)).size
      },
      findings: [summary, ...found.filter(({ good }) => !good)] as const
    }
  })
})

const namesVersion = (page: Page): boolean =>
  page.versionSelector || new URL(page.url).pathname.split("/").some((segment) => VERSION_SEGMENT.test(segment))

/** Pages whose canonical another page of the sample has too. */
const repeatedCanonicals = (pages: ReadonlyArray<Page>): ReadonlyArray<Page> => {
  const times = new Map<string, number>()
  const keyOf = (page: Page): string => pageKey(page.canonical ?? page.url)
  for (const page of pages) if (page.canonical !== null) times.set(keyOf(page), (times.get(keyOf(page)) ?? 0) + 1)
  return pages.filter((page) => page.canonical !== null && (times.get(keyOf(page)) ?? 0) > 1)
}

const canonicalMessage = (pages: ReadonlyArray<Page>, canonicals: number, repeated: ReadonlyArray<Page>): string =>
  `${pages.length === 1 ? `The page names ${canonicals === 1 ? "a" : "no"}` : `${someOf(canonicals, pages.length, "page")} name a`} canonical address${repeated.length === 0 ? "." : `, and ${repeated.length} share theirs with another page.`}`
