import { describe, expect, it } from "vitest"
import { isReference, isSubstantive, type Page } from "../../../engine/page/Page.ts"
import { readPage } from "../../../engine/page/read/ReadPage.ts"
import { answerOf, type FullReply, ORIGIN } from "../../site/FakeContext.ts"

const pageOf = (reply: string | FullReply, path = "/docs/page"): Page =>
  readPage({ answer: answerOf(`${ORIGIN}${path}`, reply) })

const html = (body: string, head = ""): Page =>
  pageOf(`<!doctype html><html lang=en><head>${head}</head><body>${body}</body></html>`)

const PROSE =
  "Every request carries a key, and every answer says how many more are allowed before the window closes again, in seconds."

describe("main content", () => {
  it("is the fullest container, without what surrounds it", () => {
    const page = html(
      `<header><nav><a href=/>Home</a></nav></header><main><nav class=breadcrumbs>Docs / Page</nav><h1>Page</h1><p>${PROSE}</p></main>` +
        `<aside>On this page</aside><footer>Made by us</footer>`
    )
    expect(page.main.container).toBe("main")
    expect(page.main.segments).toEqual(["Page", PROSE])
  })

  it("is the body, cleaned, where there is no container", () => {
    const page = html(
      `<nav>Menu</nav><div><h2>Title</h2><p>Text</p></div><script>let a = 1</script><p hidden>Never</p>`
    )
    expect(page.main).toMatchObject({ container: "body", text: "Title\nText" })
  })

  it("prefers the container with the most text to the first", () => {
    expect(html(`<article>Short</article><div class="markdown-section"><p>${PROSE}</p></div>`).main.container).toBe(
      ".markdown-section"
    )
  })

  it("prefers the innermost of containers with the same text", () => {
    expect(html(`<main><div><article><p>${PROSE}</p></article></div></main>`).main.container).toBe("article")
  })

  it("keeps a header that belongs to the article, and callouts", () => {
    const page = html(
      `<header>Site</header><article><header><h1>Title</h1></header><aside class=notice>Mind the gap</aside><aside>Related</aside></article>`
    )
    expect(page.main.segments).toEqual(["Title", "Mind the gap"])
  })

  it("keeps tab panels that are hidden until chosen", () => {
    expect(html("<main><div role=tabpanel hidden>Second tab</div><div hidden>Secret</div></main>").main.text).toBe(
      "Second tab"
    )
  })

  it("does not take a wrapper for a sidebar because of its name", () => {
    expect(
      html(`<div class="page sidebar"><main><p>${PROSE}</p></main></div><div class=has-sidebar><p>Outside</p></div>`)
        .main.text
    ).toBe(PROSE)
  })

  it("knows how much visible text comes before it", () => {
    const page = html(`<nav>12345</nav><main>1234567890</main><footer>123</footer>`)
    expect(page.main.offset).toBe(5)
    expect(page.visibleCharacters).toBe(18)
  })
})

it("gives no anchor of a section to its second heading, however the first is indented", () => {
  const page = html(
    "<section id=summary><h2>\n              <a href=#summary>\n              <i></i></a>\n              <span>Summary</span></h2><div><h3>Functions</h3></div></section>"
  )
  expect(page.headings.map(({ anchor, text }) => [text, anchor])).toEqual([
    ["Summary", "summary"],
    ["Functions", null]
  ])
})

describe("substance", () => {
  it.each([
    ["120 characters of text", `<p>${"x".repeat(120)}</p>`, "substantive"],
    ["fewer", `<p>${"x".repeat(119)}</p>`, "thin"],
    ["a heading with a block of 20 after it", `<h2>Errors</h2><p>${"x".repeat(20)}</p>`, "substantive"],
    [
      "a short page about native and interactive JavaScript",
      "<h1>Clients</h1><p>A native JavaScript client, an alternative to the JavaScript SDK, React Native and JavaScript, and interactive JavaScript examples for the API.</p>",
      "substantive"
    ],
    [
      "a call for JavaScript in German",
      "<h1>Handbuch</h1><p>Bitte aktivieren Sie JavaScript, um diese Seite zu lesen.</p>",
      "placeholder"
    ],
    [
      "a call for JavaScript in Japanese",
      "<h1>文書</h1><p>このページを読むにはJavaScriptを有効にしてください。</p>",
      "placeholder"
    ],
    ["a spinner in Russian", "<h1>Документация</h1><p>Загрузка, подождите…</p>", "placeholder"],
    [
      "60 characters of Chinese, which say as much",
      `<p>${"每个请求都需要密钥".repeat(7).slice(0, 60)}</p>`,
      "substantive"
    ],
    ["50 characters of Chinese", `<p>${"每个请求都需要密钥".repeat(7).slice(0, 50)}</p>`, "thin"],
    [
      "a heading with a block of ten Japanese letters after it",
      "<h2>変更履歴</h2><p>棚に新しい項目を追加。</p>",
      "substantive"
    ],
    [
      "a heading with a list of short items after it",
      "<h2>Languages</h2><ul><li>English</li><li>Spanish</li><li>Italian</li></ul>",
      "substantive"
    ],
    ["a heading with a word after it", "<h2>Languages</h2><p>English</p>", "thin"],
    ["a word before a heading", `<p>${"x".repeat(30)}</p><h2>Languages</h2>`, "thin"],
    ["a heading with another heading after it", `<h2>Errors</h2><h3>${"x".repeat(30)}</h3>`, "thin"],
    ["an empty mount point", "<div id=app></div><script src=app.js></script>", "placeholder"],
    ["nothing, and no script to fill it", "<div></div>", "thin"],
    ["a loading text", "<div id=root><p>Loading…</p></div>", "placeholder"],
    [
      "a call for JavaScript",
      `<h1>Docs</h1><p>You need to enable JavaScript to run this app. ${"x ".repeat(60)}</p>`,
      "placeholder"
    ]
  ])("of %s", (_, body, substance) => {
    expect(html(body).substance).toBe(substance)
  })

  it("is a page's own: an error text has none", () => {
    const page = html(
      `<main><h1>Page not found</h1><p>${"The page you are looking for does not exist. ".repeat(3)}</p></main>`
    )
    expect(page.saysNotFound).toBe(true)
    expect(isSubstantive(page)).toBe(false)
  })
})

describe("headings and sections", () => {
  it("finds the anchor on the heading, in it, before it, or on the section that it opens", () => {
    const page = html(
      `<main><h2 id=own>A</h2><h2><a name=inside></a>B</h2><a id=before></a><h2>C</h2><section id=section><h2>D</h2></section>` +
        `<section id=later><p>First</p><h2>E</h2></section></main>`
    )
    expect(page.headings.map(({ anchor, text }) => [text, anchor])).toEqual([
      ["A", "own"],
      ["B", "inside"],
      ["C", "before"],
      ["D", "section"],
      ["E", null]
    ])
  })

  it("leaves permalinks out of a heading's text", () => {
    expect(html(`<main><h2 id=a>Errors<a class=headerlink href=#a>¶</a></h2></main>`).headings[0]?.text).toBe("Errors")
  })

  it("cuts main content at its headings, with the headings above each", () => {
    const page = html(
      "<main><p>Intro</p><h1>API</h1><h2>Errors</h2><p>One</p><ul><li>Two</li></ul><h2>Limits</h2><p>Three</p></main>"
    )
    expect(page.sections.map(({ heading, path, text }) => [heading, path, text])).toEqual([
      ["", [], "Intro"],
      ["API", [], ""],
      ["Errors", ["API"], "One\nTwo"],
      ["Limits", ["API"], "Three"]
    ])
  })

  it("says which headings stand outside main content", () => {
    expect(html("<div><h1>Site</h1></div><main><h2>Page</h2></main>").headings.map(({ inMain }) => inMain)).toEqual([
      false,
      true
    ])
  })
})

describe("head", () => {
  it("reads title, description, language and canonical through the base address", () => {
    const page = html(
      "<svg><title>Logo</title></svg>",
      `<base href="/v2/"><title> A  page </title><meta name=Description content="What it is"><link rel=canonical href=page>`
    )
    expect(page).toMatchObject({
      title: "A page",
      description: "What it is",
      lang: "en",
      canonical: `${ORIGIN}/v2/page`
    })
  })

  it("reads announcements of elements and headers, not stylesheets", () => {
    const page = pageOf({
      body: `<!doctype html><link rel=stylesheet href=a.css><link rel=alternate type="text/markdown; charset=utf-8" href=page.md>`,
      headers: [["link", `</openapi.json>; rel="service-desc"; type="application/json", </x>; rel=preload`]]
    })
    expect(page.announcements.map(({ from, rel, type, url }) => [from, rel, url, type])).toEqual([
      ["element", ["alternate"], `${ORIGIN}/docs/page.md`, "text/markdown"],
      ["header", ["service-desc"], `${ORIGIN}/openapi.json`, "application/json"]
    ])
  })

  it("finds schema.org types however nested, and counts what does not parse", () => {
    const page = html(
      `<div itemscope itemtype="https://schema.org/FAQPage"></div>`,
      `<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":["TechArticle","Article"],"author":{"@type":"Person"}}]}</script>` +
        `<script type="application/ld+json">{"@context":"https://other.example","@type":"Thing"}</script><script type="application/ld+json">{oops</script>`
    )
    expect(page.structured).toEqual({ types: ["Article", "FAQPage", "Person", "TechArticle"] })
  })

  it("joins robots directives of metas and headers", () => {
    const page = pageOf({
      body: `<!doctype html><meta name=robots content="noindex, follow">`,
      headers: [["x-robots-tag", "googlebot: noarchive"]]
    })
    expect(page.robots).toEqual(["noindex", "follow", "noarchive"])
  })
})

describe("links", () => {
  it("are absolute and say where they stand", () => {
    const page = html(
      `<nav><a href=/a#top>A</a></nav><p><a href="mailto:x@y.z">mail</a></p><main><a href=b><img alt=Bee></a></main><p><a href=c>C</a>`
    )
    expect(page.links.map(({ fragment, place, text, url }) => [url, fragment, text, place])).toEqual([
      [`${ORIGIN}/a`, "top", "A", "nav"],
      [`${ORIGIN}/docs/b`, "", "Bee", "main"],
      [`${ORIGIN}/docs/c`, "", "C", "other"]
    ])
  })
})

describe("tables and definitions", () => {
  it("reads cells under their section", () => {
    const page = html(
      "<main><h2>Errors</h2><table><thead><tr><th>Code<th>Meaning</thead><tr><td><code>401</code><td>No key</table></main>"
    )
    expect(page.tables).toEqual([{ caption: "", header: ["Code", "Meaning"], rows: [["401", "No key"]], section: 1 }])
  })

  it("gives several terms the definition that they share", () => {
    expect(
      html("<main><dl><dt>a<dt>b<dd>Both<dt>c<dd>One</dl></main>").definitions.map(({ term, text }) => [term, text])
    ).toEqual([
      ["a", "Both"],
      ["b", "Both"],
      ["c", "One"]
    ])
  })
})

describe("shown operations", () => {
  it.each([
    ["side by side", "<p>Call GET /users/{id}.</p>", ["GET /users/{id}"]],
    ["in neighbouring cells", "<table><tr><td>delete<td>/users/{id}</table>", ["DELETE /users/{id}"]],
    ["as a badge", "<h3><span>POST</span>/users</h3>", ["POST /users"]],
    [
      "with a whole address",
      "<pre>GET https://api.example.com/v1/users</pre>",
      ["GET https://api.example.com/v1/users"]
    ],
    [
      "with a server of the user's",
      "<pre>GET http://$HOST:8080/a</pre><pre>GET {{base}}/b</pre><pre>POST &lt;host&gt;/c</pre>",
      ["GET http://$HOST:8080/a", "GET {{base}}/b", "POST <host>/c"]
    ],
    ["with a path in any script", "<p>GET /终结点?a=1</p>", ["GET /终结点?a=1"]],
    [
      "as an endpoint without a method",
      "<p>Endpoint: <code>/orders</code></p><p>终结点：/a</p><p>Endpunkt: https://api.example.com/b</p>",
      [" /orders", " /a", " https://api.example.com/b"]
    ],
    [
      "in a column of endpoints",
      "<table><tr><th>API endpoint<th>Use<tr><td>/orders<td>Lists<tr><td>none<td>/x</table>",
      [" /orders"]
    ],
    [
      "in a row with cells between",
      "<table><tr><th>Verb<th>Use<th>Path<tr><td>GET<td>Lists<td>/orders</table>",
      ["GET /orders"]
    ],
    ["with the method where it is shown, too", "<p>Endpoint: /a</p><p>GET /a</p>", ["GET /a"]],
    [
      "not as paths of files or pages",
      "<p>Path: /etc/acme</p><p>See: /about</p><table><tr><th>Path<th>View<tr><td>/a<td>B</table>",
      []
    ],
    ["not as routes in code", "<pre>app.get('/a', f)</pre><pre>@router.POST(\"/b\")</pre>", []],
    ["not with a host alone", "<pre>HTTP Request: GET https://www.example.com</pre>", []],
    ["not where words are only listed", "<p>Use GET / POST requests, or Get /started.</p><p>GET</p><p>Reads it</p>", []]
  ])("%s", (_, body, operations) => {
    expect(html(`<main>${body}</main>`).operations.map(({ method, path }) => `${method} ${path}`)).toEqual(operations)
  })
})

describe("a reference page", () => {
  it("is told by whole words of its address or title, or by an operation", () => {
    const titled = (title: string): Page => html("<main>x</main>", `<title>${title}</title>`)
    expect(isReference(titled("API reference"))).toBe(true)
    expect(isReference(titled("Rapid methodology"))).toBe(false)
    expect(isReference(pageOf("<!doctype html><p>x", "/docs/reference/users.html"))).toBe(true)
    expect(isReference(pageOf("<!doctype html><p>x", "/rpc/getblock.html"))).toBe(true)
    expect(isReference(pageOf("<!doctype html><p>x", "/glossary/rest-api/"))).toBe(false)
    expect(isReference(pageOf("<!doctype html><p>x", "/learn/api/orders/"))).toBe(true)
    expect(isReference(titled("API仕様書"))).toBe(true)
    expect(isReference(titled("Methods of the Orders API"))).toBe(true)
    expect(
      [
        "What is a REST API?",
        "SOAP API, explained",
        "RPC vs REST",
        "Qué es una API",
        "APIとは",
        "Что такое API"
      ].filter((title) => isReference(titled(title)))
    ).toEqual([])
    expect(isReference(pageOf("<!doctype html><title>Partner API</title><p>x", "/glossary/partner-api"))).toBe(false)
    expect(isReference(pageOf("<!doctype html><p>x", "/apidocs/users"))).toBe(false)
    expect(isReference(html("<main>GET /users</main>"))).toBe(true)
  })
})

describe("formats", () => {
  const MARKDOWN =
    "---\ndescription: What it is\n---\n# Title\n\nText with a [link](../other).\n\n## Errors\n\n```ts\nconst a = 1\n```\n"

  it("reads a page that is Markdown itself", () => {
    const page = pageOf({ type: "text/markdown", body: MARKDOWN })
    expect(page).toMatchObject({ format: "markdown", title: "Title", description: "What it is" })
    expect(page.links.map(({ url }) => url)).toEqual([`${ORIGIN}/other`])
    expect(page.codeBlocks).toMatchObject([{ lines: 1, language: "typescript", label: null, section: 2 }])
    expect(page.sections.map(({ heading }) => heading)).toEqual(["", "Title", "Errors"])
  })

  it.each([
    ["text/plain", "/page.md", MARKDOWN, "markdown"],
    ["text/plain", "/page", "Just words", "text"],
    ["text/plain", "/page", "<!doctype html><p>x", "html"],
    ["application/json", "/page", "{}", "other"],
    ["application/pdf", "/page", "%PDF-1.7", "other"]
  ] as const)("%s at %s", (type, path, body, format) => {
    expect(pageOf({ type, body }, path).format).toBe(format)
  })

  it("decodes by the charset that the document declares", () => {
    const body = Uint8Array.from([...new TextEncoder().encode("<!doctype html><meta charset=iso-8859-1><p>caf"), 0xe9])
    const page = pageOf({ body })
    expect(page.main.text).toBe("café")
    expect(page.charset.declaredBy).toBe("meta")
  })
})
