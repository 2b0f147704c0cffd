import type { FetchLimits } from "../evidence/FetchLimits.ts"
import type { FakeAnswer, FakeResponse, FakeSite } from "./FakeSite.ts"

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

/** Pages that a case's site gets besides its own: a sample of this many is taken although some do not answer. */
const PADDING = 13

/** A case's site with more pages like its start page, of which some did not answer. */
interface PaddedSites {
  /** Every page answers, and is like the start page. */
  readonly whole: FakeSite
  /** As many pages do not answer as another page stands for in `other`. */
  readonly missing: FakeSite
  /** What the missing pages may have been as well: pages that have none of what the start page has. */
  readonly other: FakeSite
  /** How many pages do not answer. */
  readonly count: number
}

/** How many pages are left without an answer: one in twelve, then so many that a threshold of half is crossed. */
const MISSING_COUNTS = [1, 8]

/**
 * The sites on which a plugin shows whether it handles missing responses; none where the start page of the case is no plain page. What a
 * criterion earns while pages are missing must be what it earns whatever these are, or inconclusive.
 */
export const paddedSites = (site: FakeSite): ReadonlyArray<PaddedSites> => {
  const start = htmlOf(site["/"])
  if (start === null) return []
  const paths = Array.from({ length: PADDING }, (_, index) => `/padding-${index + 1}`)
  const links = paths.map((path) => `<a href="${path}">${path}</a>`).join(" ")
  const { body, ...rest } = start
  const withLinks: FakeSite = { ...site, "/": { ...rest, body: inside(body, `<nav>${links}</nav>`) } }
  const padded = (answer: (index: number) => FakeAnswer): FakeSite => ({
    ...withLinks,
    ...Object.fromEntries(paths.map((path, index) => [path, answer(index)]))
  })
  const like = (index: number): FakeAnswer => ({
    ...rest,
    body: inside(body, `<p>Page ${index + 1} of ${PADDING}.</p>`)
  })
  return MISSING_COUNTS.map((count) => ({
    count,
    whole: padded(like),
    missing: padded((index) => (index < count ? { status: 503, body: "Try again later." } : like(index))),
    other: padded((index) => (index < count ? plainPage(index) : like(index)))
  }))
}

const htmlOf = (answer: FakeAnswer | undefined): (FakeResponse & { readonly body: string }) | null => {
  const response: FakeAnswer | undefined = typeof answer === "string" ? { body: answer } : answer
  if (response === undefined || typeof response === "function" || response instanceof Uint8Array) return null
  const { body, status = 200 } = response
  return typeof body === "string" && status === 200 && /<\w/.test(body) ? { ...response, body } : null
}

/** At the end of the page's content. */
const inside = (html: string, more: string): string => {
  const end = ["</main>", "</body>", "</html>"].map((tag) => html.lastIndexOf(tag)).find((at) => at >= 0) ?? html.length
  return `${html.slice(0, end)}${more}${html.slice(end)}`
}

const plainPage = (index: number): string =>
  `<!doctype html><html><head><title>Page ${index + 1}</title></head><body><p>Some words of page ${index + 1}, and nothing that a rule asks for; they go on for a while, so that the page has content of its own to be read.</p></body></html>`
