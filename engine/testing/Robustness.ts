import type { FetchLimits } from "../evidence/FetchLimits.ts"
import type { FakeSite } from "./FakeSite.ts"

/** A broken site with the same response for every URL. */
export interface Ordeal {
  readonly name: OrdealName
  readonly site: FakeSite
  readonly limits?: Partial<FetchLimits>
}

export type OrdealName =
  | "all 404"
  | "all hang"
  | "all 403 challenge"
  | "soft 404"
  | "all 5xx"
  | "empty bodies"
  | "huge bodies"

const page = (title: string, text: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`

const KB = 1_024

/** On these, every plugin must end without a crash and without points. */
export const ordeals: ReadonlyArray<Ordeal> = [
  { name: "all 404", site: { "*": { status: 404, body: page("Not found", "There is no such page.") } } },
  { name: "all hang", site: { "*": { delayMs: Infinity } }, limits: { firstByteMs: 1, gatherMs: 2_000 } },
  {
    name: "all 403 challenge",
    site: {
      "*": {
        status: 403,
        headers: { server: "cloudflare", "cf-mitigated": "challenge" },
        body: page(
          "Just a moment...",
          "Checking your browser before you proceed. Enable JavaScript and cookies to continue."
        )
      }
    }
  },
  {
    name: "soft 404",
    site: {
      "*": { body: page("Page not found", "Sorry, the page you are looking for does not exist."), type: "text/html" }
    }
  },
  { name: "all 5xx", site: { "*": { status: 503, body: page("Service unavailable", "Try again later.") } } },
  { name: "empty bodies", site: { "*": { body: "" } } },
  {
    name: "huge bodies",
    site: {
      "*": { body: `<!doctype html><html><body>${"<p>Words without an end. ".repeat(20_000)}`, type: "text/html" }
    },
    limits: { pageBytes: 64 * KB, documentBytes: 128 * KB }
  }
]
