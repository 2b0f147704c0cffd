import { readdirSync, readFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import type { Answer } from "../../engine/evidence/Exchange.ts"
import { isSubstantive, type Page } from "../../engine/page/Page.ts"
import { readPage } from "../../engine/page/read/ReadPage.ts"
import { evenStride } from "../../engine/site/base/EvenStride.ts"
import type { CorpusSite } from "./CorpusSites.ts"

/** A page of the corpus as it was published, and where it is from. */
export interface CorpusPage {
  readonly site: string
  /** Below the site's folder. */
  readonly path: string
  readonly page: Page
}

const htmlFiles = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.html?$/.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort()

const pageAt = (folder: string, path: string, base: string): Page => {
  const url = `${base}/${encodeURI(path).replaceAll("?", "%3F").replaceAll("#", "%23")}`
  const body = readFileSync(join(folder, path))
  const answer: Answer = {
    _tag: "Answer",
    asked: { method: "GET", url, accept: "text/html", agent: "docgauge" },
    url,
    status: 200,
    headers: [["content-type", "text/html"]],
    body,
    cut: false,
    wireBytes: body.length,
    redirects: []
  }
  return readPage({ answer })
}

/**
 * `count` web pages with content, from all sites: in turn one of each, those of a site spread over its files.
 *
 * @param root the folder with the extracted sites.
 */
export const corpusPages = (
  root: string,
  sites: ReadonlyArray<CorpusSite>,
  count: number
): ReadonlyArray<CorpusPage> => {
  const bySite = sites.map(({ site, url }) => {
    const folder = join(root, site)
    return evenStride(htmlFiles(folder), 20).map((path) => () => ({ site, path, page: pageAt(folder, path, url) }))
  })
  const chosen: Array<CorpusPage> = []
  for (let turn = 0; turn < 20; turn++) {
    for (const pages of bySite) {
      const page = chosen.length < count ? pages[turn]?.() : undefined
      if (page !== undefined && page.page.format === "html" && isSubstantive(page.page)) chosen.push(page)
    }
  }
  return chosen
}
