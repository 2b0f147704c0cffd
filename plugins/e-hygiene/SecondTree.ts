import * as Effect from "effect/Effect"
import { pageKey } from "../../engine/evidence/Address.ts"
import { isOk } from "../../engine/evidence/Exchange.ts"
import { isSubstantive, type Page } from "../../engine/page/Page.ts"
import { namesVersion } from "../../engine/site/address/VersionFolders.ts"
import { asServed } from "../../engine/site/sample/SampleChoice.ts"
import type { Site } from "../../engine/site/Site.ts"

/** The documentation is public a second time, in the folder of another version, and no page says which of the two counts. */
export interface SecondTree {
  /** A sampled page. */
  readonly own: Page
  /** The page of the same name in the other folder. */
  readonly other: Page
  /** Pages that are known to be in both folders. */
  readonly pages: number
}

/** Fewer pages in both folders may be called alike by chance. */
const ENOUGH_PAGES = 3

/** Folders whose pages are to be the newest, whatever its number: a copy beside them is another version of the same pages. */
const NEWEST = /^(?:latest|stable|main)$/i

/** A path below the folder of a version. */
interface Placed {
  /** The folders around it, which the trees of one documentation share. */
  readonly around: string
  readonly version: string
  /** The rest of the path. */
  readonly name: string
}

/** Looks in the sitemap for the sampled pages below another version, and at one of them: one request. Two numbers may be two versions in force. */
export const secondTree = Effect.fnUntraced(function* (
  site: Site,
  pages: ReadonlyArray<Page>
): Effect.fn.Return<SecondTree | null> {
  const { host } = new URL(site.base.url)
  const listed = (yield* site.sitemaps).entries
    .map(({ url }) => asServed(site.base, url))
    .filter((url) => new URL(url).host === host)
  const trees = treesOf([...listed, ...pages.map(({ url }) => url)])
  for (const own of pages.filter(isCited)) {
    const placed = placeOf(own.url)
    if (placed === null) continue
    const { names, copy } = copyOf(placed, trees, listed)
    if (copy === undefined) continue
    const answer = yield* site.get(copy)
    const other = isOk(answer) && pageKey(answer.url) === pageKey(copy) ? yield* site.read(answer) : null
    return other !== null && isCited(other) && isCopy(own, other) ? { own, other, pages: names } : null
  }
  return null
})

/** Search engines and agents may keep it as a page of its own. */
const isCited = (page: Page): boolean =>
  isSubstantive(page) && !page.robots.some((word) => /^(?:noindex|none)$/.test(word))

const placeOf = (url: string): Placed | null => {
  const segments = new URL(url).pathname.split("/")
  const at = segments.findIndex((segment, index) => index < segments.length - 1 && namesVersion(segment))
  const name = segments.slice(at + 1).join("/")
  return at < 0 || name === "" ? null : { around: segments.slice(0, at).join("/"), version: segments[at] ?? "", name }
}

/** The names of pages, by the folders around and by the version. */
type Trees = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>

const treesOf = (urls: ReadonlyArray<string>): Trees => {
  const trees = new Map<string, Map<string, Set<string>>>()
  for (const placed of urls.map(placeOf)) {
    if (placed === null) continue
    const versions = trees.get(placed.around) ?? new Map<string, Set<string>>()
    trees.set(placed.around, versions)
    versions.set(placed.version, (versions.get(placed.version) ?? new Set()).add(placed.name))
  }
  return trees
}

/** The page in the folder of another version that has most pages in common, and how many these are. */
const copyOf = (
  { around, name, version }: Placed,
  trees: Trees,
  listed: ReadonlyArray<string>
): { readonly names: number; readonly copy: string | undefined } => {
  const versions = trees.get(around) ?? new Map<string, ReadonlySet<string>>()
  const own = versions.get(version) ?? new Set<string>()
  const [best] = [...versions]
    .filter(([other, names]) => other !== version && names.has(name) && (NEWEST.test(other) || NEWEST.test(version)))
    .map(([other, names]) => ({ other, names: [...names].filter((one) => own.has(one)).length }))
    .sort((one, other) => other.names - one.names || (one.other < other.other ? -1 : 1))
  if (best === undefined || best.names < ENOUGH_PAGES) return { names: 0, copy: undefined }
  const path = `${around}/${best.other}/${name}`
  return { names: best.names, copy: listed.find((url) => new URL(url).pathname === path) }
}

/** The same title, apart from numbers; neither has its canonical in the other's folder, and no third page is that of both. */
const isCopy = (own: Page, other: Page): boolean =>
  own.title !== "" &&
  withoutNumbers(own.title) === withoutNumbers(other.title) &&
  !pointsTo(own, other) &&
  !pointsTo(other, own) &&
  (own.canonical === null || other.canonical === null || pageKey(own.canonical) !== pageKey(other.canonical))

const withoutNumbers = (title: string): string =>
  title
    .toLowerCase()
    .split(/[\s()|·–—-]+/)
    .filter((word) => word !== "" && !/^v?\d/.test(word) && !NEWEST.test(word))
    .join(" ")

const pointsTo = ({ canonical }: Page, { url }: Page): boolean => {
  const [from, to] = [canonical === null ? null : placeOf(canonical), placeOf(url)]
  return canonical !== null && (pageKey(canonical) === pageKey(url) || (from !== null && from.version === to?.version))
}
