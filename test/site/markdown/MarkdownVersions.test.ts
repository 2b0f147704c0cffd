import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { NAMED_AGENTS } from "../../../engine/audit/agents/NamedAgents.ts"
import { notFoundProbe as probeDerivation } from "../../../engine/site/wellknown/FileVerdict.ts"
import { gatherLlmsTxt } from "../../../engine/site/wellknown/LlmsTxt.ts"
import { AGENT_ACCEPTS, gatherNegotiation } from "../../../engine/site/markdown/Negotiation.ts"
import type { Page } from "../../../engine/page/Page.ts"
import type { Sample } from "../../../engine/site/sample/Sample.ts"
import { VERSION_FORMS, versionUrl } from "../../../engine/site/markdown/VersionForm.ts"
import {
  gatherMarkdownVersions,
  markdownVersions as derivation
} from "../../../engine/site/markdown/MarkdownVersions.ts"
import { pageAt } from "../BlankPage.ts"
import { type FakeOptions, fakeContext, HONEST, ORIGIN, type Replies } from "../FakeContext.ts"

const NUMBERS = "zero alpha bravo charlie delta echoes foxtrot golfing hotel india juliett kilos limas".split(" ")

/** Words that no other page has. */
const wordsOf = (n: number) => NUMBERS.map((word) => `${word}${n}`).join(" ")
const markdownOf = (n: number) => `# Page ${n}\n\n${wordsOf(n)}\n`

const page = (path: string, n: number, parts: Partial<Page> = {}): Page =>
  pageAt(path, { title: `Page ${n} | Example`, words: wordsOf(n), ...parts })

const pages = (count: number, path = (n: number) => `/docs/p${n}`): ReadonlyArray<Page> =>
  Array.from({ length: count }, (_, n) => page(path(n), n))

const sampleOf = (visited: ReadonlyArray<Page>): Sample => ({
  visits: [],
  pages: visited,
  candidates: [],
  excluded: {},
  duplicates: 0,
  withinPrefix: true,
  missing: [],
  named: []
})

const versionsOf = (visited: ReadonlyArray<Page>, replies: Replies, options?: FakeOptions) => {
  const site = fakeContext(replies, options)
  const apart = fakeContext(replies, options)
  return Effect.gen(function* () {
    const notFoundProbe = yield* probeDerivation.gather(apart.context, {})
    const llms = yield* gatherLlmsTxt(apart.context, { notFoundProbe: Effect.succeed(HONEST) })
    const markdownVersions = yield* gatherMarkdownVersions(site.context, sampleOf(visited), llms, notFoundProbe)
    return {
      markdownVersions,
      hows: markdownVersions.pages.map(({ version }) => version?.how ?? null),
      verdicts: markdownVersions.pages.map(({ attempts }) => attempts.map(({ verdict }) => verdict)),
      ...site
    }
  })
}

const served = (count: number, path: (n: number) => string): Replies =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [path(n), markdownOf(n)]))

const versionBudget = (count: number): number =>
  typeof derivation.budget === "function" ? derivation.budget(count).requests : 0

describe("addresses", () => {
  it.each([
    ["/a/b", ["/a/b.md", "/a/b/index.md", "/a/b.html.md", "/a/b.mdx", "/a/b/index.mdx"]],
    ["/a/b/", ["/a/b.md", "/a/b/index.md", "/a/b/index.html.md", "/a/b.mdx", "/a/b/index.mdx"]],
    ["/a/b.html", ["/a/b.md", null, "/a/b.html.md", "/a/b.mdx", null]],
    ["/", ["/index.md", "/index.md", "/index.html.md", "/index.mdx", "/index.mdx"]],
    ["/a.md", [null, null, null, null, null]],
    ["/a?b=1", [null, null, null, null, null]]
  ])("of %s", (path, expected) => {
    expect(VERSION_FORMS.map((form) => versionUrl(form, ORIGIN + path)?.slice(ORIGIN.length) ?? null)).toEqual(expected)
  })
})

describe("learning", () => {
  it.effect("finds the form on four pages and asks for the others in it, and in no other", () =>
    Effect.gen(function* () {
      const { markdownVersions, asked, hows } = yield* versionsOf(
        pages(12),
        served(12, (n) => `/docs/p${n}.md`)
      )
      expect(markdownVersions.learnt).toEqual(["page.md"])
      expect(hows).toEqual(Array(12).fill("page.md"))
      expect(asked).toHaveLength(12)
      expect(new Set(asked)).toEqual(
        new Set(markdownVersions.pages.map(({ version }) => version?.url.slice(ORIGIN.length)))
      )
    })
  )

  it.effect("gives up on a site without Markdown after fourteen requests, in two rounds", () =>
    Effect.gen(function* () {
      const { markdownVersions, asked, rounds } = yield* versionsOf(pages(20), {})
      expect(markdownVersions.learnt).toEqual([])
      expect(asked).toHaveLength(14)
      expect(rounds()).toBe(2)
    })
  )

  it.effect.each([
    ["page/index.md", (n: number) => `/docs/p${n}/index.md`],
    ["page.html.md", (n: number) => `/docs/p${n}.html.md`],
    ["page.mdx", (n: number) => `/docs/p${n}.mdx`]
  ] as const)("knows %s", ([form, path]) =>
    Effect.gen(function* () {
      const { hows } = yield* versionsOf(pages(6), served(6, path))
      expect(hows).toEqual(Array(6).fill(form))
    })
  )

  it.effect("finds the versions of one section where the others have none", () =>
    Effect.gen(function* () {
      const sections = ["aa", "bb", "cc", "dd"]
      const path = (n: number) => `/${sections[Math.floor(n / 5)]}/p${n}/`
      const { asked, hows } = yield* versionsOf(
        pages(20, path),
        Object.fromEntries([5, 6, 7, 8, 9].map((n) => [`${path(n)}index.md`, markdownOf(n)]))
      )
      expect(hows.flatMap((how, n) => (how === null ? [] : [n]))).toEqual([5, 6, 7, 8, 9])
      expect(asked.length).toBeLessThanOrEqual(55)
    })
  )

  it.effect("learns apart how files and how folders have their versions", () =>
    Effect.gen(function* () {
      const path = (n: number) => (n < 8 ? `/reference/f${n}.html` : `/blog/a${n}/`)
      const { hows } = yield* versionsOf(
        pages(16, path),
        served(16, (n) => (n < 8 ? `/reference/f${n}.md` : `/blog/a${n}/index.md`))
      )
      expect(hows).toEqual([...Array(8).fill("page.md"), ...Array(8).fill("page/index.md")])
    })
  )

  it.effect.each(VERSION_FORMS)("affords every page its version at %s, of whatever number of pages", (form) =>
    Effect.forEach([5, 20, 50], (count) =>
      Effect.gen(function* () {
        const path = (n: number) => `/s${n % 7}/p${n}/`
        const { asked, hows } = yield* versionsOf(
          pages(count, path),
          served(count, (n) => versionUrl(form, ORIGIN + path(n))?.slice(ORIGIN.length) ?? "")
        )
        expect(hows).toEqual(Array(count).fill(form))
        expect(asked.length).toBeLessThanOrEqual(versionBudget(count))
      })
    )
  )

  it.effect("affords forty pages without a version beside ten with one", () =>
    Effect.gen(function* () {
      const { asked, hows } = yield* versionsOf(
        pages(50, (n) => `/s${n % 7}/p${n}/`),
        Object.fromEntries(
          [0, 5, 10, 15, 20, 25, 30, 35, 40, 45].map((n) => [`/s${n % 7}/p${n}/index.md`, markdownOf(n)])
        )
      )
      expect(hows.filter((how) => how !== null)).toHaveLength(10)
      expect(asked.length).toBeLessThanOrEqual(versionBudget(50))
    })
  )

  it.effect("leaves pages without one without one", () =>
    Effect.gen(function* () {
      const { hows } = yield* versionsOf(
        pages(6),
        served(3, (n) => `/docs/p${n}.md`)
      )
      expect(hows).toEqual(["page.md", "page.md", "page.md", null, null, null])
    })
  )
})

describe("declared addresses", () => {
  const declaring = (path: string, n: number, url: string) =>
    page(path, n, {
      announcements: [{ from: "element", rel: ["alternate"], url: ORIGIN + url, type: "text/markdown" }]
    })

  it.effect("by pages come first, and need no learning", () =>
    Effect.gen(function* () {
      const { asked, hows } = yield* versionsOf(
        [declaring("/a", 0, "/raw/0"), declaring("/b", 1, "/raw/1")],
        served(2, (n) => `/raw/${n}`)
      )
      expect(asked).toEqual(["/raw/0", "/raw/1"])
      expect(hows).toEqual(["declared", "declared"])
    })
  )

  it.effect("by llms.txt count too, and teach the form", () =>
    Effect.gen(function* () {
      const { asked, hows, markdownVersions } = yield* versionsOf(pages(8), {
        "/llms.txt": "# A\n\n## B\n\n- [Page](/docs/p0.md)\n",
        ...served(8, (n) => `/docs/p${n}.md`)
      })
      expect(hows).toEqual(["declared", ...Array(7).fill("page.md")])
      expect(markdownVersions.learnt).toEqual(["page.md"])
      expect(asked).toHaveLength(8)
    })
  )

  it.effect("by llms.txt count in a folder of their own, as links or in its text", () =>
    Effect.gen(function* () {
      const { asked, hows } = yield* versionsOf(pages(3), {
        "/llms.txt": `# A\n\n## B\n\n- [Page](/raw/docs/p0.md)\n- [Page](/docs/p1): One.\n  Raw: ${ORIGIN}/raw/docs/p1.txt.\n- [Page](/docs/p2): Two.\n  Raw: ${ORIGIN}/raw/docs/p2/index.txt\n- [Notes](/raw/notes.txt)\n`,
        "/raw/docs/p0.md": markdownOf(0),
        "/raw/docs/p1.txt": markdownOf(1),
        "/raw/docs/p2/index.txt": markdownOf(2)
      })
      expect(asked).toEqual(["/raw/docs/p0.md", "/raw/docs/p1.txt", "/raw/docs/p2/index.txt"])
      expect(hows).toEqual(["declared", "declared", "declared"])
    })
  )

  it.effect("by a view-source link count where they are Markdown", () =>
    Effect.gen(function* () {
      const source = page("/a.html", 0, {
        sourceLinks: ["https://github.com/x/a.md", `${ORIGIN}/_sources/a.md.txt`, `${ORIGIN}/_sources/a.rst.txt`]
      })
      const { asked, hows } = yield* versionsOf([source], { "/_sources/a.md.txt": markdownOf(0) })
      expect(asked).toEqual(["/_sources/a.md.txt"])
      expect(hows).toEqual(["declared"])
    })
  )

  it.effect("that lead nowhere leave the learnt form to be tried", () =>
    Effect.gen(function* () {
      const dead = declaring("/docs/p9", 9, "/gone.md")
      const { hows, verdicts } = yield* versionsOf(
        [...pages(4), dead],
        served(10, (n) => `/docs/p${n}.md`)
      )
      expect(hows[4]).toBe("page.md")
      expect(verdicts[4]).toEqual(["absent", "markdown"])
    })
  )

  it.effect("that all lead nowhere do not stand in the way of learning", () =>
    Effect.gen(function* () {
      const llms = { "/llms.txt": "# A\n\n## B\n\n- [Page](/docs/p0.md)\n- [Page](/docs/p1.md)\n" }
      const { hows } = yield* versionsOf(pages(6), { ...llms, ...served(6, (n) => `/docs/p${n}/index.md`) })
      expect(hows).toEqual(Array(6).fill("page/index.md"))
    })
  )

  it.effect("shared by all pages are the Markdown version of one", () =>
    Effect.gen(function* () {
      const everything = [0, 1, 2].map(markdownOf).join("\n")
      const { hows, verdicts } = yield* versionsOf(
        [0, 1, 2].map((n) => declaring(`/${n}`, n, "/all.md")),
        { "/all.md": everything }
      )
      expect(hows).toEqual(["declared", null, null])
      expect(verdicts[1]).toContain("taken")
    })
  )
})

describe("what is no Markdown version", () => {
  it.effect.each([
    ["html", { body: "<!doctype html><p>Hi", type: "text/markdown" }],
    ["error_text", "404. Page not found\n\nSorry, the page does not exist."],
    ["foreign", "# Welcome\n\nSomething else altogether, said at some length about other matters."],
    ["absent", 404],
    ["unobtainable", 500]
  ] as const)("%s", ([verdict, reply]) =>
    Effect.gen(function* () {
      const { hows, verdicts } = yield* versionsOf([page("/a", 0)], { "/a.md": reply })
      expect(hows).toEqual([null])
      expect(verdicts[0]?.[0]).toBe(verdict)
    })
  )

  it.effect("the catch-all's Markdown", () =>
    Effect.gen(function* () {
      const { verdicts } = yield* versionsOf(
        [page("/a", 0)],
        {},
        { otherwise: { body: `# Page 0\n\n${wordsOf(0)}`, type: "text/markdown" } }
      )
      expect(new Set(verdicts.flat())).toEqual(new Set(["error_text"]))
    })
  )

  it.effect("one Markdown text for every page, but for one of them", () =>
    Effect.gen(function* () {
      const { hows } = yield* versionsOf(
        pages(4).map((each) => ({ ...each, title: "Example" })),
        served(4, (n) => `/docs/p${n}.md`),
        {}
      )
      expect(hows).toEqual(Array(4).fill("page.md"))
      const same = yield* versionsOf(
        pages(4).map((each) => ({ ...each, title: "Example" })),
        Object.fromEntries([0, 1, 2, 3].map((n) => [`/docs/p${n}.md`, "# Example\n\nWelcome."]))
      )
      expect(same.hows).toEqual(["page.md", null, null, null])
    })
  )
})

describe("a page that is Markdown itself", () => {
  it.effect("is its own Markdown version and is not requested again; an error text is none", () =>
    Effect.gen(function* () {
      const own = page("/a.md", 0, { format: "markdown" })
      const missing = page("/b.md", 1, { format: "markdown", saysNotFound: true })
      const { asked, hows } = yield* versionsOf([own, missing], {})
      expect(asked).toEqual([])
      expect(hows).toEqual(["self", null])
    })
  )
})

describe("negotiation", () => {
  it.effect("asks for Markdown and says what came", () =>
    Effect.gen(function* () {
      const site = fakeContext({
        "/docs/p0": {
          body: markdownOf(0),
          type: "text/markdown; charset=utf-8",
          headers: [
            ["vary", "Accept-Encoding"],
            ["vary", "accept"]
          ]
        },
        "/docs/p1": { body: markdownOf(1), type: "text/plain", headers: [["vary", "Accept-Encoding"]] },
        "/docs/p2": { body: "<!doctype html><p>Hi", type: "text/html" },
        "/docs/p3": 406,
        "/docs/p4": (ask) => ({
          body: ask.accept === "text/markdown" ? markdownOf(4) : "",
          type: "text/markdown",
          headers: [["vary", "*"]]
        })
      })
      const { pages: seen } = yield* gatherNegotiation(site.context, pages(5), HONEST)
      expect(new Set(site.asked).size).toBe(5)
      expect(seen.map(({ verdict, mediaType, variesByAccept }) => [verdict, mediaType, variesByAccept])).toEqual([
        ["markdown", "text/markdown", true],
        ["markdown", "text/plain", false],
        ["html", "text/html", false],
        ["absent", "text/html", false],
        ["markdown", "text/markdown", true]
      ])
    })
  )

  it.effect("asks the first two pages that return Markdown once more, as agents do", () =>
    Effect.gen(function* () {
      const literal = (number: number) => (ask: { readonly accept?: string }) => ({
        body: ask.accept === "text/markdown" ? markdownOf(number) : "<!doctype html><p>Hi",
        type: ask.accept === "text/markdown" ? "text/markdown" : "text/html"
      })
      const site = fakeContext({
        "/docs/p0": { body: "<!doctype html><p>Hi", type: "text/html" },
        "/docs/p1": literal(1),
        "/docs/p2": { body: markdownOf(2), type: "text/markdown" },
        "/docs/p3": { body: markdownOf(3), type: "text/markdown" }
      })
      const { pages: seen } = yield* gatherNegotiation(site.context, pages(4), HONEST)
      expect(seen.map(({ lists }) => lists.map(({ verdict }) => verdict))).toEqual([
        [],
        ["html", "html"],
        ["markdown", "markdown"],
        []
      ])
    })
  )

  it("asks by the lists of Claude Code and Cursor", () => {
    const published = NAMED_AGENTS.filter(({ id }) => id === "claude-code" || id === "cursor")
    expect(published.map(({ accept }) => accept)).toEqual(AGENT_ACCEPTS)
  })
})
