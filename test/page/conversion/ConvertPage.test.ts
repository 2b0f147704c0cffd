import { describe, expect, it } from "vitest"
import { convertPage } from "../../../engine/page/conversion/ConvertPage.ts"
import type { Page } from "../../../engine/page/Page.ts"
import { readWithTree } from "../../../engine/page/read/ReadPage.ts"
import { answerOf } from "../../site/FakeContext.ts"

const URL_OF_PAGE = "https://docs.quill.example/guide/"

const PROSE =
  "Quill keeps parcels in drawers, and tells everybody where each of them is; a parcel that is sent twice is kept once."

const read = (main: string) =>
  readWithTree(
    {
      answer: answerOf(
        URL_OF_PAGE,
        `<!doctype html><html lang=en><title>Guide</title><body><main><h1>Guide</h1><p>${PROSE}</p>${main}</main></body></html>`
      )
    },
    "linked"
  )

const MAIN =
  '<h2>Send</h2><pre><code>import quill\nquill.send(1)\nquill.send(2)</code></pre><p>See <a href="/track/">tracking</a> and <a href="/keys/">keys</a>.</p>'

/** The page as it would be read if it had more than what its Markdown is made from. */
const lacking: ReadonlyArray<readonly [what: string, reason: string, more: (page: Page) => Page]> = [
  [
    "text",
    "text_lost",
    (page) => ({
      ...page,
      beside: {
        ...page.beside,
        segments: [
          "Drawers are emptied every Monday at noon.",
          "Lost parcels are kept for ninety days in the office.",
          "Keys are renewed in March."
        ]
      }
    })
  ],
  [
    "a line of code",
    "code_lost",
    (page) => ({
      ...page,
      codeBlocks: page.codeBlocks.map((block) => ({ ...block, text: `${block.text}\nquill.close(all=True)` }))
    })
  ],
  [
    "headings",
    "headings_lost",
    (page) => ({
      ...page,
      headings: [
        ...page.headings,
        ...["Limits", "Errors"].map((text) => ({ level: 2 as const, text, anchor: null, inMain: true }))
      ]
    })
  ],
  [
    "what it links to",
    "links_lost",
    (page) => ({
      ...page,
      links: page.links.flatMap((link) => [
        link,
        { ...link, url: link.url.replace("/keys/", "/limits/").replace("/track/", "/errors/") }
      ])
    })
  ]
]

describe("a page", () => {
  it("is converted if its Markdown has what B3 compares", () => {
    const { page, tree } = read(MAIN)
    expect(convertPage(page, tree)._tag).toBe("Converted")
  })

  it.each(lacking)("is not converted if the Markdown lacks %s, and the reason is %s", (_what, reason, more) => {
    const { page, tree } = read(MAIN)
    expect(convertPage(more(page), tree)).toEqual({ _tag: "NotConverted", reason })
  })

  it("keeps the headings in the lines that open a box, and in terms", () => {
    const { page, tree } = read(
      "<details><summary><h3>First question</h3></summary><p>Yes.</p></details><details><summary><h3>Second question</h3></summary><p>No.</p></details>" +
        "<dl><dt><h3>drawer</h3></dt><dd><p>Where a parcel is.</p></dd><dt><h3>key</h3></dt><dd>Opens it.</dd></dl>"
    )
    const made = convertPage(page, tree)
    expect(made).toMatchObject({ _tag: "Converted", text: expect.stringContaining("\n### First question\n") })
    expect(made).toMatchObject({ text: expect.stringContaining("### key\n") })
  })

  it("keeps what follows a heading in an item apart from it", () => {
    const { page, tree } = read(
      '<ul><li><h3>Methods of <a href="/b/">Drawer</a></h3><code>open</code>, <code>close</code></li><li><h3>Methods of Parcel</h3><code>send</code></li></ul>'
    )
    expect(convertPage(page, tree)).toMatchObject({
      _tag: "Converted",
      text: expect.stringContaining("### Methods of Parcel\n\n  `send`")
    })
  })

  it("is not refused for a row of labels that switch tabs", () => {
    const { page, tree } = read(
      `${MAIN}<div class=tabbed-set><div class=tabbed-labels><label>server.yml (debug)</label><label>server.yml (trace)</label></div><div class=tabbed-content><div class=tabbed-block><pre>level: debug</pre></div><div class=tabbed-block><pre>level: trace</pre></div></div></div><div class=tabbed-set><div class=tabbed-labels><label>Example logs (debug)</label><label>Example logs (trace)</label></div><div class=tabbed-content><div class=tabbed-block><pre>one debug</pre></div><div class=tabbed-block><pre>one trace</pre></div></div></div>`
    )
    expect(convertPage(page, tree)._tag).toBe("Converted")
  })
})
