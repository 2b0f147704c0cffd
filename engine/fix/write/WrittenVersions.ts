import { pageKey } from "../../evidence/Address.ts"
import type { Page } from "../../page/Page.ts"
import { type MarkdownOf, pageMarkdown } from "../files/PageMarkdownFile.ts"
import { withReference } from "../files/ReferenceMarkdown.ts"
import { wayPages, waysOn } from "../files/WayOn.ts"
import { takenPaths } from "../site/FilePath.ts"
import type { GeneratedFile, Unwritten } from "../site/GeneratedFile.ts"
import { markdownUrlOf } from "../site/MarkdownForms.ts"
import { unversioned } from "../site/NoVersion.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"
import { isBesidePages, type PublishedMarkdown, type SitePages } from "../site/SitePages.ts"
import type { Wish } from "./Wish.ts"

/** The Markdown of the pages of a site. */
interface WrittenVersions {
  /** By the URL of the page. */
  readonly of: ReadonlyMap<string, PublishedMarkdown>
  readonly files: ReadonlyArray<GeneratedFile>
  readonly unwritten: ReadonlyArray<Unwritten>
}

/** The Markdown of each page: the site's own, else a conversion, which is published if `publish`. */
export const pageVersions = (
  site: PublishedSite,
  pages: ReadonlyArray<Page>,
  { forms, gap, there }: Wish,
  markdownOf: MarkdownOf
): WrittenVersions => {
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
    if (of.has(page.url) || page.format === "markdown" || isBesidePages(page)) continue
    const known = own.get(pageKey(page.url))
    if (known !== undefined) {
      of.set(page.url, { url: known.url, text: known.text, written: false })
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
    const isThere = file.url !== null && there.has(file.url)
    const isPublished = publish && !isThere && paths.take(file.path)
    of.set(page.url, { url: isPublished ? file.url : null, text: file.text, written: isPublished })
    if (isPublished) files.push({ ...file, versionOf: page.url })
    else without.add(isThere ? "there" : "taken", page.url)
  }
  return { of, files, unwritten: publish ? without.notes() : [] }
}

/** The Markdown versions, each with its way on. */
export const ledOn = (
  site: PublishedSite,
  pages: SitePages,
  { files, of }: WrittenVersions,
  llmsTxt: string | null
): ReadonlyArray<GeneratedFile> => {
  const pageOf = new Map([...of].map(([page, { url }]) => [url, page] as const))
  const ways = waysOn(site, wayPages(pages), llmsTxt)
  return files.map((file) => {
    const page = pageOf.get(file.url)
    return page === undefined ? file : { ...file, text: ways.ledOn(page, file.text) }
  })
}

/** Whether a URL is on the host of the documentation. */
export const isOnHost = ({ base }: PublishedSite, url: string): boolean => URL.parse(url)?.origin === base.origin
