import * as Effect from "effect/Effect"
import { siteOf } from "../evidence/Address.ts"
import type { Collector } from "../evidence/Evidence.ts"
import { type Exchange, isOk } from "../evidence/Exchange.ts"
import type { Base, Place } from "./Gathering.ts"
import type { Page } from "./Page.ts"
import type { Parsing } from "./Parsing.ts"

/** Redirects of any kind that are followed from the audited address. */
const REDIRECTS = 3

type Detour = Base["redirects"][number]

/** The page at an address, and how it was reached. */
interface Reached {
  readonly exchange: Exchange
  readonly page: Page | null
  readonly redirects: ReadonlyArray<Detour>
}

const visit = Effect.fnUntraced(function*(collector: Collector, parsing: Parsing["Service"], url: string): Effect.fn.Return<Reached> {
  const exchange = yield* collector.get(url)
  const redirects = exchange.redirects.map((redirect): Detour => ({ ...redirect, kind: "http" }))
  return { exchange, page: isOk(exchange) ? yield* parsing.page({ answer: exchange }) : null, redirects }
})

/** Goes to the audited address and on from there, as a browser would: HTTP, meta refresh and script redirects. */
export const gatherBase = Effect.fn("Base.gather")(function*(
  collector: Collector,
  parsing: Parsing["Service"],
  audited: string
): Effect.fn.Return<Base> {
  let reached = yield* visit(collector, parsing, audited)
  while (reached.redirects.length < REDIRECTS) {
    const { page, redirects } = reached
    if (page === null || page.redirect === null || page.redirect.url === page.url) break
    const next = yield* visit(collector, parsing, page.redirect.url)
    const detour: Detour = { kind: page.redirect.kind, url: page.url, status: page.answer.status, location: page.redirect.url }
    reached = { ...next, redirects: [...redirects, detour, ...next.redirects] }
  }
  return { ...placeAt(audited, reached.exchange.url), ...reached }
})

/** Where an audit of `audited` stands once that has led to `url`. */
export const placeAt = (audited: string, url: string): Place => {
  const { origin, pathname } = new URL(url)
  const prefix = folderOf(pathname)
  return { audited, url, origin, prefix, folder: origin + prefix, site: siteOf(new URL(audited).hostname) }
}

/** `/docs/` of `/docs`, `/docs/` and `/docs/index.html`: a last segment that ends like a page is a file, any other a folder. */
const PAGE_FILE = /\.(?:x?html?|php|aspx?|jsp|mdx?|txt)$/i

const folderOf = (path: string): string => {
  const segments = path.split("/").filter((segment) => segment !== "")
  if (!path.endsWith("/") && PAGE_FILE.test(segments.at(-1) ?? "")) segments.pop()
  return segments.length === 0 ? "/" : `/${segments.join("/")}/`
}
