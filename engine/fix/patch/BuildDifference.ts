import * as Effect from "effect/Effect"
import { pageKey } from "../../evidence/Address.ts"
import { isGone } from "../../evidence/Exchange.ts"
import type { SiteFolder } from "../../evidence/folder/SiteFolder.ts"
import type { Page } from "../../page/Page.ts"
import { judgeAddress } from "../../site/address/PageUrl.ts"
import { isOfVersion, namedUrls } from "../site/OtherVersions.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"
import { isHtmlFile, isTemplateText, TEMPLATE_BYTES, urlsOfFolder } from "./FolderPages.ts"
import { placeOf, urlOfFile } from "./FolderPlace.ts"

/** Pages that only the folder has, and pages that only the site names. */
export interface BuildDifference {
  /** HTML files that no link, sitemap or llms.txt leads to: as a visitor, docgauge does not see them. None where pages were left unopened. */
  readonly unreached: ReadonlyArray<string>
  /** URLs that pages link to, or that sitemap or llms.txt list, and for which the folder has no file. */
  readonly lacking: ReadonlyArray<string>
}

/** `pages`: all that were opened; `isWhole`: whether that is the whole site, else pages that were not opened may lead to any file. */
export const buildDifference = Effect.fn("Fix.buildDifference")(function* (
  folder: SiteFolder,
  site: PublishedSite,
  pages: ReadonlyArray<Page>,
  isWhole: boolean
): Effect.fn.Return<BuildDifference> {
  const place = placeOf(site, folder)
  const reached = new Set(namedUrls(site, pages).map(shownKey))
  const isCurrent = isOfVersion(site, urlsOfFolder(folder, place))
  const unknown = (isWhole ? folder.files : []).filter((file) => {
    const url = isHtmlFile(file) ? urlOfFile(place, file) : null
    return url !== null && judgeAddress(url) === "page" && isCurrent(url) && !reached.has(shownKey(url))
  })
  const unreached = yield* Effect.filter(unknown, (file) =>
    Effect.map(folder.read(file, TEMPLATE_BYTES), (read) => read !== null && isPageText(read.body))
  )
  return {
    unreached,
    lacking: site.sample.visits.flatMap(({ candidate, exchange }) => (isGone(exchange) ? [candidate.url] : []))
  }
})

/** A host sends the same file with its ending and without. */
const shownKey = (url: string): string => pageKey(url).replace(/\.html?$/, "")

/** What sends its reader on is no page. */
const isPageText = (bytes: Uint8Array): boolean =>
  !isTemplateText(bytes) &&
  !/<meta[^>]{0,200}http-equiv\s{0,9}=\s{0,9}["']?refresh/i.test(Buffer.from(bytes).toString("latin1"))
