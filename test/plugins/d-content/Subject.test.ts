import { describe, expect, test } from "vitest"
import type { Exchange } from "../../../engine/evidence/Exchange.ts"
import type { Article } from "../../../plugins/d-content/Article.ts"
import { phrase } from "../../../plugins/d-content/Phrase.ts"
import { isAbout, lastSegment, passageOf, placesOf } from "../../../plugins/d-content/Subject.ts"

const exchange: Exchange = {
  _tag: "Fault", asked: { method: "GET", url: "https://a.test/", accept: "*/*", agent: "docgauge" }, url: "https://a.test/", kind: "budget", message: "", redirects: []
}

const limits = { called: phrase("rate[- ]?limit(?:s|ing)?", "authentication", "errors?"), spareWords: 2 }
const about = (text: string) => isAbout(text, limits, new Set(["acme"]))

describe("a heading is about a subject", () => {
  test.each([
    "Rate limits", "3. Rate limits¶", "6.2 Rate limiting of the search endpoint", "Acme API rate limits", "How do I handle rate limits?",
    "Authentication (OAuth)", "Basic authentication", "What are the rate limits for requests?"
  ])("%s", (heading) => expect(about(heading)).toBe(true))
})

describe("a heading is not", () => {
  test.each([
    "Octokit::Authentication", "httpx-errors", "#errors ⇒ Array<Hash>", "rate_limit", "$errors", "errors(client, id)", "acme.errors.list", "Authentication-free access",
    "How alternative search products approach rate limits compared to ours", "Frame rate", "x".repeat(200) + " errors"
  ])("%s", (heading) => expect(about(heading)).toBe(false))
})

test.each([
  ["https://a.test/docs/rate-limits/index.html", "rate limits"],
  ["https://a.test/docs/errors.html.md", "errors"],
  ["https://a.test/", ""],
  ["https://a.test/en/api_keys/", "api keys"]
])("%s ends in words", (url, words) => expect(lastSegment(url)).toBe(words))

test("a page of headings takes no time", () => {
  const started = process.cpuUsage().user
  const sections = Array.from({ length: 5_000 }, (_, index) => ({ heading: "Errors", level: index % 6 === 0 ? 1 as const : 2 as const, anchor: null, path: [], text: "404: no such order here" }))
  const article: Article = {
    kind: "aggregate", url: "https://a.test/llms-full.txt", exchange, title: "", sections: [{ heading: "", level: 0, anchor: null, path: [], text: "" }, ...sections], codeBlocks: [], tables: [], definitions: [], times: []
  }
  const places = placesOf({ articles: [article], sampled: [], subjects: [], spec: null, names: new Set(), siteTitles: new Set(), tried: exchange }, limits)
  expect(places).toHaveLength(5_000)
  for (const place of places) passageOf(place)
  expect((process.cpuUsage().user - started) / 1_000).toBeLessThan(2_000)
})
