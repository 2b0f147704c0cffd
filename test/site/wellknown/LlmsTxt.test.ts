import { execFileSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect } from "vitest"
import type { Announcement } from "../../../engine/page/Page.ts"
import { parseLlmsTxt } from "../../../engine/page/markdown/LlmsDocument.ts"
import { gatherLlmsTxt } from "../../../engine/site/wellknown/LlmsTxt.ts"
import { CORPUS, hasCorpus } from "../../corpus/CorpusServer.ts"
import { pageAt } from "../BlankPage.ts"
import { type FakeOptions, fakeContext, HONEST, ORIGIN, type Replies } from "../FakeContext.ts"

const notFoundProbe = Effect.succeed(HONEST)

const gather = (replies: Replies, options?: FakeOptions) => {
  const site = fakeContext(replies, options)
  return Effect.map(gatherLlmsTxt(site.context, { notFoundProbe }), (llms) => ({ llms, ...site }))
}

describe("the format", () => {
  it("reads titles, sections and the links that lead items", () => {
    const document = parseLlmsTxt(
      [
        "\uFEFF# Example",
        "",
        "> Orders and",
        "> refunds.",
        "",
        "See [the site](/).",
        "",
        "## Docs",
        "",
        "- [Start](/start.md): how to [begin](/begin.md)",
        "* ✅ **[Orders](orders.md)** – all of them",
        "1. Read [this](/this.md) first",
        "  - [Nested](/nested.md)",
        "",
        "### Deeper",
        "- [Deep](<deep page.md>)",
        "",
        "> not the summary",
        "",
        "Optional",
        "---",
        "- [More](https://other.example/more)"
      ].join("\r\n")
    )
    expect(document).toMatchObject({
      titles: ["Example"],
      sections: [{ linkItems: 4 }, { linkItems: 1 }]
    })
    expect(document.links.map(({ href, leads, description }) => [href, leads, description])).toEqual([
      ["/", false, ""],
      ["/start.md", true, "how to begin"],
      ["/begin.md", false, ""],
      ["orders.md", true, "all of them"],
      ["/this.md", false, ""],
      ["/nested.md", true, ""],
      ["deep page.md", true, ""],
      ["https://other.example/more", true, ""]
    ])
  })

  it.each([
    ["several H1s", "# One\n# Version: 1\nTitle\n===\n", { titles: ["One", "Version: 1", "Title"], sections: [] }],
    ["a heading in code", "```\n# no\n```\n", { titles: [] }],
    ["links in code", "# A\n\n`[a](b)`\n", { links: [] }],
    ["no Markdown at all", "just text", { titles: [], sections: [], links: [] }],
    ["characters, not bytes or code units", "# 😀é", { characters: 4 }]
  ])("with %s", (_, text, expected) => {
    expect(parseLlmsTxt(text)).toMatchObject(expected)
  })

  it("reads anything", () => {
    const line = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("# a", "## b", "- [c](d)", "> e", "[f]: g", "```", "<a href='h'>", "|i|j|\n|-|-|")
    )
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const { links, sections } = parseLlmsTxt(lines.join("\n"))
        const counted = sections.reduce((sum, { linkItems }) => sum + linkItems, 0)
        expect(counted).toBeLessThanOrEqual(links.filter((link) => link.leads).length)
      })
    )
  })
})

describe("where it is looked for", () => {
  const FILE = "# Example\n\n## Docs\n\n- [Start](start.md)\n"

  it.effect("asks for each address once, all at once", () =>
    Effect.gen(function* () {
      const root = yield* gather({})
      expect(root.asked).toEqual(["/llms.txt", "/docs/llms.txt"])
      const docs = yield* gather({ "/docs/llms.txt": FILE }, { prefix: "/docs/" })
      expect(docs.asked).toEqual(["/llms.txt", "/docs/llms.txt"])
      expect(docs.llms.file?.links[0]).toMatchObject({ url: `${ORIGIN}/docs/start.md`, onSite: true, leads: true })
    })
  )

  it.effect("takes the first with an H1 before one that is only there", () =>
    Effect.gen(function* () {
      const { llms } = yield* gather({ "/llms.txt": "Ask our sales team.", "/api/llms.txt": FILE }, { prefix: "/api/" })
      expect(llms.file?.url).toBe(`${ORIGIN}/api/llms.txt`)
      expect(llms.nested.map(({ url }) => url)).toEqual([`${ORIGIN}/llms.txt`])
    })
  )

  it.effect("takes the file whose folder is nearest above the audited URL (llms.txt v2)", () =>
    Effect.gen(function* () {
      const files = { "/llms.txt": "# Shop\n", "/docs/llms.txt": "# Docs\n", "/docs/v2/llms.txt": "# Second version\n" }
      const titles = (prefix: string) =>
        Effect.map(gather(files, { prefix }), ({ llms }) =>
          [llms.file, ...llms.nested].map((file) => file?.document.titles[0])
        )
      expect(yield* titles("/docs/v2/")).toEqual(["Second version", "Docs", "Shop"])
      expect(yield* titles("/docs/")).toEqual(["Docs", "Shop"])
      expect(yield* titles("/docs/v1/")).toEqual(["Docs", "Shop"])
    })
  )

  it.effect("takes the file of the origin before one at /docs/ where the audited URL is not below that", () =>
    Effect.gen(function* () {
      const files = { "/llms.txt": "# Site\n", "/docs/llms.txt": "# Docs\n" }
      expect((yield* gather(files)).llms.file?.url).toBe(`${ORIGIN}/llms.txt`)
      expect((yield* gather(files, { prefix: "/documents/" })).llms.file?.url).toBe(`${ORIGIN}/llms.txt`)
    })
  )

  const namedBy = (url: string, rel = "describedby", before: ReadonlyArray<Announcement> = []) => {
    const site = fakeContext(
      {
        "/llms.txt": "# Site\n\n- [1](/1/llms.txt)\n- [2](/2/llms.txt)\n- [3](/3/llms.txt)\n- [4](/4/llms.txt)\n",
        "/kb/llms.txt":
          "# Knowledge\n\n- [1](/1/llms.txt)\n- [2](/2/llms.txt)\n- [3](/3/llms.txt)\n- [4](/4/llms.txt)\n"
      },
      {}
    )
    const announcements: ReadonlyArray<Announcement> = [...before, { from: "header", rel: [rel], url, type: "" }]
    const base = { ...site.context.base, page: pageAt("/", { announcements }) }
    return Effect.map(gatherLlmsTxt({ ...site.context, base }, { notFoundProbe }), ({ file }) => ({
      title: file?.document.titles[0],
      asked: site.asked
    }))
  }

  it.effect(
    "takes the file that the base page names by rel=describedby before all others, within the same budget",
    () =>
      Effect.gen(function* () {
        expect(yield* namedBy(`${ORIGIN}/kb/llms.txt`)).toEqual({
          title: "Knowledge",
          asked: ["/llms.txt", "/docs/llms.txt", "/kb/llms.txt", "/1/llms.txt", "/2/llms.txt", "/3/llms.txt"]
        })
      })
  )

  it.effect("takes one that is named by rel=index, but prefers one that is named by rel=describedby", () =>
    Effect.gen(function* () {
      expect(yield* namedBy(`${ORIGIN}/kb/llms.txt`, "index")).toEqual(yield* namedBy(`${ORIGIN}/kb/llms.txt`))
      const index: Announcement = {
        from: "element",
        rel: ["index"],
        url: `${ORIGIN}/1/llms.txt`,
        type: "text/markdown"
      }
      expect((yield* namedBy(`${ORIGIN}/kb/llms.txt`, "describedby", [index])).title).toBe("Knowledge")
    })
  )

  it.effect("passes over what is named and not there, no llms.txt, on another site, or by another relation", () =>
    Effect.gen(function* () {
      expect((yield* namedBy(`${ORIGIN}/gone/llms.txt`)).title).toBe("Site")
      for (const [url, rel] of [
        [`${ORIGIN}/schema.json`],
        ["https://elsewhere.net/llms.txt"],
        [`${ORIGIN}/kb/llms.txt?page=1`],
        [`${ORIGIN}/genindex.html`, "index"],
        [`${ORIGIN}/kb/llms.txt`, "related"]
      ] as const) {
        const { asked, title } = yield* namedBy(url, rel)
        expect(title).toBe("Site")
        expect(asked.slice(0, 3)).toEqual(["/llms.txt", "/docs/llms.txt", "/1/llms.txt"])
      }
    })
  )

  it.effect("passes HTML, error texts, refusals and faults over, and says which is which", () =>
    Effect.gen(function* () {
      const { llms } = yield* gather(
        {
          "/llms.txt": { body: "<!doctype html><title>x</title>", type: "text/plain" },
          "/api/llms.txt": "404. Page not found",
          "/docs/llms.txt": 503
        },
        { prefix: "/api/" }
      )
      expect(llms.candidates.map(({ verdict }) => verdict)).toEqual(["html", "soft_404", "unobtainable"])
      expect(llms.file).toBeNull()
    })
  )

  it.effect("follows at most four llms.txt files on the site, one level, each text once", () =>
    Effect.gen(function* () {
      const links = [1, 2, 3, 4, 5, 6].map((n) => `- [Part ${n}](/part${n}/llms.txt)`).join("\n")
      const { llms, asked } = yield* gather({
        "/llms.txt": `# A\n\n## Parts\n\n- [Elsewhere](https://other.test/llms.txt)\n- [Self](/llms.txt)\n${links}\n`,
        "/part1/llms.txt": "# One\n\n- [Two](/deeper/llms.txt)",
        "/part2/llms.txt": "# One\n\n- [Two](/deeper/llms.txt)",
        "/part3/llms.txt": "# Three"
      })
      expect(asked.slice(2)).toEqual([1, 2, 3, 4].map((n) => `/part${n}/llms.txt`))
      expect(llms.nested.map(({ document }) => document.titles[0])).toEqual(["One", "Three"])
    })
  )
})

/** Files of many sites, published by others, beside this repository and no part of it. */
const ARCHIVE = join(CORPUS, "llms.tar.xz")

describe.skipIf(!hasCorpus)("files as found on the web", () => {
  it("all go through", () => {
    const folder = mkdtempSync(join(tmpdir(), "docgauge-llms-"))
    execFileSync("tar", ["-xJf", ARCHIVE, "-C", folder, "--strip-components=1"])
    const files = readdirSync(folder).filter((name) => name.endsWith(".txt"))
    const read = files.map((name) => parseLlmsTxt(readFileSync(join(folder, name), "utf8")))
    rmSync(folder, { recursive: true })
    expect(files.length).toBeGreaterThan(50)
    expect(read.filter(({ titles }) => titles.length > 0).length).toBeGreaterThan(files.length / 2)
  })
})
