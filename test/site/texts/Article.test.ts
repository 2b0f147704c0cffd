import { describe, expect, test } from "vitest"
import type { Answer } from "../../../engine/evidence/Exchange.ts"
import { articlesOfAggregate } from "../../../engine/site/texts/Article.ts"

const url = "https://docs.example.com/llms-full.txt"
const answer: Answer = {
  _tag: "Answer",
  asked: { method: "GET", url, accept: "*/*", agent: "docgauge" },
  url,
  status: 200,
  headers: [],
  body: new Uint8Array(),
  cut: false,
  wireBytes: 0,
  redirects: []
}
const aggregate = (text: string) => ({ url, source: "well_known" as const, answer, text, textCut: false })

describe("an aggregate", () => {
  const [article] = articlesOfAggregate(
    aggregate(
      "Intro\n\n# Orders\n\nAll of them.\n\n## Errors\n\n| Code | Meaning |\n|---|---|\n| 404 | None |\n\n```sh\norders list\n```\n\n# Customers\n"
    )
  )

  test("is cut at its headings", () =>
    expect(article?.sections.map(({ heading, level, path }) => [heading, level, path])).toEqual([
      ["", 0, []],
      ["Orders", 1, []],
      ["Errors", 2, ["Orders"]],
      ["Customers", 1, []]
    ]))

  test("keeps code and tables with their sections", () => {
    expect(article?.codeBlocks).toEqual([
      { text: "orders list", lines: 1, language: "shell", label: null, section: 2, line: 14, lineByLine: true }
    ])
    expect(article?.tables).toEqual([{ caption: "", header: ["Code", "Meaning"], rows: [["404", "None"]], section: 2 }])
    expect(article?.sections[2]?.text).toContain("404")
  })
})

test("a long aggregate is read in parts, cut before a heading", () => {
  const chapter = `# Chapter\n\n${"Words about orders. ".repeat(500)}\n\n`
  const articles = articlesOfAggregate(aggregate(chapter.repeat(100)))
  expect(articles).toHaveLength(3)
  expect(
    articles.slice(0, 2).every(({ sections }) => sections.slice(1).every(({ text }) => text.length === 9_999))
  ).toBe(true)
  expect(articles.flatMap(({ sections }) => sections).filter(({ heading }) => heading === "Chapter")).toHaveLength(100)
})

test("an aggregate is read once", () => {
  const one = aggregate("# Orders\n")
  expect(articlesOfAggregate(one)).toBe(articlesOfAggregate(one))
})
