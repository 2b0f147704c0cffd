import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { gatherFullText } from "../../../engine/site/wellknown/FullText.ts"
import { gatherLlmsTxt } from "../../../engine/site/wellknown/LlmsTxt.ts"
import { type FakeOptions, fakeContext, HONEST, ORIGIN, type Replies } from "../FakeContext.ts"

const notFoundProbe = Effect.succeed(HONEST)
const FULL = "# Everything\n\n" + "All the words of all the pages. ".repeat(50)

const gather = (replies: Replies, options?: FakeOptions) => {
  const site = fakeContext(replies, options)
  const llms = gatherLlmsTxt(fakeContext(replies, options).context, { notFoundProbe })
  return Effect.map(gatherFullText(site.context, { notFoundProbe, llmsTxt: llms }), (fullText) => ({
    fullText,
    ...site
  }))
}

const verdicts = (found: Effect.Success<ReturnType<typeof gather>>) =>
  found.fullText.attempts.map(({ url, source, verdict }) => [url.slice(ORIGIN.length), source, verdict])

describe("aggregates", () => {
  it.effect("are looked for at the origin and below the base, each text kept once", () =>
    Effect.gen(function* () {
      const found = yield* gather({ "/llms-full.txt": FULL, "/docs/llms-full.txt": FULL }, { prefix: "/docs/" })
      expect(found.asked).toEqual(["/llms-full.txt", "/docs/llms-full.txt"])
      expect(found.fullText.files.map(({ url, source }) => [url, source])).toEqual([
        [`${ORIGIN}/llms-full.txt`, "well_known"]
      ])
    })
  )

  it.effect("are read up to the last line before five million characters, and say so", () =>
    Effect.gen(function* () {
      const line = "All the words of all the pages.\n"
      const {
        fullText: {
          files: [long]
        }
      } = yield* gather({ "/llms-full.txt": line.repeat(170_000) })
      expect([long?.textCut, long?.text.length]).toEqual([true, line.length * Math.floor(5_000_000 / line.length)])
      const {
        fullText: {
          files: [short]
        }
      } = yield* gather({ "/llms-full.txt": FULL })
      expect([short?.textCut, short?.text]).toEqual([false, FULL])
    })
  )

  it.effect("are more than a kilobyte of text: no shell, no error, no stub", () =>
    Effect.gen(function* () {
      const shell = { body: `<!doctype html><title>Docs</title>${FULL}`, type: "text/plain" }
      const found = yield* gather(
        {
          "/llms-full.txt": shell,
          "/llms-ctx-full.txt": "# Soon",
          "/docs/llms-full.txt": "404. Page not found",
          "/docs/llms-ctx-full.txt": 503
        },
        { prefix: "/docs/" }
      )
      expect(verdicts(found)).toEqual([
        ["/llms-full.txt", "well_known", "html"],
        ["/docs/llms-full.txt", "well_known", "soft_404"],
        ["/llms-ctx-full.txt", "well_known", "small"],
        ["/docs/llms-ctx-full.txt", "well_known", "unobtainable"]
      ])
      expect(found.fullText.files).toEqual([])
    })
  )

  it.effect("may be the context file of llmstxt.org, named or not", () =>
    Effect.gen(function* () {
      const unnamed = yield* gather({ "/llms-ctx-full.txt": FULL })
      expect(verdicts(unnamed)).toEqual([
        ["/llms-full.txt", "well_known", "missing"],
        ["/llms-ctx-full.txt", "well_known", "found"]
      ])
      const named = yield* gather({
        "/llms.txt": "# A\n\n## B\n\n- [All](/llms-ctx-full.txt)\n",
        "/llms-ctx-full.txt": FULL
      })
      expect(verdicts(named)).toEqual(verdicts(unnamed))
    })
  )

  it.effect("are followed where llms.txt names them by name or by text, on the site only, two at most", () =>
    Effect.gen(function* () {
      const found = yield* gather({
        "/llms.txt": [
          "# A",
          "## Docs",
          "- [Full documentation](/everything.txt)",
          "- [Guide](/guide.md): the full story",
          "- [Complete docs](https://other.test/full.txt)",
          "- [Text](/docs-full.md)",
          "- [Complete docs](/complete.html)",
          "- [Install](/install-all-packages.md)",
          "- [Full text search](/search.md)",
          "- [Full example](/full-example.md)",
          "- [Whole manual](/c.txt)",
          "- [Everything](/acme-llms-ctx.txt)"
        ].join("\n"),
        "/everything.txt": FULL,
        "/docs-full.md": `${FULL} And more.`
      })
      expect(found.asked).toEqual(["/llms-full.txt", "/everything.txt", "/docs-full.md"])
      expect(found.fullText.files.map(({ source }) => source)).toEqual(["llms_txt", "llms_txt"])
    })
  )

  const isFollowed = (link: string, path: string) =>
    Effect.map(
      gather({ "/llms.txt": `# A\n\n## Docs\n\n- ${link}\n`, [path]: FULL }, { prefix: "/docs/" }),
      ({ asked }) => asked.includes(path)
    )

  it.effect.each([
    ["[Single-file executable](/docs/bundler/executables.md)", "/docs/bundler/executables.md"],
    ["[All-in-one container](/deploy/all-in-one.md)", "/deploy/all-in-one.md"],
    ["[All in one](/all-in-one.md)", "/all-in-one.md"],
    ["[Complete upload](/reference/uploads/complete.md)", "/reference/uploads/complete.md"],
    ["[Promise.all](/reference/promise/all.md)", "/reference/promise/all.md"],
    ["[Context](/docs/reference/ctx.md)", "/docs/reference/ctx.md"],
    ["[Upload one file](/docs/upload.txt)", "/docs/upload.txt"]
  ] as const)("are not an ordinary page with a name or text like theirs: %s", ([link, path]) =>
    Effect.gen(function* () {
      expect(yield* isFollowed(link, path)).toBe(false)
    })
  )

  it.effect.each([
    ["[All](/all.md)", "/all.md"],
    ["[Complete](/docs/complete.md)", "/docs/complete.md"],
    ["[All](/build/all.txt)", "/build/all.txt"],
    ["[All documentation](/build/all.md)", "/build/all.md"],
    ["[Everything](/build/complete.md)", "/build/complete.md"],
    ["[All-in-one docs](/deploy/book.md)", "/deploy/book.md"],
    ["[All pages in a single file](/build/book.md)", "/build/book.md"],
    ["[Everything in one file](/build/book.txt)", "/build/book.txt"],
    ["[Text](/build/docs-full.md)", "/build/docs-full.md"],
    ["[Text](/build/docs-all-in-one.md)", "/build/docs-all-in-one.md"]
  ] as const)("are a file of all pages by its name or text: %s", ([link, path]) =>
    Effect.gen(function* () {
      expect(yield* isFollowed(link, path)).toBe(true)
    })
  )
})
