import { isReference, isReferenceAddress, type Page } from "../../page/Page.ts"
import { isAsideAddress } from "../address/PageUrl.ts"

/** Full-width bars need no spaces around them. */
const TITLE_SEPARATOR = / (?:[|·•»«–—-]|::) |\s?[｜│丨]\s?/u

/** A title names its page, and usually the site and a section, too. */
export const titleParts = (title: string): ReadonlyArray<string> =>
  title
    .split(TITLE_SEPARATOR)
    .map((part) => part.trim())
    .filter((part) => part !== "")

/** Fewer pages tell nothing about what they share. */
const ENOUGH_PAGES = 3

/** Parts of titles that most of the pages share: the name of the site. Empty for fewer than three pages. */
export const sharedTitles = (pages: ReadonlyArray<Pick<Page, "title">>): ReadonlySet<string> => {
  const counts = new Map<string, number>()
  for (const page of pages)
    for (const part of new Set(titleParts(page.title))) counts.set(part, (counts.get(part) ?? 0) + 1)
  return new Set(
    pages.length < ENOUGH_PAGES ? [] : [...counts].filter(([, count]) => count > pages.length / 2).map(([part]) => part)
  )
}

/**
 * Whether a page is a reference page, the site's name aside: if that is "Harbour API", not every page is one. A post of a blog is
 * none, whatever it shows.
 */
export const isReferenceBeside =
  (siteTitles: ReadonlySet<string>) =>
  (page: Page): boolean =>
    (isReferenceAddress(page.url) || !isAsideAddress(page.url)) &&
    isReference({
      ...page,
      title: titleParts(page.title)
        .filter((part) => !siteTitles.has(part))
        .join(" | ")
    })
