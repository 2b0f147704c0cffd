import { describe, expect, it } from "vitest"
import type { FakeAnswer } from "../../../engine/testing/FakeSite.ts"
import { FAKE_HOST } from "../../../engine/testing/FakeSite.ts"
import { answersAt, audited, listing, numbers, siteOf, unasked, wordsOf } from "./FlowSite.ts"

/* The longest sound flow of each part that looks for files at well-known places: nothing is left out. */

const GUIDE = numbers(6).map((n) => `/guide/p${n}`)

const guide = (more = ""): Record<string, FakeAnswer> => siteOf(GUIDE, more, "/guide/")

/** An llms.txt with a list of links, and others in a sentence. */
const llms = (title: string, links: ReadonlyArray<string>, more: ReadonlyArray<string> = []): string =>
  `# ${title}\n\n${more.map((link) => `[Product](${link})`).join(", ")}\n\n## Files\n\n${links.map((link) => `- [Part](${link}): a part\n`).join("")}`

const CANARY = "docgauge-canary-"

describe("made-up URLs", () => {
  it("are asked in a folder and at the origin, and redirect where the site sends what it does not have", async () => {
    const away = { redirect: "/guide/" }
    const { asked, skipped } = await audited({ ...guide(), "*": away, "/robots.txt": { status: 404 } }, "/guide/")
    expect(skipped).toEqual([])
    const made = asked.filter((url) => url.includes(CANARY))
    expect(made.map((url) => url.slice(0, url.indexOf(CANARY)))).toEqual(["/", "/guide/", "/guide/"])
  })
})

describe("llms.txt", () => {
  it("may be at three places and name four more files, and eight of its links are tried behind redirects", async () => {
    const places = ["/guide/llms.txt", "/llms.txt", "/docs/llms.txt"]
    const nested = numbers(4).map((n) => `/products/${n}/llms.txt`)
    const papers = numbers(12).map((n) => `/papers/${n}.pdf`)
    const { asked, factsOf, skipped } = await audited(
      {
        ...guide(),
        ...answersAt([...places, ...nested], (_, at) =>
          llms(`Product ${at}`, at === 0 ? papers : [], at === 0 ? nested : [])
        ),
        ...answersAt(papers, (path) => ({ redirect: path.replace("/papers/", "/files/") })),
        ...answersAt(
          papers.map((path) => path.replace("/papers/", "/files/")),
          () => ({ type: "application/pdf", body: "%PDF-1.7" })
        )
      },
      "/guide/"
    )
    expect(skipped).toEqual([])
    expect(unasked(asked, [...places, ...nested])).toEqual([])
    expect(asked.filter((url) => url.startsWith("/papers/"))).toHaveLength(8)
    expect(factsOf("A1")).toMatchObject({ h1: 1, links: 12, sampled_links: 8, dead_links: 0 })
  })
})

describe("a full text", () => {
  const wellKnown = ["/llms-full.txt", "/guide/llms-full.txt"]

  it("may be two files that llms.txt names, of a site with none at the well-known places", async () => {
    const files = ["/guide/api-full.txt", "/guide/docs-full.txt"]
    const { asked, factsOf, skipped } = await audited(
      {
        ...guide(),
        "/llms.txt": llms("Product", files),
        ...answersAt(files, (_, at) => `# Everything ${at}\n\n${wordsOf(at).repeat(20)}\n`)
      },
      "/guide/"
    )
    expect(skipped).toEqual([])
    expect(unasked(asked, [...wellKnown, ...files])).toEqual([])
    expect(factsOf("A2")).toMatchObject({ full_text_bytes: 0 })
    expect(factsOf("A2")?.["linked_aggregate_bytes"]).toBeGreaterThan(2_048)
  })

  it("may be a context file, at two places", async () => {
    const { asked, skipped } = await audited({ ...guide(), "/llms.txt": llms("Product", GUIDE) }, "/guide/")
    expect(skipped).toEqual([])
    expect(unasked(asked, [...wellKnown, "/llms-ctx-full.txt", "/guide/llms-ctx-full.txt"])).toEqual([])
  })
})

describe("the locations of a sitemap", () => {
  it("are tried at three that nothing else leads to, each behind a redirect", async () => {
    const others = numbers(30).map((n) => `/notes/n${n}`)
    const { asked, factsOf, skipped } = await audited(
      {
        ...guide(),
        "/robots.txt": `Sitemap: ${FAKE_HOST}/sitemap.xml`,
        "/sitemap.xml": listing("urlset", "url", [...GUIDE, ...others]),
        ...answersAt(others, (path) => ({ redirect: `${path}/` })),
        ...answersAt(
          others.map((path) => `${path}/`),
          (_, at) => `<title>Note ${at}</title><main><h1>Note ${at}</h1><p>${wordsOf(100 + at)}</p></main>`
        )
      },
      "/guide/"
    )
    expect(skipped).toEqual([])
    expect(asked.filter((url) => /^\/notes\/n\d+$/.test(url))).toHaveLength(3)
    expect(factsOf("A4")).toMatchObject({ sampled: 9, resolving: 1 })
  })
})
