import { onSite, pageKey } from "../../evidence/Address.ts"
import type { Page, PageLink } from "../../page/Page.ts"
import { isAsideAddress, judgeAddress } from "../address/PageUrl.ts"
import type { GatherContext } from "../base/GatherContext.ts"

/** Pages that are opened because a link suggests that they show an API description. */
const OPENED = 3

/** Viewers by the names that tools and their users give to their folders. */
const VIEWER_FOLDER =
  /^(?:swagger(?:[-_]?(?:ui|docs?))?|redoc(?:ly)?|rapi-?docs?|scalar|stoplight|openapi(?:-?(?:ui|docs?))?|api-?docs?|(?:api-?)?(?:explorer|console|playground|browser|sandbox)|api-?ref(?:erence)?|graphiql|graphql-?(?:playground|voyager|explorer)|voyager)(?:\.html?)?$/i

/** `/ui/?url=/openapi.json`: what viewers take from their query. */
const VIEWER_QUERY = /[?&](?:url|configUrl|spec-?url)=/i

const VIEWER_NAME = /\b(?:swagger|redoc|rapidoc|scalar|open ?api|graphiql|graphql (?:playground|voyager|explorer))\b/i

/** `API` as a word, in scripts without spaces too. */
const API = /(?<![A-Za-z0-9])APIs?(?![A-Za-z0-9])/i

/** Longer texts speak of more than the API as a whole, in characters. */
const SHORT_TEXT = 40

/**
 * Pages beyond those that were read which links suggest to be viewers: by their URL, by their text, or because the text says `API`,
 * in this order, then in that of the links.
 */
export const linkedViewers = ({ base }: GatherContext, pages: ReadonlyArray<Page>): ReadonlyArray<string> => {
  const known = new Set(pages.flatMap(({ answer, url }) => [pageKey(url), pageKey(answer.asked.url)]))
  const ranks = new Map<string, { readonly url: string; readonly rank: number }>()
  for (const link of pages.flatMap(({ links }) => links)) {
    const rank = rankOf(link)
    if (rank === null || !onSite(link.url, base.site)) continue
    const key = pageKey(link.url)
    const before = ranks.get(key)
    if (!known.has(key) && (before === undefined || rank < before.rank)) ranks.set(key, { url: link.url, rank })
  }
  return [...ranks.values()]
    .sort((one, other) => one.rank - other.rank)
    .slice(0, OPENED)
    .map(({ url }) => url)
}

const rankOf = ({ rel, text, url }: PageLink): number | null => {
  const { pathname, search } = new URL(url)
  const byQuery = VIEWER_QUERY.test(search)
  const path = search === "" || byQuery ? url.slice(0, url.length - search.length) : url
  if (rel.includes("nofollow") || judgeAddress(path) !== "page" || isAsideAddress(url)) return null
  const folder = pathname.split("/").findLast((segment) => segment !== "" && !/^index\.\w{2,5}$/i.test(segment)) ?? ""
  if (byQuery || VIEWER_FOLDER.test(folder)) return 0
  if (VIEWER_NAME.test(text.slice(0, SHORT_TEXT))) return 1
  return text.length <= SHORT_TEXT && API.test(text) ? 2 : null
}
