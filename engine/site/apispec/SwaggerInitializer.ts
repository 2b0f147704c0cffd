import { type Exchange, isOk } from "../../evidence/Exchange.ts"
import type { GatherContext } from "../base/GatherContext.ts"
import type { Page } from "../../page/Page.ts"
import type { SpecMention } from "./SpecMentions.ts"

const SCRIPT_BYTES = 200_000
const ADDRESSES_READ = 20

/** The sample description that Swagger UI ships with. */
const SHIPPED = /^https?:\/\/petstore\d?\.swagger\.io\//i

/**
 * Where Swagger UI's own page keeps its configuration: a script in the same folder. `null` unless a page is such a viewer and
 * does not say itself what it shows.
 */
export const initializerUrl = (context: GatherContext, pages: ReadonlyArray<Page>): string | null => {
  const page = pages.find(({ viewers }) =>
    viewers.some(({ kind, url, inline }) => kind === "swagger-ui" && url === null && inline === null)
  )
  return page === undefined ? null : context.resolve("swagger-initializer.js", page.url)
}

/** The URLs that the script sets: `url: "…"`, and each of `urls: [{ url: "…" }]`. */
export const initializerMentions = (context: GatherContext, exchange: Exchange): ReadonlyArray<SpecMention> => {
  if (!isOk(exchange) || exchange.body.byteLength > SCRIPT_BYTES) return []
  const script = new TextDecoder().decode(exchange.body)
  const hrefs = [...script.matchAll(/\burl["']?\s{0,20}:\s{0,20}["']([^"'\s]{1,500})["']/g)].map(
    (match) => match[1] ?? ""
  )
  return hrefs
    .slice(0, ADDRESSES_READ)
    .filter((href) => !SHIPPED.test(href))
    .flatMap((href) => {
      const url = context.resolve(href, exchange.url)
      return url === null ? [] : [{ url, source: "viewer" as const, by: exchange }]
    })
}
