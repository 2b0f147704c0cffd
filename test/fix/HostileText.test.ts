import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { filePathOf } from "../../engine/fix/site/GeneratedFile.ts"
import { headSnippet } from "../../engine/fix/files/HeadSnippet.ts"
import { markdownLine, markdownLink } from "../../engine/fix/files/Links.ts"
import { sharedTexts, sitePageOf } from "../../engine/fix/site/SitePages.ts"
import { withHead } from "../../engine/fix/overlay/HeadInsertion.ts"
import { parseLlmsTxt } from "../../engine/page/markdown/LlmsDocument.ts"
import { readMarkdown } from "../../engine/page/markdown/MarkdownReader.ts"
import { escapeMarkup } from "../../engine/text/MarkupText.ts"
import { hostile, pageOf, URL_OF_PAGE } from "./HostileTexts.ts"

describe("text of a hostile site", () => {
  test("is one link with that text in Markdown, and nothing else", () => {
    fc.assert(
      fc.property(hostile, (title) => {
        const text = `# T\n\n## S\n\n- ${markdownLink(title, URL_OF_PAGE)}: ${markdownLine(title, 200)}\n- ${markdownLink("end", "https://docs.example.com/end")}\n`
        const { links, titles } = parseLlmsTxt(text)
        expect(titles).toEqual(["T"])
        expect(readMarkdown(text).blocks.flatMap((block) => (block.kind === "heading" ? [block.text] : []))).toEqual([
          "T",
          "S"
        ])
        expect(links.map(({ href }) => href)).toEqual([URL_OF_PAGE, "https://docs.example.com/end"])
      }),
      { numRuns: 500 }
    )
  })

  test("cannot end a heading, open a fence or write HTML in Markdown", () => {
    fc.assert(
      fc.property(hostile, (title) => {
        const { blocks, links, unclosedFences } = readMarkdown(`# ${markdownLine(title, 150)}\n\nafter\n`)
        expect(unclosedFences).toBe(0)
        expect(links).toEqual([])
        expect(blocks.filter(({ kind }) => kind === "heading").length).toBe(1)
      }),
      { numRuns: 500 }
    )
  })

  test("stays in the elements of a head, and reads back as it was", () => {
    fc.assert(
      fc.property(hostile, hostile, (title, sentence) => {
        const html = `<!doctype html><html lang="en"><head></head><body><main><h1>${escapeMarkup(title)}</h1><p>${escapeMarkup(sentence)} This is a sentence that is long enough to describe a page.</p></main></body></html>`
        const page = pageOf(html)
        const snippet = headSnippet(
          sitePageOf(page, sharedTexts([]), null, { url: `${URL_OF_PAGE}index.md`, text: "", written: true }),
          { metadata: true, entryPoints: true, spec: null, site: "example.com" }
        )
        const body = withHead(page.answer.body, snippet?.text ?? "", page.charset.name)
        expect(body).not.toBeNull()
        const read = pageOf(new TextDecoder().decode(body ?? new Uint8Array()))
        expect(read.main.text).toBe(page.main.text)
        expect(read.canonical).toBe(URL_OF_PAGE)
        expect(read.structured.types.length > 0).toBe(snippet?.text.includes("application/ld+json") === true)
        expect(read.announcements.filter(({ rel }) => rel.includes("alternate")).map(({ url }) => url)).toEqual([
          `${URL_OF_PAGE}index.md`
        ])
      }),
      { numRuns: 300 }
    )
  })

  test("never leads out of the folder by a path", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          hostile,
          fc.constantFrom(
            "/../../etc/passwd",
            "/%2e%2e/x",
            "/a/%2e%2e%2fb",
            "/..%5cx",
            "/con.md",
            "/a%00b",
            ".git/config",
            "a/.gitmodules",
            "//x",
            "/a/./b"
          )
        ),
        (path) => {
          const url = URL.parse(`https://docs.example.com/${path}`)
          const file = url === null ? null : filePathOf(url.href)
          if (file === null) return
          expect(file.split("/")).not.toContain("..")
          expect(file).not.toMatch(/[\0-\x1f\\:]|^\/|\/\/|(?:^|\/)\.git/)
        }
      ),
      { numRuns: 500 }
    )
  })
})
