import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import type { GatherContext } from "../../../engine/site/base/Derivation.ts"
import type { LlmsTxt } from "../../../engine/site/wellknown/LlmsTxt.ts"
import type { Page } from "../../../engine/page/Page.ts"
import { readPage } from "../../../engine/page/read/ReadPage.ts"
import { gatherReferencePages } from "../../../engine/site/topics/PageSearch.ts"
import { gatherSample } from "../../../engine/site/sample/Sample.ts"
import type { Sitemaps } from "../../../engine/site/wellknown/Sitemap.ts"
import { gatherTopicPages } from "../../../engine/site/topics/TopicPages.ts"
import { answerOf, fakeContext, ORIGIN, type Replies, type Reply } from "../FakeContext.ts"

const NO_LLMS: LlmsTxt = { candidates: [], preferred: [], file: null, nested: [], missing: [] }

const NO_DIRT = {
  namespace: 0,
  leading: 0,
  malformed: 0,
  relative: 0,
  otherHost: 0,
  duplicates: 0,
  badDates: 0,
  badAddresses: 0,
  overlong: 0
}

const sitemapOf = (...paths: ReadonlyArray<string>): Sitemaps => ({
  files: [],
  entries: paths.map((path) => ({ url: `${ORIGIN}${path}`, lastmod: null, file: 0 })),
  dirt: NO_DIRT,
  truncated: false,
  missing: []
})

const linksTo = (...paths: ReadonlyArray<string>): string =>
  `<!doctype html><main>${paths.map((path) => `<p><a href="${path}">${path}</a></p>`).join("")}</main>`

/** A context that reads pages, each in as many turns of the scheduler as `turns` says of its path, with a base page that was read already. */
const reading = (home: string, replies: Replies, turns: (path: string) => number) => {
  const { asked, context } = fakeContext(replies)
  const exchange = answerOf(`${ORIGIN}/`, home)
  const whole: GatherContext = {
    ...context,
    base: { ...context.base, exchange, page: readPage({ answer: exchange }) },
    parsing: {
      ...context.parsing,
      page: (input) =>
        Effect.as(
          Effect.repeat(Effect.yieldNow, { times: turns(new URL(input.answer.asked.url).pathname) }),
          readPage(input)
        )
    }
  }
  return { asked, context: whole }
}

const sampleOf = (
  home: string,
  replies: Replies,
  sitemaps: Sitemaps = sitemapOf(),
  size = 20,
  turns: (path: string) => number = () => 0
) => {
  const { asked, context } = reading(home, replies, turns)
  const opened: Array<ReadonlyArray<string>> = []
  const open = (pages: ReadonlyArray<Page>): void => {
    opened.push(pages.map(({ url }) => url.slice(ORIGIN.length)))
  }
  return Effect.map(gatherSample(context, { llmsTxt: NO_LLMS, sitemaps, size }, open), (sample) => ({
    asked,
    context,
    opened,
    sample,
    visited: sample.visits.map(({ candidate }) => candidate.url.slice(ORIGIN.length))
  }))
}

const PAGE = "<!doctype html><main><h1>Page</h1><p>What a reader wants to know.</p></main>"

const TEXT = "What a reader of the note API wants to know. ".repeat(5)

describe("gathering the sample", () => {
  it.effect("reads the pages of closed menus, but none that a link tells it not to follow", () =>
    Effect.gen(function* () {
      const menu = "<ul style='display:none'><li><a href=/a>A</a><li><a href=/trap rel=nofollow>B</a></ul>"
      const { asked } = yield* sampleOf(`<!doctype html><nav>${menu}</nav><main>${TEXT}</main>`, { "/a": PAGE })
      expect(asked).toEqual(["/a"])
    })
  )

  it.effect("follows the menus of a frameset and leaves them out", () =>
    Effect.gen(function* () {
      const { sample, visited } = yield* sampleOf(
        "<!doctype html><frameset><frame src=/menu><frame src=/start></frameset>",
        {
          "/menu": "<!doctype html><ul><li><a href=/a target=main>A</a><li><a href=/b target=main>B</a></ul>",
          "/start": PAGE,
          "/a": PAGE,
          "/b": PAGE
        }
      )
      expect([visited, sample.excluded]).toEqual([["/", "/a", "/b", "/start"], { listing: 1 }])
    })
  )

  it.effect("does not fetch the base again, and keeps what failed", () =>
    Effect.gen(function* () {
      const { asked, sample, visited } = yield* sampleOf(linksTo("/a", "/b", "/c"), {
        "/a": PAGE,
        "/b": 404,
        "/c": null
      })
      expect(asked).toEqual(["/a", "/b", "/c"])
      expect(visited).toEqual(["/", "/a", "/b", "/c"])
      expect(sample.pages.map(({ url }) => url)).toEqual([`${ORIGIN}/`, `${ORIGIN}/a`])
      expect(sample.visits.map(({ page }) => page === null)).toEqual([false, false, true, true])
    })
  )

  it.effect("opens with the first five pages, whatever order they come in, and whatever comes after them", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 9 }, (_, n) => `/p${n}`)
      const replies: Replies = {
        ...Object.fromEntries(names.map((name) => [name, PAGE])),
        "/p1": 404,
        "/p2": { body: PAGE, url: `${ORIGIN}/p0` }
      }
      const backwards = (path: string) => 100 - 10 * Number(path.slice(2))
      const { opened, sample } = yield* sampleOf(linksTo(), replies, sitemapOf(...names), 20, backwards)
      expect(opened).toEqual([["/", "/p0", "/p3", "/p4", "/p5"]])
      expect(sample.pages.map(({ url }) => url.slice(ORIGIN.length)).slice(0, 5)).toEqual(opened[0])
    })
  )

  it.effect("opens with all pages where there are fewer", () =>
    Effect.gen(function* () {
      const { opened } = yield* sampleOf(linksTo("/a", "/b"), { "/a": PAGE, "/b": 404 })
      expect(opened).toEqual([["/", "/a"]])
    })
  )

  it.effect("follows links where there are few candidates, for three rounds at most", () =>
    Effect.gen(function* () {
      const chain = Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`/p${n}`, linksTo(`/p${n + 1}`)]))
      const { asked, visited } = yield* sampleOf(linksTo("/p0"), chain)
      expect(visited).toEqual(["/", "/p0", "/p1", "/p2", "/p3"])
      expect(asked).toEqual(visited.slice(1))
    })
  )

  it.effect("does not follow links where there are ten", () =>
    Effect.gen(function* () {
      const nine = Array.from({ length: 9 }, (_, n) => `/p${n}`)
      const { visited } = yield* sampleOf(linksTo("/p0"), { "/p0": linksTo("/elsewhere") }, sitemapOf(...nine))
      expect(visited).toEqual(["/", ...nine])
    })
  )

  it.effect("asks for no more addresses than the sample is large", () =>
    Effect.gen(function* () {
      const shelf = Array.from({ length: 30 }, (_, n) => `/shelf${String(n).padStart(2, "0")}`)
      const { asked, visited } = yield* sampleOf(
        linksTo("/x", "/y", "/z"),
        { "/z": linksTo(...shelf) },
        sitemapOf(),
        10
      )
      expect(asked.length).toBeLessThanOrEqual(10)
      expect(visited.length).toBeGreaterThan(5)
    })
  )

  it.effect("has each page once, by final address and by canonical", () =>
    Effect.gen(function* () {
      const { sample, visited } = yield* sampleOf(linksTo("/a", "/b", "/c"), {
        "/a": PAGE,
        "/b": { body: PAGE, url: `${ORIGIN}/a` },
        "/c": PAGE.replace("<main>", "<link rel=canonical href=/a><main>")
      })
      expect(visited).toEqual(["/", "/a"])
      expect(sample.duplicates).toBe(2)
    })
  )

  it.effect("counts a page and the file that it is served from once, and other pages of that name twice", () =>
    Effect.gen(function* () {
      const { sample } = yield* sampleOf(linksTo("/terms", "/terms.html", "/keys", "/keys.html"), {
        "/terms": PAGE,
        "/terms.html": PAGE,
        "/keys": PAGE,
        "/keys.html": `${PAGE}<p>More.</p>`
      })
      expect(sample.duplicates).toBe(1)
      expect(sample.pages).toHaveLength(4)
    })
  )

  it.effect("takes a page with the base's bytes for the base", () =>
    Effect.gen(function* () {
      const home = linksTo("/a", "/home")
      const { sample, visited } = yield* sampleOf(home, { "/a": PAGE, "/home": home })
      expect(visited).toEqual(["/", "/a"])
      expect(sample.duplicates).toBe(1)
    })
  )

  it.effect("has every page of a site that sends the same shell for all", () =>
    Effect.gen(function* () {
      const shell = `<!doctype html><nav><a href=/a>a</a> <a href=/b>b</a></nav><div id=root></div><script src=/app.js></script>`
      const { visited } = yield* sampleOf(shell, { "/a": shell, "/b": shell })
      expect(visited).toEqual(["/", "/a", "/b"])
    })
  )

  it.effect("has no files that turn out to be no pages", () =>
    Effect.gen(function* () {
      const { sample, visited } = yield* sampleOf(linksTo("/a", "/data"), {
        "/a": PAGE,
        "/data": { type: "application/json", body: "{}" }
      })
      expect(visited).toEqual(["/", "/a"])
      expect(sample.excluded).toEqual({ not_a_page: 1 })
    })
  )
})

describe("reference pages beyond the sample", () => {
  const REFERENCE = "<!doctype html><title>Orders</title><main><h1>Orders</h1><p>GET /orders</p></main>"
  const referencesOf = (home: string, replies: Replies, sitemaps: Sitemaps, size: number) =>
    Effect.gen(function* () {
      const { asked, context, sample } = yield* sampleOf(home, replies, sitemaps, size)
      const before = asked.length
      const { pages } = yield* gatherReferencePages(context, sample, 10)
      return { asked: asked.slice(before), found: pages.map(({ url }) => url.slice(ORIGIN.length)) }
    })
  const guides = Array.from({ length: 40 }, (_, n) => `/guides/${10 + n}`)
  const answering = (...paths: ReadonlyArray<string>): Replies =>
    Object.fromEntries(paths.map((path) => [path, REFERENCE]))

  it.effect("are ten of the candidates, evenly spread, where the sample has fewer than three", () =>
    Effect.gen(function* () {
      const all = Array.from({ length: 20 }, (_, n) => `/reference/${10 + n}`)
      const { asked, found } = yield* referencesOf(linksTo(), answering(...all), sitemapOf(...guides, ...all), 2)
      expect(found).toEqual(all.filter((_, n) => n % 2 === 0))
      expect(asked).toEqual(found)
    })
  )

  it.effect("are none where the sample has three", () =>
    Effect.gen(function* () {
      const all = ["/reference/a", "/reference/b", "/reference/c", "/reference/d"]
      expect((yield* referencesOf(linksTo(), answering(...all), sitemapOf(...all, "/x"), 6)).asked).toEqual([])
    })
  )

  it.effect("are found by the links in a reference index, one level deep", () =>
    Effect.gen(function* () {
      const index = `<!doctype html><title>API</title><nav><a href=/guides/10>Guide</a></nav><main><h1>API</h1>${["/orders", "/customers"].map((path) => `<a href=${path}>${path}</a>`).join(" ")}</main>`
      const deeper = REFERENCE.replace("</main>", "<a href=/deeper>deeper</a></main>")
      const { asked, found } = yield* referencesOf(
        linksTo(),
        { "/api/": index, "/orders": deeper, "/customers": PAGE, "/deeper": REFERENCE },
        sitemapOf(...guides.map((path) => path.replace("/guides", "/zguides")), "/api/"),
        3
      )
      expect(asked).toEqual(["/customers", "/orders"])
      expect(found).toEqual(["/orders"])
    })
  )

  it.effect("begin with the index where the sample does not have it", () =>
    Effect.gen(function* () {
      const index = "<!doctype html><title>API</title><main><h1>API</h1><a href=/orders>orders</a></main>"
      const { asked, found } = yield* referencesOf(
        linksTo(),
        { "/v/api": index, "/orders": REFERENCE },
        sitemapOf(...guides, "/v/api"),
        2
      )
      expect(asked).toEqual(["/v/api", "/orders"])
      expect(found).toEqual(["/v/api", "/orders"])
    })
  )
})

describe("pages named after subjects", () => {
  const subjectsOf = (home: string, replies: Replies, sitemaps: Sitemaps, size: number) =>
    Effect.gen(function* () {
      const { asked, context, sample } = yield* sampleOf(home, replies, sitemaps, size)
      const before = asked.length
      const { missing, pages } = yield* gatherTopicPages(context, { llmsTxt: NO_LLMS, sitemaps, sample })
      const paths = (all: ReadonlyArray<{ readonly url: string }>) => all.map(({ url }) => url.slice(ORIGIN.length))
      return { asked: asked.slice(before), found: paths(pages), missing: paths(missing) }
    })

  it.effect("come from hidden links too, but not from those that must not be followed", () =>
    Effect.gen(function* () {
      const menu = "<div hidden><a href=/errors rel=nofollow>Errors</a><a href=/limits>Rate limits</a></div>"
      const home = `<!doctype html><main>${TEXT}</main>${menu}`
      const { asked } = yield* subjectsOf(home, { "/errors": PAGE, "/limits": PAGE }, sitemapOf(), 1)
      expect(asked).toEqual(["/limits"])
    })
  )

  it.effect("have the form that pages of the sample have, where a text links to another", () =>
    Effect.gen(function* () {
      const files = "abcdefghijk".split("").map((name) => `/docs/${name}.md`)
      const { asked } = yield* subjectsOf(
        linksTo(),
        { "/docs/a.md": "# A\n\nMore on [hooks](/docs/webhooks).\n", "/docs/webhooks.md": "# Webhooks\n" },
        sitemapOf(...files, "/docs/webhooks.md"),
        2
      )
      expect(asked[0]).toBe("/docs/webhooks.md")
      expect(asked).not.toContain("/docs/webhooks")
    })
  )

  it.effect("are found by address or by a link's text, beyond the sample", () =>
    Effect.gen(function* () {
      const { found } = yield* subjectsOf(
        "<!doctype html><main><a href=/help/a17>Rate limits</a> <a href=/help/b>Something else</a></main>",
        { "/help/a17": PAGE, "/guide/errors": PAGE },
        sitemapOf("/guide/errors", "/terrors-of-the-deep"),
        1
      )
      expect(found).toEqual(["/guide/errors", "/help/a17"])
    })
  )

  it.effect("are not fetched where the sample has them, or their Markdown versions", () =>
    Effect.gen(function* () {
      const { asked } = yield* subjectsOf(
        PAGE,
        { "/errors.html": PAGE, "/errors.md": "# Errors" },
        sitemapOf("/errors.html", "/errors.md"),
        5
      )
      expect(asked).toEqual([])
    })
  )

  it.effect("are two for a subject, at most, before any guide", () =>
    Effect.gen(function* () {
      const names = ["errors", "auth", "rate-limits", "retries", "pagination", "webhooks", "changelog", "glossary"]
      const all = names.flatMap((name) => [1, 2, 3].map((n) => `/g${n}/${name}`))
      const operations = Array.from({ length: 60 }, (_, n) => `/reference/${n}`)
      const { asked } = yield* subjectsOf(PAGE, {}, sitemapOf(...all, ...operations), 1)
      const first = asked.slice(0, 2 * names.length)
      expect(names.map((name) => first.filter((path) => path.endsWith(`/${name}`)).length)).toEqual(names.map(() => 2))
    })
  )

  it.effect("leave their places to guides, those that tell most first, and not to pages of single operations", () =>
    Effect.gen(function* () {
      const operations = Array.from({ length: 70 }, (_, n) => `/api-reference/orders/op${n}`)
      const guides = ["/zz/a", "/zz/b", "/guides/quickstart", "/api-reference", "/zz/installation"]
      const { asked } = yield* subjectsOf(
        "<!doctype html><main><a href=/zz/b>Getting started</a></main>",
        {},
        sitemapOf("/errors", ...operations, ...guides),
        1
      )
      expect(asked).toEqual(["/errors", "/zz/b", "/guides/quickstart", "/zz/installation", "/api-reference", "/zz/a"])
    })
  )

  it.effect("are all pages of a documentation of up to sixty, those that only its pages link to among them", () =>
    Effect.gen(function* () {
      const known = Array.from({ length: 30 }, (_, n) => `/docs/p${10 + n}`)
      const { asked } = yield* subjectsOf(
        PAGE,
        { "/docs/p10": "<!doctype html><main><h1>A</h1><a href=/docs/q>Q</a></main>", "/docs/q": PAGE },
        sitemapOf(...known),
        2
      )
      expect(new Set(asked)).toEqual(new Set([...known.slice(1), "/docs/q"]))
    })
  )

  it.effect("are the first two below a page that is named after a subject, too", () =>
    Effect.gen(function* () {
      const years = linksTo("/releases/2026", "/releases/2025", "/releases/2024")
      const operations = Array.from({ length: 70 }, (_, n) => `/api-reference/orders/op${n}`)
      const { asked } = yield* subjectsOf(PAGE, { "/releases": years }, sitemapOf("/releases", ...operations), 1)
      expect(asked).toEqual(["/releases", "/releases/2026", "/releases/2025"])
    })
  )

  it.effect("are forty of a documentation of more, or as many as the budget of bytes holds, and ten at least", () =>
    Effect.gen(function* () {
      const known = sitemapOf(...Array.from({ length: 90 }, (_, n) => `/docs/p${10 + n}`))
      const sizedTo = (kilobytes: number) =>
        Effect.map(subjectsOf(PAGE + " ".repeat(1_024 * kilobytes), {}, known, 1), ({ asked }) => asked.length)
      expect([yield* sizedTo(1), yield* sizedTo(300), yield* sizedTo(2_000)]).toEqual([40, 20, 10])
    })
  )

  it.effect(
    "leave open what the ten most telling may say if our budget leaves them out, and what any may say that gives no answer in time",
    () =>
      Effect.gen(function* () {
        const guides = Array.from({ length: 90 }, (_, n) => `/docs/p${10 + n}`)
        const missingIf = (reply: Reply) =>
          Effect.map(
            subjectsOf(PAGE, Object.fromEntries(guides.map((path) => [path, reply])), sitemapOf(...guides), 1),
            ({ missing }) => missing.length
          )
        expect([yield* missingIf({ fault: "budget" }), yield* missingIf({ fault: "not_recorded" })]).toEqual([10, 10])
        // A time-out of theirs, or the end of our time.
        expect([yield* missingIf(null), yield* missingIf({ fault: "deadline" })]).toEqual([40, 40])
      })
  )

  it.effect("are no pages that say they are not there", () =>
    Effect.gen(function* () {
      const { found } = yield* subjectsOf(
        PAGE,
        { "/errors": "<!doctype html><h1>Page not found</h1>" },
        sitemapOf("/errors"),
        1
      )
      expect(found).toEqual([])
    })
  )
})
