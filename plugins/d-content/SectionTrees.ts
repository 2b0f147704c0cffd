import { withoutPageEnding } from "../../engine/text/UrlPath.ts"
import { trimTrailingSlashes } from "../../engine/text/WhiteSpace.ts"
import type { Documentation } from "./Documentation.ts"
import { isAbout, pagePlace, type Place, type Topic } from "./Topic.ts"

/** Places that are read together, the first of them first. */
export type SectionTree = readonly [Place, Place, ...ReadonlyArray<Place>]

/**
 * The places on a topic that are in one section tree: pages on it in one folder, the pages below a page on it or in a folder
 * that is named after it, and sections on it below one heading. Elsewhere a topic is documented again, such as the errors of
 * each operation.
 */
export const sectionTrees = (
  documentation: Documentation,
  topic: Topic,
  places: ReadonlyArray<Place>
): ReadonlyArray<SectionTree> => {
  const trees = new Map<string, Map<string, Place>>()
  const add = (tree: string, member: string, place: Place): void => {
    const members = trees.get(tree) ?? new Map<string, Place>()
    if (!members.has(member)) trees.set(tree, members.set(member, place))
  }
  for (const place of [...places, ...pagesBelow(documentation, topic)]) {
    if (isPage(place)) {
      const stem = stemOf(place.article.url)
      add(folderOf(stem), stem, place)
      add(stem, stem, place)
    } else if (place.kind === "heading") {
      const path = place.article.sections[place.from]?.path ?? []
      // The top headings of a full-text file are pages.
      if (place.article.kind === "page" || path.length > 0)
        add([place.article.url, ...path].join("\n"), String(place.from), place)
    }
  }
  return [...trees.values()].flatMap((members) => {
    const [first, second, ...others] = members.values()
    return first === undefined || second === undefined ? [] : [[first, second, ...others] as const]
  })
}

const isPage = ({ kind }: Place): boolean => kind === "title" || kind === "address"

/** Pages in a folder that is named after the topic, whatever they are called: `/errors/payments`. */
const pagesBelow = (documentation: Documentation, topic: Topic): ReadonlyArray<Place> =>
  documentation.articles
    .filter(({ kind, url }) => kind === "page" && isAbout(nameOf(folderOf(stemOf(url))), topic, documentation))
    .map(pagePlace)

/** A page's URL without what differs between a file and a folder: `/errors/index.html`, `/errors/` and `/errors.md` are `/errors`. */
const stemOf = (url: string): string => {
  const { origin, pathname } = new URL(url)
  return origin + trimTrailingSlashes(withoutPageEnding(trimTrailingSlashes(pathname)).replace(/\/index$/, ""))
}

const folderOf = (stem: string): string => stem.slice(0, stem.lastIndexOf("/"))

const nameOf = (folder: string): string => folder.slice(folder.lastIndexOf("/") + 1).replace(/[-_+]|%20/g, " ")
