import { expect, it } from "vitest"
import type { Page } from "../../../engine/page/Page.ts"
import type { PageReading } from "../../../engine/page/html/HtmlPage.ts"
import { readWithTree } from "../../../engine/page/read/ReadPage.ts"
import { answerOf, ORIGIN } from "../../site/FakeContext.ts"

const BODY =
  "<main><h1>Keys</h1><p>Text</p><a href=/next>Next</a><table><tr><th>A<th>B<tr><td>1<td>2</table><dl><dt>Key<dd>A secret</dl><time datetime=2026-11-01>1 November</time></main>"

const read = (reading: PageReading, html: string): Page =>
  readWithTree({ answer: answerOf(`${ORIGIN}/docs/`, `<!doctype html>${html}`) }, reading).page

it("reads everything of a page", () => {
  expect(read("whole", BODY)).toMatchObject({
    links: [{ text: "Next" }],
    tables: [{ header: ["A", "B"] }],
    definitions: [{ term: "Key" }],
    times: ["2026-11-01"],
    headings: [{ text: "Keys" }]
  })
})

it("reads code that a highlighter shows in a division as it reads a `pre`", () => {
  const line = (text: string): string => `<div class="token-line"><span class="token plain">${text}</span></div>`
  const code = `<div tabindex=0 class="prism-code language-shell codeBlock_x"><div>${line("curl https://api.example.com/charts \\")}${line("  -u key:")}</div></div>`
  expect(read("whole", `<main><h1>Charts</h1><p>Text</p>${code}</main>`).codeBlocks).toMatchObject([
    { language: "shell", lines: 2, text: "curl https://api.example.com/charts \\\n  -u key:" }
  ])
})

it("leaves out of an opening what only criteria ask for", () => {
  expect(read("opening", BODY)).toMatchObject({
    links: [],
    tables: [],
    definitions: [],
    times: [],
    versionLinks: null,
    headings: [{ text: "Keys" }]
  })
})

it.each([
  [
    "the document's title, not that of a drawing",
    "<title> The \n title </title><svg><title>Logo</title></svg>",
    "title",
    "The title"
  ],
  ["the title without the sign before a name that is missing", "<title>Orders · </title>", "title", "Orders"],
  ["the title without the sign after a name that is missing", "<title> | Orders</title>", "title", "Orders"],
  ["a title that is a sign", "<title>—</title>", "title", "—"],
  [
    "the first description that is not empty",
    '<meta name=description content=""><meta name=Description content="What it is">',
    "description",
    "What it is"
  ],
  [
    "a description that is given as a property",
    '<meta property=description content="What it is">',
    "description",
    "What it is"
  ],
  [
    "the canonical URL of an element",
    "<base href=/v2/><link rel=canonical href=page>",
    "canonical",
    `${ORIGIN}/v2/page`
  ],
  ["no canonical URL in the body", "<main><link rel=canonical href=page></main>", "canonical", null],
  [
    "URLs against the first base that has one, whatever bases are beside it",
    "<base target=_top><base href=/v2/><base href=/v3/><link rel=canonical href=page>",
    "canonical",
    `${ORIGIN}/v2/page`
  ]
] as const)("reads %s", (_, html, field, value) => {
  expect(read("whole", html)[field]).toBe(value)
})
