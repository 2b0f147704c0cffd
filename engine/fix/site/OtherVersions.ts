import type { Page } from "../../page/Page.ts"
import { judgeAddress } from "../../site/address/PageUrl.ts"
import { isInForceAmong, otherVersionsAmong } from "../../site/address/VersionFolders.ts"
import type { PublishedSite } from "./PublishedSite.ts"

/** A version of the documentation beside the one that files are written for. */
export interface OtherVersion {
  /** The URL of its folder, with a slash at its end. */
  readonly url: string
  /** Pages that are known of it: they were not opened. */
  readonly pages: number
}

/** The URLs that the site names: its candidates, and what pages, sitemaps and llms.txt lead to. `pages`: all that were opened. */
export const namedUrls = (
  { llmsTxt, sample, sitemaps }: PublishedSite,
  pages: ReadonlyArray<Page>
): ReadonlyArray<string> => [
  ...sample.visits.flatMap(({ candidate, exchange }) => [candidate.url, exchange.url]),
  ...sample.candidates.map(({ url }) => url),
  ...pages.flatMap(({ links, url }) => [url, ...links.map((link) => link.url)]),
  ...sitemaps.entries.map(({ url }) => url),
  ...[...(llmsTxt.file === null ? [] : [llmsTxt.file]), ...llmsTxt.nested].flatMap(({ links }) =>
    links.flatMap(({ url }) => url ?? [])
  )
]

/** The other versions of the documentation among these URLs. */
export const otherVersions = ({ base }: PublishedSite, urls: ReadonlyArray<string>): ReadonlyArray<OtherVersion> =>
  otherVersionsAmong(new URL(base.url).pathname, pathsOf(base.origin, urls)).map(({ folder, pages }) => ({
    url: `${base.origin}${folder}`,
    pages
  }))

/** Whether a URL is of the version that files are written for. */
export const isOfVersion = ({ base }: PublishedSite, urls: ReadonlyArray<string>): ((url: string) => boolean) => {
  const isInForce = isInForceAmong(new URL(base.url).pathname, pathsOf(base.origin, urls))
  return (url) => isInForce(new URL(url).pathname)
}

const pathsOf = (origin: string, urls: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(
    urls.flatMap((url) => (url.startsWith(`${origin}/`) && judgeAddress(url) === "page" ? new URL(url).pathname : []))
  )
]
