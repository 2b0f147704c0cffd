import { gzipSync } from "node:zlib"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect } from "vitest"
import { readPage } from "../../../engine/page/read/ReadPage.ts"
import { robots as robotsDerivation } from "../../../engine/site/wellknown/Robots.ts"
import { gatherSitemaps } from "../../../engine/site/wellknown/Sitemap.ts"
import { parseLastmod, parseSitemap } from "../../../engine/site/wellknown/SitemapDocument.ts"
import { answerOf, type FakeOptions, fakeContext, HONEST, ORIGIN, type Replies } from "../FakeContext.ts"
import { cpuMs } from "../../harness/CpuTime.ts"

const NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
const urlset = (locations: ReadonlyArray<string>, lastmod = "") =>
  `<?xml version="1.0"?><urlset ${NS}>${locations.map((loc) => `<url><loc>${loc}</loc>${lastmod && `<lastmod>${lastmod}</lastmod>`}</url>`).join("")}</urlset>`
const index = (locations: ReadonlyArray<string>) =>
  `<sitemapindex ${NS}>${locations.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`).join("")}</sitemapindex>`

const gather = (replies: Replies, options?: FakeOptions) => {
  const site = fakeContext(replies, options)
  const robots = robotsDerivation.gather(fakeContext(replies).context, { notFoundProbe: Effect.succeed(HONEST) })
  return Effect.map(gatherSitemaps(site.context, { notFoundProbe: Effect.succeed(HONEST), robots }), (sitemaps) => ({
    sitemaps,
    ...site
  }))
}

const read = (text: string) => parseSitemap(text, 1_000)

describe("one file", () => {
  it("reads locations and dates, white space around and CDATA in them, and no extension's", () => {
    const document = read(`<urlset ${NS} xmlns:image="i"><url>
      <loc> https://x.test/a?b=1&amp;c=2 </loc><image:image><image:loc>https://x.test/i.png</image:loc></image:image><lastmod>2026-01-02</lastmod>
      </url><url><loc><![CDATA[https://x.test/b]]></loc></url></urlset>`)
    expect(document).toMatchObject({ kind: "urlset", malformed: 0, foreignNamespace: false, leadingText: false })
    expect(document.locations).toEqual([
      { loc: "https://x.test/a?b=1&c=2", lastmod: "2026-01-02" },
      { loc: "https://x.test/b", lastmod: "" }
    ])
  })

  it.each([
    [
      "a bare ampersand",
      `<urlset ${NS}><url><loc>https://x.test/?a=1&b=2</loc></url></urlset>`,
      ["https://x.test/?a=1&b=2"],
      {}
    ],
    [
      "a prefix",
      '<s:urlset xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:url><s:loc>/a</s:loc></s:url></s:urlset>',
      ["/a"],
      { foreignNamespace: false }
    ],
    [
      "another namespace",
      '<urlset xmlns="https://www.google.com/schemas/sitemap/0.84"><url><loc>/a</loc></url></urlset>',
      ["/a"],
      { foreignNamespace: true }
    ],
    ["a mark and blank lines before it", `\uFEFF\n\n${urlset(["/a"])}`, ["/a"], { leadingText: true }],
    [
      "an end that is missing, a location cut off with it",
      `<urlset ${NS}><url><loc>/a</loc></url><url><loc>/b`,
      ["/a"],
      { malformed: 3 }
    ],
    [
      "an end that is missing behind a location",
      `<urlset ${NS}><url><loc>/a</loc></url><url><loc>/b</loc>`,
      ["/a", "/b"],
      { malformed: 2 }
    ],
    [
      "an end that is missing before a location",
      `<urlset ${NS}><url><loc>/a</loc></url><url>`,
      ["/a"],
      { malformed: 2 }
    ],
    [
      "elements that close themselves",
      `<urlset ${NS}><url><loc>/a</loc><lastmod/><x:y z="1" /></url><url><loc>/b</loc></url></urlset>`,
      ["/a", "/b"],
      { malformed: 0 }
    ],
    [
      "two locations in one entry",
      `<urlset ${NS}><url><loc>/a</loc><loc>/b</loc></url><url><loc>/c</loc></url></urlset>`,
      ["/a", "/b", "/c"],
      {}
    ],
    [
      "an unclosed element",
      `<urlset ${NS}><url><loc>/a</url><url><loc>/b</loc></url></urlset>`,
      ["/a", "/b"],
      { malformed: 1 }
    ],
    [
      "entities of its own",
      `<!DOCTYPE u [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset ${NS}><url><loc>/&b;</loc></url></urlset>`,
      ["/&b;"],
      {}
    ]
  ])("with %s", (_, text, locations, expected) => {
    const document = read(text)
    expect(document.locations.map(({ loc }) => loc)).toEqual(locations)
    expect(document).toMatchObject({ kind: "urlset", ...expected })
  })

  it.each([
    ["a list of addresses", "https://x.test/a\r\nhttps://x.test/b\n\n", "text", 2],
    ["an index", index(["https://x.test/1.xml"]), "index", 1],
    ["a feed without entries", "<rss><channel/></rss>", "feed", 0],
    ["another XML document", "<html><body/></html>", "invalid", 0],
    ["prose", "There is no sitemap here.", "invalid", 0],
    ["nothing", "", "invalid", 0]
  ])("may be %s", (_, text, kind, locations) => {
    expect(read(text)).toMatchObject({ kind })
    expect(read(text).locations).toHaveLength(locations)
  })

  it("reads the pages of an RSS feed, and the dates of RFC 822", () => {
    const document =
      read(`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>News</title><link>https://x.test/</link>
      <atom:link href="https://x.test/feed" rel="self"/>
      <item><link>https://x.test/a</link><pubDate>Wed, 4 Mar 2026 05:06:07 GMT</pubDate></item>
      <item><link>https://x.test/b</link><pubDate>soon</pubDate></item><item><title>no link</title></item></channel></rss>`)
    expect(document).toMatchObject({ kind: "feed", malformed: 0, foreignNamespace: false })
    expect(document.locations).toEqual([
      { loc: "https://x.test/a", lastmod: "2026-03-04" },
      { loc: "https://x.test/b", lastmod: "soon" }
    ])
  })

  it("reads the pages of an Atom feed: an entry's first link to itself", () => {
    const document =
      read(`<feed xmlns="http://www.w3.org/2005/Atom"><link href="/"/><updated>2026-01-01T00:00:00Z</updated>
      <entry><link rel="edit" href="/edit"/><link rel="alternate" href="/a"/><link href="/a.pdf"/><updated>2026-03-04T05:06:07Z</updated></entry>
      <entry><link href="/b"/></entry></feed>`)
    expect(document).toMatchObject({ kind: "feed", malformed: 0, foreignNamespace: false })
    expect(document.locations).toEqual([
      { loc: "/a", lastmod: "2026-03-04T05:06:07Z" },
      { loc: "/b", lastmod: "" }
    ])
  })

  it("drops the last line of a list that was cut off, unless it is whole", () => {
    const list = (text: string) => parseSitemap(text, 10, true).locations.map(({ loc }) => loc)
    expect(list("https://x.test/a\nhttps://x.test/b")).toEqual(["https://x.test/a"])
    expect(list("https://x.test/a\nhttps://x.test/b\n")).toEqual(["https://x.test/a", "https://x.test/b"])
  })

  it("stops at the limit, and at depth that no sitemap has, at once", () => {
    expect(parseSitemap(urlset(["/a", "/b", "/c"]), 2)).toMatchObject({
      truncated: true,
      locations: [{ loc: "/a" }, { loc: "/b" }]
    })
    expect(parseSitemap(urlset(["/a", "/b"]), 2).truncated).toBe(false)
    const started = cpuMs()
    expect(read(`<urlset>${"<a>".repeat(2_000_000)}`).malformed).toBeGreaterThan(0)
    read(`<urlset>${"<url><loc>".repeat(200_000)}`)
    expect(cpuMs() - started).toBeLessThan(5_000)
  })

  it("finds every location again, whatever dirt is between", () => {
    const dirt = fc.constantFrom(
      "",
      "\n",
      "<!-- x -->",
      "<priority>0.5</priority>",
      "<x:y/>",
      "&nbsp;",
      "&",
      "<br>",
      "]]>",
      "<?php echo 1 ?>"
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.webPath(), dirt)), (items) => {
        const paths = items.map(([path], n) => `/p${n}${path.replaceAll("&", "")}`)
        const text = `<urlset>${items.map(([, junk], n) => `${junk}<url>${junk}<loc>${paths[n]}</loc>${junk}</url>`).join("")}</urlset>`
        expect(read(text).locations.map(({ loc }) => loc)).toEqual(paths)
      })
    )
  })

  it("reads anything", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(read(text).locations.length).toBeGreaterThanOrEqual(0)
        expect(read(`<urlset><url><loc>${text}`).kind).toBe("urlset")
      })
    )
  })
})

describe("dates", () => {
  it.each([
    ["2026-03-04", "2026-03-04"],
    ["2026-03-04T05:06:07+01:00", "2026-03-04"],
    ["2026-03-04T05:06Z", "2026-03-04"],
    ["2026-03-04 05:06:07", "2026-03-04"],
    ["2026-03-04T05:06:07.890Z", "2026-03-04"],
    ["2026-03", "2026-03-01"],
    ["2026", "2026-01-01"],
    ["2026-02-30", null],
    ["2026-13-01", null],
    ["Tue, 04 Mar 2026", null],
    ["yesterday", null],
    ["", null],
    ["2026-03-04x", null]
  ])("%j is %j", (value, date) => {
    expect(parseLastmod(value)).toBe(date)
  })
})

describe("which files are asked for", () => {
  it.effect("those of robots.txt, and the audited folder's", () =>
    Effect.gen(function* () {
      const { asked, sitemaps } = yield* gather(
        {
          "/robots.txt": `Sitemap: ${ORIGIN}/maps/a.xml\nSitemap: maps/b.txt`,
          "/maps/a.xml": urlset([`${ORIGIN}/docs/a`], "2026-01-01"),
          "/maps/b.txt": `${ORIGIN}/docs/b`
        },
        { prefix: "/docs/" }
      )
      expect(asked).toEqual(["/maps/a.xml", "/maps/b.txt", "/docs/sitemap.xml"])
      expect(sitemaps.entries).toEqual([
        { url: `${ORIGIN}/docs/a`, lastmod: "2026-01-01", file: 0 },
        { url: `${ORIGIN}/docs/b`, lastmod: null, file: 1 }
      ])
      expect(sitemaps.files.map(({ source, verdict }) => [source, verdict])).toEqual([
        ["robots", "urlset"],
        ["robots", "text"],
        ["well_known", "absent"]
      ])
    })
  )

  it.effect("that beside the URL that was asked for, if it redirects into a folder", () =>
    Effect.gen(function* () {
      const { context, asked } = fakeContext(
        { "/docs/en/sitemap.xml": urlset([`${ORIGIN}/docs/en/a`]) },
        { prefix: "/docs/en/shop/" }
      )
      const robots = robotsDerivation.gather(fakeContext({}).context, { notFoundProbe: Effect.succeed(HONEST) })
      const sitemaps = yield* gatherSitemaps(
        { ...context, base: { ...context.base, audited: `${ORIGIN}/docs/en/` } },
        { notFoundProbe: Effect.succeed(HONEST), robots }
      )
      expect(asked).toEqual(["/sitemap.xml", "/docs/en/shop/sitemap.xml", "/docs/en/sitemap.xml"])
      expect(sitemaps.entries.map(({ url }) => url)).toEqual([`${ORIGIN}/docs/en/a`])
    })
  )

  it.effect("none on the host that redirected to this one", () =>
    Effect.gen(function* () {
      const { context, asked } = fakeContext({})
      const robots = robotsDerivation.gather(fakeContext({}).context, { notFoundProbe: Effect.succeed(HONEST) })
      yield* gatherSitemaps(
        { ...context, base: { ...context.base, audited: "https://example.com/docs/" } },
        { notFoundProbe: Effect.succeed(HONEST), robots }
      )
      expect(asked).toEqual(["/sitemap.xml", "/sitemap_index.xml", "/sitemap-index.xml"])
    })
  )

  it.effect("those that the audited page links to, on its site", () =>
    Effect.gen(function* () {
      const links = "<link rel=sitemap href=/maps/pages.xml><link rel=sitemap href=https://elsewhere.test/sitemap.xml>"
      const { asked, context } = fakeContext({ "/maps/pages.xml": urlset(["/a"]) })
      const page = readPage({ answer: answerOf(`${ORIGIN}/`, `<!doctype html>${links}<main>Docs</main>`) })
      const robots = robotsDerivation.gather(fakeContext({}).context, { notFoundProbe: Effect.succeed(HONEST) })
      const sitemaps = yield* gatherSitemaps(
        { ...context, base: { ...context.base, page } },
        { notFoundProbe: Effect.succeed(HONEST), robots }
      )
      expect(asked).toEqual(["/maps/pages.xml", "/sitemap.xml"])
      expect(sitemaps.files.map(({ source, verdict }) => [source, verdict])).toEqual([
        ["page", "urlset"],
        ["well_known", "absent"]
      ])
    })
  )

  it.effect("a feed that robots.txt names is a sitemap", () =>
    Effect.gen(function* () {
      const { asked, sitemaps } = yield* gather({
        "/robots.txt": "Sitemap: /feed.xml",
        "/feed.xml": "<rss><channel><item><link>/a</link></item></channel></rss>"
      })
      expect(asked).toEqual(["/feed.xml", "/sitemap.xml"])
      expect(sitemaps.files.map(({ verdict }) => verdict)).toEqual(["feed", "absent"])
      expect(sitemaps.entries).toEqual([{ url: `${ORIGIN}/a`, lastmod: null, file: 0 }])
      expect(sitemaps.dirt.namespace).toBe(0)
    })
  )

  it.effect("the well-known ones where robots.txt names none; the index where those are not there", () =>
    Effect.gen(function* () {
      expect((yield* gather({ "/sitemap.xml": urlset(["/a"]) })).asked).toEqual(["/sitemap.xml"])
      expect((yield* gather({})).asked).toEqual(["/sitemap.xml", "/sitemap_index.xml", "/sitemap-index.xml"])
      const broken = yield* gather(
        { "/robots.txt": "Sitemap: /gone.xml", "/sitemap.xml": urlset(["/a"]) },
        { prefix: "/docs/" }
      )
      expect(broken.asked).toEqual([
        "/gone.xml",
        "/docs/sitemap.xml",
        "/sitemap.xml",
        "/sitemap_index.xml",
        "/sitemap-index.xml"
      ])
      expect(broken.sitemaps.entries).toHaveLength(1)
    })
  )

  it.effect("the origin's own where robots.txt names only another host's", () =>
    Effect.gen(function* () {
      const www = "https://www.example.com"
      const robots = { "/robots.txt": `Sitemap: ${www}/sitemap.xml` }
      const pages = urlset([`${www}/a`])
      const asked = (replies: Replies) =>
        Effect.map(gather({ ...robots, ...replies }, { prefix: "/docs/" }), (gathered) => gathered.asked)
      const copied = yield* gather(
        { ...robots, [`${www}/sitemap.xml`]: pages, "/sitemap.xml": urlset(["/docs/a"]) },
        { prefix: "/docs/" }
      )
      expect(copied.asked).toEqual([`${www}/sitemap.xml`, "/docs/sitemap.xml", "/sitemap.xml"])
      expect(copied.sitemaps.entries.map(({ url }) => url)).toEqual([`${ORIGIN}/docs/a`])
      expect(yield* asked({ [`${www}/sitemap.xml`]: index([`${www}/1.xml`]), [`${www}/1.xml`]: pages })).toEqual([
        `${www}/sitemap.xml`,
        "/docs/sitemap.xml",
        "/sitemap.xml",
        `${www}/1.xml`
      ])
      expect(yield* asked({ [`${www}/sitemap.xml`]: urlset([`${www}/a`, `${ORIGIN}/a`]) })).toEqual([
        `${www}/sitemap.xml`,
        "/docs/sitemap.xml"
      ])
      expect(yield* asked({ [`${www}/sitemap.xml`]: index([`${ORIGIN}/1.xml`]), "/1.xml": urlset(["/a"]) })).toEqual([
        `${www}/sitemap.xml`,
        "/docs/sitemap.xml",
        "/1.xml"
      ])
    })
  )

  it.effect("files of indexes, the audited folder's first, no more than the limit, each once, two levels deep", () =>
    Effect.gen(function* () {
      const { asked, sitemaps } = yield* gather(
        {
          "/sitemap.xml": index(["/blog.xml", "/shop.xml", "/docs.xml", "/sitemap.xml"]),
          "/docs.xml": index(["/docs/1.xml"]),
          "/docs/1.xml": urlset(["/docs/a"]),
          "/blog.xml": urlset(["/blog/b"])
        },
        { prefix: "/docs/", limits: { sitemapFiles: 4 } }
      )
      expect(asked).toEqual(["/sitemap.xml", "/docs/sitemap.xml", "/docs.xml", "/blog.xml", "/shop.xml", "/docs/1.xml"])
      expect(sitemaps.entries.map(({ url }) => url)).toEqual([`${ORIGIN}/blog/b`, `${ORIGIN}/docs/a`])
      expect(sitemaps.truncated).toBe(false)
      const tight = yield* gather(
        { "/sitemap.xml": index(["/1.xml", "/2.xml"]), "/1.xml": urlset(["/a"]) },
        { limits: { sitemapFiles: 2 } }
      )
      expect(tight.asked).toEqual(["/sitemap.xml", "/1.xml"])
      expect(tight.sitemaps.truncated).toBe(true)
    })
  )

  it.effect("none for ever: indexes that name indexes end", () =>
    Effect.gen(function* () {
      let n = 0
      const site = fakeContext({}, { otherwise: () => ({ body: index([`/${n++}.xml`]), type: "application/xml" }) })
      yield* gatherSitemaps(site.context, {
        notFoundProbe: Effect.succeed(HONEST),
        robots: robotsDerivation.gather(fakeContext({}).context, { notFoundProbe: Effect.succeed(HONEST) })
      })
      expect(site.asked).toHaveLength(3)
    })
  )

  it.effect("gzip is told by its bytes; a bomb gives nothing", () =>
    Effect.gen(function* () {
      const zipped = { body: gzipSync(urlset(["/a"])), type: "text/plain" }
      expect((yield* gather({ "/sitemap.xml": zipped })).sitemaps.entries).toHaveLength(1)
      const cut = {
        body: gzipSync(urlset(Array.from({ length: 2_000 }, (_, page) => `/${page * 7919}`))).subarray(0, 4_000)
      }
      expect((yield* gather({ "/sitemap.xml": cut })).sitemaps.entries.length).toBeGreaterThan(100)
      const bomb = { body: gzipSync(Buffer.alloc(2_000_000)) }
      const { sitemaps } = yield* gather({ "/sitemap.xml": bomb }, { limits: { documentBytes: 1_000_000 } })
      expect(sitemaps.files[0]).toMatchObject({ verdict: "invalid", locations: 0 })
    })
  )

  it.effect("a web page or an error in its place is not a sitemap, and a missing response is told", () =>
    Effect.gen(function* () {
      const { sitemaps } = yield* gather({ "/sitemap.xml": "<!doctype html><urlset>", "/sitemap_index.xml": 503 })
      expect(sitemaps.files.map(({ verdict }) => verdict)).toEqual(["absent", "unobtainable", "absent"])
    })
  )
})

describe("all files together", () => {
  it.effect("count what is wrong and keep what is not", () =>
    Effect.gen(function* () {
      const { sitemaps } = yield* gather({
        "/robots.txt": "Sitemap: /1.xml\nSitemap: /2.xml",
        "/1.xml": urlset(
          [`${ORIGIN}/a`, "/b", "https://www.example.com/c", "", "mailto:x@y.z", `${ORIGIN}/a#top`],
          "soon"
        ),
        "/2.xml": `\n${urlset([`${ORIGIN}/b`, `${ORIGIN}/d`]).replace(NS, "")}`
      })
      expect(sitemaps.entries.map(({ url, lastmod, file }) => [url.slice(ORIGIN.length), lastmod, file])).toEqual([
        ["/a", null, 0],
        ["/b", null, 0],
        ["/d", null, 1]
      ])
      expect(sitemaps.dirt).toEqual({
        namespace: 1,
        leading: 1,
        malformed: 0,
        relative: 1,
        otherHost: 1,
        duplicates: 2,
        badDates: 2,
        badAddresses: 2,
        overlong: 0
      })
    })
  )

  it.effect("hold no more entries than the limit", () =>
    Effect.gen(function* () {
      const files = {
        "/robots.txt": "Sitemap: /1.xml\nSitemap: /2.xml",
        "/1.xml": urlset(["/a", "/b"]),
        "/2.xml": urlset(["/c", "/d"])
      }
      const { sitemaps } = yield* gather(files, { limits: { sitemapEntries: 3 } })
      expect(sitemaps.entries).toHaveLength(3)
      expect(sitemaps.truncated).toBe(true)
    })
  )
})
