import { headersFor, parseHeaders } from "../../evidence/folder/HeadersFile.ts"
import { headerIn } from "../../evidence/Headers.ts"
import { type HostRules, isSafeLink, RULES_BEGIN, RULES_END } from "./HostRules.ts"

/** A `_headers` file with the same headers for every path. */
export const headersText = ({ link, rewrites }: HostRules): string =>
  `${RULES_BEGIN}\n/*\n${link === null ? "" : `  Link: ${link}\n`}${rewrites.length === 0 ? "" : "  Vary: Accept\n"}${RULES_END}\n`

/** The `Link` header that a `_headers` file sets, and whether it sets `Vary: Accept`; `null` if it sets another. */
export const headersRead = (text: string): { readonly link: string | null; readonly varies: boolean } | null => {
  const set = headersFor(parseHeaders(text), "/any/page")
  const link = headerIn(set, "link")
  return link !== null && !isSafeLink(link) ? null : { link, varies: headerIn(set, "vary") === "Accept" }
}
