import * as Effect from "effect/Effect"
import { plainForm, siteOf } from "../../evidence/Address.ts"
import { RANK, type Spender } from "../../evidence/AuditBudget.ts"
import type { Collector } from "../../evidence/Collector.ts"
import { type Exchange, isOk } from "../../evidence/Exchange.ts"
import type { Base, BaseAddress } from "./Derivation.ts"
import type { Page } from "../../page/Page.ts"
import type { ParserPool } from "../../parse/ParserPool.ts"
import { folderOf } from "../../text/UrlPath.ts"

/** Redirects of any kind that are followed from the audited URL. */
const REDIRECTS = 3

/** What the way to the base page may fetch. */
export const baseSpender: Spender = {
  collector: "site/base",
  // The audited URL (1), and what each redirect by meta refresh or script leads to (3).
  budget: { requests: 1 + REDIRECTS, megabytes: 8 },
  rank: RANK.sample
}

/** What asking for `R/robots.txt` may fetch. An audit asks for it before the code that reads the answer is loaded. */
export const robotsSpender = {
  collector: "site/robots",
  // Of the host of the audited URL, and of the one that it redirects to.
  budget: { requests: 2, megabytes: 1 },
  rank: RANK.sample
} as const satisfies Spender

type Detour = Base["redirects"][number]

/** The page at a URL, and how it was reached. */
interface Reached {
  readonly exchange: Exchange
  readonly page: Page | null
  readonly redirects: ReadonlyArray<Detour>
}

const visit = Effect.fnUntraced(function* (
  collector: Collector,
  parsing: ParserPool["Service"],
  url: string
): Effect.fn.Return<Reached> {
  const exchange = yield* collector.get(url)
  const redirects = exchange.redirects.map((redirect): Detour => ({ ...redirect, kind: "http" }))
  return { exchange, page: isOk(exchange) ? yield* parsing.page({ answer: exchange }) : null, redirects }
})

/** Goes to the audited URL, which may have a query here only, and on from there, as a browser would: HTTP, meta refresh and script redirects. */
export const gatherBase = Effect.fn("Base.gather")(function* (
  collector: Collector,
  parsing: ParserPool["Service"],
  audited: string
): Effect.fn.Return<Base> {
  let reached = yield* visit(collector, parsing, audited)
  while (reached.redirects.length < REDIRECTS) {
    const { page, redirects } = reached
    if (page === null || page.redirect === null || page.redirect.url === page.url) break
    const next = yield* visit(collector, parsing, page.redirect.url)
    const detour: Detour = {
      kind: page.redirect.kind,
      url: page.url,
      status: page.answer.status,
      location: page.redirect.url
    }
    reached = { ...next, redirects: [...redirects, detour, ...next.redirects] }
  }
  return { ...placeAt(audited, reached.exchange.url), ...reached }
})

/** The base of an audit that asked for `first` and was redirected to `url`. */
export const placeAt = (first: string, url: string): BaseAddress => {
  const audited = plainForm(first.split("?", 1)[0] ?? first)
  const { origin, pathname } = new URL(url)
  const prefix = folderOf(pathname)
  return { audited, url, origin, prefix, folder: origin + prefix, site: siteOf(new URL(audited).hostname) }
}
