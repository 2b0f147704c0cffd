import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { normalise } from "../../../engine/evidence/Address.ts"
import { checkDocument } from "./MarkdownCheck.ts"
import { convertPage, markdownOf } from "../../../engine/page/conversion/ConvertPage.ts"
import { readMarkdown } from "../../../engine/page/markdown/MarkdownReader.ts"
import { markdownTokens } from "../../../engine/page/markdown/MarkdownInline.ts"
import type { Page } from "../../../engine/page/Page.ts"
import { readPage, readWithTree } from "../../../engine/page/read/ReadPage.ts"
import { answerOf, ORIGIN } from "../../site/FakeContext.ts"

const PROSE =
  "Every request carries a key, and every answer says how many more are allowed before the window closes again, in seconds."

const pageOf = (body: string, head = ""): Page =>
  readPage({
    answer: answerOf(
      `${ORIGIN}/docs/page`,
      `<!doctype html><html lang=en><head>${head}</head><body>${body}</body></html>`
    )
  })

/** The Markdown of main content below a page's usual title and prose, without those. */
const markdown = (content: string): string => {
  const made = markdownOf(pageOf(`<main><h1>Page</h1><p>${PROSE}</p>${content}</main>`))?.text ?? ""
  const before = `# Page\n\n${PROSE}\n`
  expect(made.slice(0, before.length)).toBe(before)
  return made.slice(before.length).trim()
}

describe("what becomes Markdown", () => {
  it("has a heading that links to itself as text, and one that leads to another page as a link", () => {
    expect(
      markdown(
        `<h2 id=keys><a class=header href=#keys>Keys</a></h2><p>${PROSE}</p><h2 id=more><a href=/docs/more#more>More</a> <a href=#more>here</a></h2><p>${PROSE}</p><h2><a href=/docs/other>Other</a></h2>`
      )
    ).toBe(
      `## Keys\n\n${PROSE}\n\n## [More](${ORIGIN}/docs/more#more) [here](${ORIGIN}/docs/page#more)\n\n${PROSE}\n\n## [Other](${ORIGIN}/docs/other)`
    )
  })

  it("has a term strong once, also where the page has it so itself", () => {
    expect(markdown("<dl><dt><strong>Static</strong> <em>or <b>so</b></em></dt><dd>Stays as it is.</dd></dl>")).toBe(
      "- **Static *or so***\n\n  Stays as it is."
    )
    expect(markdown("<details><summary><b>More</b></summary><p>Is said here.</p></details>")).toBe(
      "**More**\n\nIs said here."
    )
  })

  it("has no emoji that stand alone as the icon of a card, and keeps those that are said", () => {
    expect(
      markdown(
        "<a href=/docs/keys><article><div class=icon>⚙️</div><h2>Keys</h2><p>Open drawers. 🔑</p></article></a><table><tr><th>Key</th><th>Works</th></tr><tr><td>One</td><td><div>✔️</div></td></tr></table><ul><li><div>✅</div></li></ul><p>👍</p>"
      )
    ).toBe(
      `## [Keys](${ORIGIN}/docs/keys)\n\nOpen drawers. 🔑\n\n| Key | Works |\n| --- | --- |\n| One | ✔️ |\n\n- ✅\n\n👍`
    )
  })

  it("is the main content alone, below its title", () => {
    const page = pageOf(
      `<nav><a href=/>Home</a></nav><main><p>${PROSE}</p><button>Copy</button></main><footer>Made by us</footer>`,
      "<title>Keys</title>"
    )
    expect(markdownOf(page)?.text).toBe(`# Keys\n\n${PROSE}\n`)
  })

  it("prefers the title that the page shows above its content to that of its tab", () => {
    const page = pageOf(`<header><h1>Keys</h1></header><main><p>${PROSE}</p></main>`, "<title>Keys | Shop docs</title>")
    expect(markdownOf(page)?.text).toBe(`# Keys\n\n${PROSE}\n`)
  })

  it("has its length in bytes beside it", () => {
    const made = markdownOf(pageOf(`<main><h1>Größe</h1><p>${PROSE}</p></main>`))
    expect(made?.bytes).toBe(Buffer.byteLength(made?.text ?? ""))
  })

  it.each([
    ["a placeholder", "<div id=app></div><script src=app.js></script>"],
    ["an error page", `<main><h1>404 Page not found</h1><p>There is no such page here.</p></main>`],
    ["a page without content", ""]
  ])("is not %s", (_, body) => {
    expect(markdownOf(pageOf(body))).toBeNull()
  })

  it("is not a page that was cut", () => {
    const page = pageOf(`<main><p>${PROSE}</p></main>`)
    expect(markdownOf({ ...page, answer: { ...page.answer, cut: true } })).toBeNull()
  })
})

describe("links", () => {
  it("are absolute, with their fragments", () => {
    expect(markdown("<p>See <a href=../guide#auth>the guide</a> and <a href=#top>above</a>.</p>")).toBe(
      `See [the guide](${ORIGIN}/guide#auth) and [above](${ORIGIN}/docs/page#top).`
    )
  })

  it("to edit the page are left out where they are alone", () => {
    const edit = "<a class=edit href=https://github.com/shop/docs/edit/main/a.md>Edit this page</a>"
    expect(markdown(`${edit}<p>Use a key.</p>`)).toBe("Use a key.")
    expect(
      markdown("<a href=https://github.com/shop/docs/blob/main/a.md>Editar esta página</a><p>Use a key.</p>")
    ).toBe("Use a key.")
    expect(markdown(`<p>Please ${edit} if it is wrong.</p>`)).toContain("[Edit this page]")
  })

  it("around the articles of a start page keep all of its cards, its introduction and its other links", () => {
    const card = (name: string, text: string): string =>
      `<a href=/${name}><article><div class=icon>⚙️</div><h2>${name}</h2><p>${text}</p></article></a>`
    const made = markdownOf(
      pageOf(
        `<div class=home><h1><span class=name>Shop</span><span class=text>API</span></h1><p>${PROSE}</p><a href=/start>Get started</a><div>${card("Keys", PROSE.repeat(3))}${card("Orders", "Create and follow them.")}</div><div class=vp-doc></div></div>`
      )
    )?.text
    expect(made).toBe(
      `# Shop API\n\n${PROSE}\n\n[Get started](${ORIGIN}/start)\n\n## [Keys](${ORIGIN}/Keys)\n\n${PROSE.repeat(3)}\n\n## [Orders](${ORIGIN}/Orders)\n\nCreate and follow them.\n`
    )
  })

  it("and titles have a space beside the number of a step", () => {
    expect(
      markdown(
        "<h2><span class=step>1</span>Start the flow</h2><p><a href=/hooks>Webhooks<span class=badge>3</span></a> for H<sub>2</sub>O and 10<sup>-3</sup></p>"
      )
    ).toBe(`## 1 Start the flow\n\n[Webhooks 3](${ORIGIN}/hooks) for H2O and 10^-3`)
  })

  it("are text where they are no links to pages", () => {
    expect(markdown("<p>Press <a href='javascript:alert(1)'>here</a>.</p>")).toBe("Press here.")
  })

  it("of headings to themselves are left out", () => {
    expect(markdown("<h2>Errors <a class=headerlink href=#errors>¶</a></h2>")).toBe("## Errors")
  })

  it("around a card link its title", () => {
    expect(
      markdown(
        "<a href=/start><div><h3>Start</h3><p>First steps.</p></div></a><a href=/more><div>More<p>Further steps.</p></div></a>"
      )
    ).toBe(`### [Start](${ORIGIN}/start)\n\nFirst steps.\n\n[More](${ORIGIN}/more)\n\nFurther steps.`)
  })

  it("within code stand beside it", () => {
    expect(markdown("<p><code>get <a href=/item>Item</a>, <b>all</b></code></p>")).toBe(
      `\`get\` [\`Item\`](${ORIGIN}/item)\`, all\``
    )
  })

  it("of images lead to the image, where it has an alternative text", () => {
    expect(markdown("<p><img src=a.png alt='The flow'><img src=b.png></p>")).toBe(`![The flow](${ORIGIN}/docs/a.png)`)
  })
})

describe("code", () => {
  it("is fenced with its language, whatever highlights it", () => {
    expect(
      markdown(
        "<div class='highlight-python notranslate'><div class=highlight><pre><span class=k>import</span> shop\n</pre></div></div>"
      )
    ).toBe("```python\nimport shop\n```")
  })

  it("has a fence that is longer than those in it", () => {
    const made = markdown("<pre><code>```\ntext\n```</code></pre>")
    expect(made).toBe("````\n```\ntext\n```\n````")
    expect(readMarkdown(made).unclosedFences).toBe(0)
  })

  it.each([
    [
      "mdBook, without the lines that it hides",
      "<pre><pre class=playground><code class=language-rust><span class=boring>fn main() {\n</span>let a = 1;\ngo(a);\n<span class=boring>}</span></code></pre></pre>",
      "```rust\nlet a = 1;\ngo(a);\n```"
    ],
    [
      "Chroma, in a table with the numbers of its lines",
      "<div class=chroma><table class=lntable><tr><td class=lntd><pre class=chroma><code><span class=lnt>1\n</span><span class=lnt>2\n</span></code></pre></td><td class=lntd><pre class=chroma><code class=language-go><span class=line><span class=cl>x := 1\n</span></span><span class=line><span class=cl>run(x)</span></span></code></pre></td></tr></table></div>",
      "```go\nx := 1\nrun(x)\n```"
    ],
    [
      "rouge, with a table in its block",
      "<div class='language-ruby highlighter-rouge'><pre class=highlight><code><table class=rouge-table><tbody><tr><td class='rouge-gutter gl'><pre class=lineno>1\n2\n</pre></td><td class=rouge-code><pre>a = 1\nrun a\n</pre></td></tr></tbody></table></code></pre></div>",
      "```ruby\na = 1\nrun a\n```"
    ],
    [
      "Docusaurus, with nothing between its lines",
      "<pre class='prism-code language-python'><code><span class=token-line>import shop</span><span class=token-line>shop.go()</span></code></pre>",
      "```python\nimport shop\nshop.go()\n```"
    ],
    [
      "VitePress, without the name of its language",
      "<div class='language-js vp-adaptive-theme'><button title=Copy class=copy></button><span class=lang>js</span><pre class=shiki><code><span class=line>go()</span>\n<span class=line>end()</span></code></pre></div>",
      "```javascript\ngo()\nend()\n```"
    ]
  ])("is as its lines are shown by %s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected)
  })

  it("is without its line numbers", () => {
    expect(
      markdown(
        "<table class=highlighttable><tr><td class=linenos><pre>1\n2</pre></td><td class=code><pre><code class=language-sh>ls\npwd</code></pre></td></tr></table>"
      )
    ).toBe("```shell\nls\npwd\n```")
  })
})

describe("tables", () => {
  it("are GFM tables, with lines in a cell kept apart", () => {
    expect(
      markdown("<table><thead><tr><th>Name<th>Meaning</thead><tr><td><code>a|b</code><td><p>One</p><p>Two</p></table>")
    ).toBe("| Name | Meaning |\n| --- | --- |\n| `a\\|b` | One<br>Two |")
  })

  it("have an empty header where the page has none", () => {
    expect(readMarkdown(markdown("<table><tr><td>1<td>2<tr><td>3<td>4</table>")).blocks).toEqual([
      {
        kind: "table",
        header: ["", ""],
        rows: [
          ["1", "2"],
          ["3", "4"]
        ]
      }
    ])
  })

  it("show code in a cell line by line", () => {
    expect(markdown("<table><tr><th>Call</tr><tr><td><pre>ls\npwd</pre></table>")).toBe(
      "| Call |\n| --- |\n| `ls`<br>`pwd` |"
    )
  })

  it("keep the columns of rows that a cell above reaches into", () => {
    expect(
      markdown(
        "<table><tr><th colspan=2>Group<th>C</tr><tr><td rowspan=2>a2<td>b2<td>c2</tr><tr><td>b3<td>c3</tr><tr><td>a4<td rowspan=0>b4<td>c4</tr><tr><td>a5<td>c5</tr></table>"
      )
    ).toBe("| Group |  | C |\n| --- | --- | --- |\n| a2 | b2 | c2 |\n|  | b3 | c3 |\n| a4 | b4 | c4 |\n| a5 |  | c5 |")
  })

  it("have the lists of a cell line by line, with their numbers", () => {
    expect(
      markdown(
        "<table><tr><th>Values</tr><tr><td><ol start=2><li>first<li>second</ol></tr><tr><td><ul><li><p>one</p><li>two</ul></tr></table>"
      )
    ).toBe("| Values |\n| --- |\n| 2. first<br>3. second |\n| - one<br>- two |")
  })

  it("that lay out a page are its text", () => {
    expect(markdown("<table><tr><td><h2>Left</h2><td><p>Right</p></table>")).toBe("## Left\n\nRight")
  })

  it("have their caption above them, and at most 50 columns for one cell", () => {
    const made = markdown("<table><caption>Limits</caption><tr><th colspan=1000000>a</th></tr></table>")
    expect(made.split("\n")[0]).toBe("**Limits**")
    expect(made.split("\n").at(-1)?.length).toBeLessThan(400)
  })
})

describe("tabs", () => {
  const PANELS =
    "<div role=tabpanel><pre><code class=language-sh>npm i shop</code></pre></div><div role=tabpanel hidden><p>Or with yarn.</p></div>"

  it.each([
    [
      "Docusaurus",
      `<div class=tabs-container><ul role=tablist><li role=tab>npm</li><li role=tab>Yarn</li></ul><div>${PANELS}</div></div>`
    ],
    [
      "Starlight",
      `<div><ul role=tablist><li><a role=tab id=t1>npm</a></li><li><a role=tab id=t2>Yarn</a></li></ul></div>${PANELS.replace("tabpanel", "tabpanel aria-labelledby=t1").replace("tabpanel hidden", "tabpanel aria-labelledby=t2 hidden")}`
    ],
    [
      "Nextra",
      `<div role=tablist><button role=tab>npm</button><button role=tab>Yarn</button></div><div>${PANELS}</div>`
    ],
    [
      "MkDocs Material",
      `<div class=tabbed-set><input type=radio id=a><input type=radio id=b><div class=tabbed-labels><label for=a>npm</label><label for=b>Yarn</label></div><div class=tabbed-content>${PANELS.replaceAll("role=tabpanel", "class=tabbed-block")}</div></div>`
    ],
    [
      "sphinx-design",
      `<div class=sd-tab-set><input type=radio id=a><label for=a>npm</label>${PANELS.replaceAll("role=tabpanel", "class=sd-tab-content").replace("</div><div", "</div><input type=radio id=b><label for=b>Yarn</label><div")}</div>`
    ],
    [
      "VitePress",
      `<div class=vp-code-group><div class=tabs><input type=radio id=a><label for=a>npm</label><input type=radio id=b><label for=b>Yarn</label></div><div class=blocks>${PANELS.replaceAll(" role=tabpanel", "").replace(" hidden", "")}</div></div>`
    ]
  ])("of %s are labelled in bold, as a heading would head what comes after them, too", (_, tabs) => {
    expect(markdown(`<h2>Install</h2>${tabs}<h2>Next</h2>`)).toBe(
      "## Install\n\n**npm**\n\n```shell\nnpm i shop\n```\n\n**Yarn**\n\nOr with yarn.\n\n## Next"
    )
  })

  it("in tabs are labelled below the outer label", () => {
    const inner =
      "<div><div role=tablist><b role=tab>x64</b><b role=tab>arm</b></div><div><div role=tabpanel>one</div><div role=tabpanel>two</div></div></div>"
    const outer = `<div role=tablist><b role=tab>Linux</b><b role=tab>Mac</b></div><div><div role=tabpanel>${inner}</div><div role=tabpanel>three</div></div>`
    expect(markdown(outer)).toBe("**Linux**\n\n**x64**\n\none\n\n**arm**\n\ntwo\n\n**Mac**\n\nthree")
  })
})

describe("other blocks", () => {
  it.each([
    [
      "MkDocs",
      "<div class='admonition warning'><p class=admonition-title>Mind this</p><p>It is gone for good.</p></div>",
      "> **Mind this**\n>\n> It is gone for good."
    ],
    [
      "Docusaurus",
      "<div class='theme-admonition theme-admonition-tip alert alert--success'><div class=admonitionHeading_x1>tip</div><div class=admonitionContent_x2><p>Use a key.</p></div></div>",
      "> **tip**\n>\n> Use a key."
    ],
    ["Slate, which shows no title", "<aside class=notice>Use a key.</aside>", "> Use a key."],
    [
      "Sphinx without a title",
      "<div class='admonition caution'><p>It is gone for good.</p></div>",
      "> **Caution**\n>\n> It is gone for good."
    ],
    ...['<i class="fa icon-note" title="Note"></i>', "<div class=title>Note</div>"].map(
      (icon): [string, string, string] => [
        `Asciidoctor, with the kind as ${icon}`,
        `<div class='admonitionblock note'><table><tbody><tr><td class=icon>${icon}</td><td class=content>It is gone for good.</td></tr></tbody></table></div>`,
        "> **Note**\n>\n> It is gone for good."
      ]
    )
  ])("quotes an admonition of %s", (_, html, expected) => {
    expect(markdown(html)).toBe(expected)
  })

  it("lists definitions under their terms", () => {
    expect(
      markdown("<dl><dt><code>limit</code></dt><dd>At most 100.</dd><dt>cursor</dt><dd>Where to go on.</dd></dl>")
    ).toBe("- **`limit`**\n\n  At most 100.\n- **cursor**\n\n  Where to go on.")
  })

  it("keeps which tasks are done", () => {
    expect(
      markdown(
        "<ul><li><input type=checkbox checked disabled> done</li><li class=task-list-item><label class=task-list-control><input type=checkbox><span></span></label> open</li></ul>"
      )
    ).toBe("- [x] done\n- [ ] open")
  })

  it.each([
    ["of one kind is one piece", "<em>a</em><i>b</i>c", "*ab*c"],
    ["of two kinds side by side is the first alone", "<em>a</em><strong>b</strong>", "*a*b"],
    ["ends before its punctuation where a word follows", "<strong>Note:</strong>text", "**Note**:text"],
    ["that no mark could begin is text", "a<em>(b)</em>", "a(b)"]
  ])("emphasis %s", (_, html, expected) => {
    expect(markdown(`<p>z ${html}</p>`)).toBe(`z ${expected}`)
  })

  it("puts a space between pieces of code", () => {
    expect(markdown("<p><code>GET</code><code>/orders</code></p>")).toBe("`GET` `/orders`")
  })

  it.each([
    [
      "KaTeX",
      "<span class=katex><span class=katex-mathml><math><semantics><mrow><mi>E</mi></mrow><annotation encoding=application/x-tex>E_1=mc^2</annotation></semantics></math></span><span class=katex-html aria-hidden=true>E=mc2</span></span>",
      "$E_1=mc^2$"
    ],
    [
      "MathJax, set apart",
      "<mjx-container display=true><mjx-math aria-hidden=true></mjx-math><mjx-assistive-mml><math display=block><semantics><mi>E</mi><annotation encoding=application/x-tex>E=mc^2</annotation></semantics></math></mjx-assistive-mml></mjx-container>",
      "$$E=mc^2$$"
    ],
    ["a script of TeX", "<script type='math/tex'>E=mc^2</script>", "$E=mc^2$"],
    ["marks of TeX", "<span class='math notranslate'>\\(E=mc^2\\)</span>", "$E=mc^2$"]
  ])("writes a formula of %s once", (_, html, expected) => {
    expect(markdown(`<p>It is ${html} as known.</p>`)).toBe(`It is ${expected} as known.`)
  })

  it("opens what is folded, under its summary", () => {
    expect(markdown("<details><summary>More</summary><p>The rest.</p></details>")).toBe("**More**\n\nThe rest.")
  })

  it("keeps lists, their numbers and what is nested in them", () => {
    expect(markdown("<ol start=3><li>Three<ul><li>a</li><li>b</li></ul></li><li>Four</li></ol>")).toBe(
      "3. Three\n   - a\n   - b\n4. Four"
    )
  })
})

describe("hostile text", () => {
  const escaped = (value: string): string =>
    value.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
  /** Pieces of syntax of Markdown, of what is read beside it, and of the HTML in it. */
  const piece = fc.constantFrom(
    "# ",
    "\n",
    "\n\n",
    "- ",
    "1. ",
    "> ",
    "```",
    "~~~",
    "---",
    "***",
    "|",
    "[a](b)",
    "![a](b)",
    "<b>",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "`",
    "*",
    "_",
    "~~",
    "\\",
    "&lt;",
    ":::",
    "title: x",
    "[^1]",
    "[x]: y",
    "    ",
    "\t",
    "==",
    "{{",
    "a",
    " ",
    "é",
    "\u202e",
    "\u0001"
  )
  const hostile = fc.array(piece, { minLength: 1, maxLength: 12 }).map((pieces) => pieces.join(""))
  /** White space is folded in HTML; what is invisible is left out. */
  const decoded = (url: string): string => decodeURIComponent(normalise(url) ?? "")
  const shown = (value: string): string =>
    value
      .replaceAll(/[\u0001\u202e]/g, "")
      .replace(/\s+/g, " ")
      .trim()

  it("stays the text of its paragraph", () => {
    fc.assert(
      fc.property(hostile, (value) => {
        const { blocks, frontMatter, links } = readMarkdown(
          markdownOf(pageOf(`<main><h1>Page</h1><p>${PROSE}</p><p>${escaped(value)}</p></main>`))?.text ?? ""
        )
        const texts = blocks.map((block) => (block.kind === "table" ? "table" : `${block.kind}: ${block.text}`))
        expect({ frontMatter, links, texts }).toEqual({
          frontMatter: "",
          links: [],
          texts: [
            "heading: Page",
            `paragraph: ${PROSE}`,
            ...(shown(value) === "" ? [] : [`paragraph: ${shown(value)}`])
          ]
        })
      }),
      { numRuns: 300 }
    )
  })

  it("stays the text of a title, a cell, a link and an item", () => {
    fc.assert(
      fc.property(hostile, (value) => {
        const body = `<p>${PROSE}</p><table><tr><th>a<th>${escaped(value)}</tr><tr><td>${escaped(value)}<td>b</tr></table><p>z <a href=/x>q${escaped(value)}</a></p><ul><li>q${escaped(value)}</li></ul>`
        const text = markdownOf(pageOf(`<main>${body}</main>`, `<title>q${escaped(value)}q</title>`))?.text ?? ""
        const { blocks, links } = readMarkdown(text)
        const whole = shown(`q${value}`)
        expect(blocks.map((block) => block.kind)).toEqual(["heading", "paragraph", "table", "paragraph", "paragraph"])
        expect(blocks[0]).toMatchObject({ level: 1, text: shown(`q${value}q`) })
        expect(blocks[2]).toMatchObject({ header: ["a", shown(value)], rows: [[shown(value), "b"]] })
        expect(links.map(({ href, text }) => ({ href, text }))).toEqual([{ href: `${ORIGIN}/x`, text: whole }])
        expect(blocks[4]).toMatchObject({ text: whole })
        expect(
          markdownTokens(text)
            .slice(-5)
            .map(({ type }) => type)
        ).toEqual(["paragraph_open", "inline", "paragraph_close", "list_item_close", "bullet_list_close"])
      }),
      { numRuns: 300 }
    )
  })

  it("stays an address and an alternative text", () => {
    fc.assert(
      fc.property(hostile, (value) => {
        const href = `/x?y=${value}`.replaceAll('"', "").trim()
        const body = `<p>${PROSE}</p><p>z <a href="${escaped(href)}">label</a> z</p><table><tr><th>a<th>b</tr><tr><td><a href="${escaped(href)}">label</a><td><img alt="q${escaped(value)}" src="${escaped(href)}">b</tr></table>`
        const page = pageOf(`<main><h1>Page</h1>${body}</main>`)
        const { blocks, links } = readMarkdown(markdownOf(page)?.text ?? "")
        const target = page.links[0]
        expect(blocks.map((block) => block.kind)).toEqual(["heading", "paragraph", "paragraph", "table"])
        expect(links.map((link) => link.text)).toEqual(["label", "label"])
        for (const link of links) expect(decoded(link.href)).toBe(decoded(target?.url ?? ""))
        expect(blocks[3]).toMatchObject({ rows: [["label", `${shown(`q${value}`).replaceAll("|", "/")}b`]] })
      }),
      { numRuns: 300 }
    )
  })

  it("stays in its block of code", () => {
    fc.assert(
      fc.property(hostile, (value) => {
        const made =
          markdownOf(pageOf(`<main><h1>Page</h1><p>${PROSE}</p><pre>q${escaped(value)}q</pre><p>After it.</p></main>`))
            ?.text ?? ""
        const { blocks, unclosedFences } = readMarkdown(made)
        expect(blocks.map((block) => block.kind)).toEqual(["heading", "paragraph", "code", "paragraph"])
        expect(unclosedFences).toBe(0)
      }),
      { numRuns: 300 }
    )
  })
})

it("has all text of its page, and is the same each time", () => {
  const page = pageOf(
    `<main><h1>Page</h1><p>${PROSE}</p><ul><li>An item that is long enough to be compared</li></ul></main>`
  )
  const made = markdownOf(page)
  expect(checkDocument(page, readMarkdown(made?.text ?? ""))).toEqual({ segments: 2, missing: [], openFences: 0 })
  expect(markdownOf(page)).toEqual(made)
})

it("a page of lines that are too short to be compared is converted if none of them is lost", () => {
  const { page, tree } = readWithTree({
    answer: answerOf(
      `${ORIGIN}/docs/page`,
      "<!doctype html><html lang=ko><main><h1>\uc778\uc99d</h1>" +
        "<p>\ubaa8\ub4e0 \uc694\uccad\uc5d0 \ud0a4</p><p>\ud0a4\ub294 \ube44\ubc00</p>".repeat(9) +
        "</main>"
    )
  })
  expect(checkDocument(page, readMarkdown("")).segments).toBe(0)
  expect(convertPage(page, tree)).toMatchObject({
    _tag: "Converted",
    text: expect.stringContaining("\ubaa8\ub4e0 \uc694\uccad\uc5d0 \ud0a4")
  })
})
