import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { normalise } from "../../engine/evidence/Address.ts"
import { checkDocument, type MarkdownCheck } from "../page/conversion/MarkdownCheck.ts"
import { markdownOf } from "../../engine/page/conversion/ConvertPage.ts"
import { readMarkdown } from "../../engine/page/markdown/MarkdownReader.ts"
import type { Page } from "../../engine/page/Page.ts"
import { type CorpusPage, corpusPages } from "./CorpusPages.ts"
import { extractSites, hasCorpus } from "./CorpusServer.ts"
import { corpusSites } from "./CorpusSites.ts"

interface Made extends CorpusPage {
  readonly text: string
  readonly check: MarkdownCheck
}

const PAGES = 200

describe.skipIf(!hasCorpus)("Markdown made from 200 corpus pages", () => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-markdown-"))
  let pages: ReadonlyArray<CorpusPage> = []
  let made: ReadonlyArray<Made> = []
  beforeAll(async () => {
    await extractSites(join(folder, "sites"))
    pages = corpusPages(join(folder, "sites"), corpusSites(), PAGES)
    made = pages.flatMap((one) => {
      const markdown = markdownOf(one.page)
      return markdown === null
        ? []
        : [{ ...one, text: markdown.text, check: checkDocument(one.page, readMarkdown(markdown.text)) }]
    })
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }), 60_000)

  const named = ({ path, site }: CorpusPage): string => `${site}/${path}`

  it("is there for each of them", () => {
    expect(pages).toHaveLength(PAGES)
    expect(made.map(named)).toEqual(pages.map(named))
  })

  it("has at least 95% of the text segments of at least 95% of the pages, by the measure of B3", () => {
    const poor = made.filter(({ check }) => check.missing.length > 0.05 * check.segments)
    expect(poor.length, poor.map(named).join(", ")).toBeLessThanOrEqual(0.05 * PAGES)
  })

  it("closes every code fence", () => {
    expect(made.filter(({ check }) => check.openFences > 0).map(named)).toEqual([])
  })

  it("links to nothing that the page does not link to", () => {
    const foreign = made.flatMap((one) => {
      const known = targetsOf(one.page)
      return readMarkdown(one.text)
        .links.filter(({ href }) => !href.startsWith("mailto:") && !known.has(normalise(href) ?? href))
        .map(({ href }) => `${named(one)}: ${href}`)
    })
    expect(foreign).toEqual([])
  })

  it("holds the code of the page, but for line numbers", () => {
    const lost = made.flatMap((one) => {
      const { blocks } = readMarkdown(one.text)
      const fenced = new Set(
        blocks.flatMap((block) => (block.kind === "code" ? [block.text.replaceAll(/\s+/g, "")] : []))
      )
      const whole = one.text.replaceAll(/\s+/g, "")
      return one.page.codeBlocks
        .filter(({ text }) => {
          const code = text.replaceAll(/\s+/g, "")
          return !/^\d*$/.test(code) && !fenced.has(code) && !whole.includes(code.slice(0, 40))
        })
        .map(({ text }) => `${named(one)}: ${text.slice(0, 60)}`)
    })
    expect(lost.length, lost.slice(0, 20).join("\n")).toBeLessThanOrEqual(
      0.02 * made.reduce((sum, { page }) => sum + page.codeBlocks.length, 0)
    )
  })
})

/** The URLs that a page links to, as links of Markdown write them; images are none. */
const targetsOf = (page: Page): ReadonlySet<string> =>
  new Set(page.links.map(({ url }) => normalise(url.replaceAll(/[|\\`]/g, encodeURIComponent)) ?? url))
