import type { Sitemaps } from "../wellknown/Sitemap.ts"

/** Sitemap files and pages beyond the sample together: the more of the files a site has, the fewer of the pages are read. */
const FILES_AND_PAGES = 51

const MOST_PAGES = 50
const LEAST_PAGES = 4
const MOST_REFERENCE_PAGES = 10

/** How many pages beyond the sample may be fetched: for D1 and D2, and for the rest of category D. */
export const pagesBeyond = ({
  files
}: Pick<Sitemaps, "files">): { readonly reference: number; readonly topics: number } => {
  const pages = Math.max(LEAST_PAGES, Math.min(MOST_PAGES, FILES_AND_PAGES - files.length))
  const reference = Math.min(MOST_REFERENCE_PAGES, Math.floor(pages / 2))
  return { reference, topics: pages - reference }
}
