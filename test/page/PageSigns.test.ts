import { afterEach, describe, expect, it, vi } from "vitest"
import type { Page } from "../../engine/page/Page.ts"
import { readPage } from "../../engine/page/read/ReadPage.ts"
import { readLinkHeader } from "../../engine/page/ResponseFacts.ts"
import { answerOf, type FullReply, ORIGIN } from "../site/FakeContext.ts"

const pageOf = (reply: string | FullReply, path = "/docs/"): Page =>
  readPage({ answer: answerOf(`${ORIGIN}${path}`, reply) })

const html = (body: string, head = ""): Page => pageOf(`<!doctype html><head>${head}</head><body>${body}</body>`)

const PROSE = `<p>${"Every request carries a key, and every answer says how many more are allowed. ".repeat(20)}</p>`

describe("a redirect in the page", () => {
  it.each([
    [
      "a meta refresh at once",
      "<meta http-equiv=Refresh content=\"0; url='v2/'\">",
      { kind: "meta", url: `${ORIGIN}/docs/v2/` }
    ],
    [
      "a script that does nothing else",
      "<script>window.location.replace('v2/')</script>",
      { kind: "script", url: `${ORIGIN}/docs/v2/` }
    ],
    [
      "an assignment with more behind it",
      "<script>/* go */ location.href = '/v2/' + location.hash;</script>",
      { kind: "script", url: `${ORIGIN}/v2/` }
    ],
    ["a slow refresh", "<meta http-equiv=refresh content='300; url=/v2/'>", null],
    ["a refresh without an address", "<meta http-equiv=refresh content=0>", null],
    ["a refresh to itself", "<meta http-equiv=refresh content='0; url=/docs/#top'>", null],
    [
      "a redirect for those without scripts",
      "<noscript><meta http-equiv=refresh content='0; url=/plain/'></noscript>",
      null
    ],
    ["a script under a condition", "<script>if (old) location.replace('/v2/')</script>", null],
    ["a script in a function", "<script>function go() { location = '/v2/' }</script>", null],
    ["another variable of that name", "<script>my.location = '/v2/'</script>", null]
  ])("%s", (_, head, redirect) => {
    expect(html("", head).redirect).toEqual(redirect)
  })

  it("is none on a page with a text of its own", () => {
    expect(html(`<main>${PROSE}</main>`, "<script>location.replace('/v2/')</script>").redirect).toBeNull()
  })
})

describe("a challenge", () => {
  it("is told by its header, its title, or its script on a page without content", () => {
    expect(pageOf({ body: "<!doctype html>", headers: [["cf-mitigated", "challenge"]] }).challenge).toBe("cloudflare")
    expect(html("<p>Verifying</p>", "<title>Just a moment...</title>").challenge).toBe("cloudflare")
    expect(html("<script src=https://geo.captcha-delivery.com/c.js></script>").challenge).toBe("datadome")
  })

  it("is not told by its script on a page with content", () => {
    expect(html(`<main>${PROSE}</main><script src=/cdn-cgi/challenge-platform/h/b/x.js></script>`).challenge).toBeNull()
  })
})

describe("a login wall", () => {
  it("asks for a password in place of content", () => {
    expect(html("<h1>Sign in</h1><form><input name=user><input type=password></form>").loginWall).toBe(true)
    expect(html("<h1>Log in to Acme</h1><form><input type=email></form>").loginWall).toBe(true)
  })

  it("is no page about signing in, nor one with a form beside its content", () => {
    expect(html(`<main><h1>Sign in with OAuth</h1>${PROSE}</main>`).loginWall).toBe(false)
    expect(html(`<main><h1>Guide</h1>${PROSE}</main><form><input type=password></form>`).loginWall).toBe(false)
    expect(html("<main><h1>Log in methods</h1><p>OAuth, keys.</p><input type=email></main>").loginWall).toBe(false)
  })
})

describe("hash routing", () => {
  it("is told by links to routes or by docsify's settings", () => {
    expect(html("<a href='#/guide'>Guide</a>").hashRouting).toBe(true)
    expect(html("<script>window.$docsify = { name: 'x' }</script>").hashRouting).toBe(true)
    expect(html("<script>window.$docsify = {\n  routerMode: 'history'\n}</script>").hashRouting).toBe(false)
    expect(html(`<main>${PROSE}<a href=#errors>Errors</a></main>`).hashRouting).toBe(false)
    expect(html(`<a href=${ORIGIN}/docs/#/guide>Guide</a>`).hashRouting).toBe(true)
    expect(
      html(
        "abc"
          .split("")
          .map((page) => `<a href=https://elsewhere.test/#/${page}>${page}</a>`)
          .join("")
      ).hashRouting
    ).toBe(false)
  })
})

describe("a version selector", () => {
  const at = (...paths: ReadonlyArray<string>): ReadonlyArray<string> => paths.map((path) => `${ORIGIN}${path}`)

  it.each([
    ["a list of options without addresses", "<select><option>v2.1<option>v2.0<option>latest</select>", []],
    [
      "a list of options with addresses",
      "<select><option value=/v2.1/>v2.1<option value='../v2.0/'>v2.0<option value=1.0>1.0</select>",
      at("/v2.1/", "/v2.0/")
    ],
    ["a menu of links", "<ul><li><a href=/v2/>2.x</a><li><a href=/v1/>1.x</a></ul>", at("/v2/", "/v1/")],
    [
      "an element of that name",
      "<div class=version-switcher><a href='#'>Versions</a><a href=/v1/>One</a></div>",
      at("/v1/")
    ],
    ["an element of that name that scripts fill", "<div class=version-switcher></div>", []],
    [
      "mike's settings",
      '<script id=__config>{"base": "..", "version": {"provider": "mike"}}</script>',
      at("/versions.json")
    ],
    ["the contents of a changelog", "<ul><li><a href=#v2>2.0</a><li><a href=#v1>1.0</a></ul>", null],
    ["a language menu", "<select><option>English<option>Deutsch</select>", null],
    ["a number", "<p>Version 2.0</p>", null]
  ])("%s", (_, body, found) => {
    expect(html(body).versionLinks).toEqual(found)
  })
})

describe("controls", () => {
  it("offer the page to those who read with a model", () => {
    const page = html(
      `<button>Copy page</button><a href=/docs/page.md>View as Markdown</a><a href="https://chatgpt.com/?q=read">Open in ChatGPT</a>` +
        `<a href=https://claude.ai/>Claude</a><a href=https://github.com/acme/docs/edit/main/page.md>Edit this page</a>`
    )
    expect(page.controls).toEqual({
      copyMarkdown: true,
      viewMarkdown: [`${ORIGIN}/docs/page.md`],
      assistants: ["chatgpt"]
    })
    expect(page.sourceLinks).toEqual(["https://github.com/acme/docs/edit/main/page.md"])
  })

  it("lead to the source of a page that can be viewed on the site", () => {
    expect(html("<a href=/_sources/page.md.txt>View page source</a>").controls.viewMarkdown).toEqual([
      `${ORIGIN}/_sources/page.md.txt`
    ])
    expect(html("<a href=/_sources/page.md.txt>Edit this page</a>").controls.viewMarkdown).toEqual([])
  })

  it.each([
    "https://github.com/acme/docs/blob/main/page.md",
    "https://gitlab.acme.test/docs/-/blob/main/page.md",
    "https://bitbucket.org/acme/docs/src/main/page.md"
  ])("lead to no Markdown on a code host: %s", (view) => {
    expect(
      html(`<a href=${view}>View page source</a><a href=${view}>View as Markdown</a>`).controls.viewMarkdown
    ).toEqual([])
  })

  it("lead to the raw file on a code host", () => {
    const raw = "https://raw.githubusercontent.com/acme/docs/main/page.md"
    expect(html(`<a href=${raw}>View as Markdown</a>`).controls.viewMarkdown).toEqual([raw])
  })

  it.each([
    "/assets/copy-as-markdown.js",
    "/js/copy-to-llm.js?v=2",
    "/_static/copy_page.min.js",
    "https://cdn.test/mkdocs-copy-to-llm/copy-to-llm.js",
    "/page-actions.js",
    "/assets/markdown-copy-button.js"
  ])("are made by a script that the page names: %s", (src) => {
    expect(html(`<script src="${src}"></script>`).controls.copyMarkdown).toBe(true)
  })

  it.each([
    "/copybutton.js",
    "/copy-code.js",
    "/assets/markdown.js",
    "/clipboard.min.js",
    "/copyright-page.js",
    "/sphinx_copybutton/copy.js"
  ])("are not made by another script: %s", (src) => {
    expect(html(`<script src="${src}"></script>`).controls.copyMarkdown).toBe(false)
  })

  it("are not the buttons that copy a block of code, nor sources in another format", () => {
    const page = html(
      "<button>Copy</button><button>Copy code</button><a href=_sources/page.rst.txt>View page source</a>"
    )
    expect(page.controls).toEqual({ copyMarkdown: false, viewMarkdown: [], assistants: [] })
  })
})

describe("viewers of API descriptions", () => {
  it.each([
    [
      "Redoc's element",
      "<redoc spec-url=openapi.yaml></redoc>",
      { kind: "redoc", url: `${ORIGIN}/docs/openapi.yaml`, inline: null, configuration: null, computed: null }
    ],
    [
      "Redoc's call",
      "<script>Redoc.init('/openapi.json', {})</script>",
      { kind: "redoc", url: `${ORIGIN}/openapi.json`, inline: null, configuration: null, computed: null }
    ],
    [
      "Redoc's state",
      '<script>const __redoc_state = {"spec":{"data":{"openapi":"3.1.0"}}}</script>',
      { kind: "redoc", url: null, inline: '{"openapi":"3.1.0"}', configuration: null, computed: null }
    ],
    [
      "Swagger UI",
      "<script>ui = SwaggerUIBundle({ url: \"/v1.json\", dom_id: '#x' })</script>",
      { kind: "swagger-ui", url: `${ORIGIN}/v1.json`, inline: null, configuration: null, computed: null }
    ],
    [
      "Swagger UI, inline",
      '<script>SwaggerUIBundle({ spec: {"openapi": "3.0.0"} })</script>',
      { kind: "swagger-ui", url: null, inline: '{"openapi": "3.0.0"}', configuration: null, computed: null }
    ],
    [
      "Scalar",
      "<script id=api-reference data-url=/s.json></script>",
      { kind: "scalar", url: `${ORIGIN}/s.json`, inline: null, configuration: null, computed: null }
    ],
    [
      "Scalar's call",
      "<script>Scalar.createApiReference('#app', { url: '/s.json' })</script>",
      { kind: "scalar", url: `${ORIGIN}/s.json`, inline: null, configuration: null, computed: null }
    ],
    [
      "Stoplight",
      "<elements-api apiDescriptionUrl=/s.yaml></elements-api>",
      { kind: "stoplight", url: `${ORIGIN}/s.yaml`, inline: null, configuration: null, computed: null }
    ],
    [
      "RapiDoc",
      "<rapi-doc spec-url=/r.json></rapi-doc>",
      { kind: "rapidoc", url: `${ORIGIN}/r.json`, inline: null, configuration: null, computed: null }
    ]
  ])("%s", (_, body, viewer) => {
    expect(html(body).viewers).toEqual([viewer])
  })
})

describe("a Link header", () => {
  it("may hold several links, quoted commas and parameters without a value", () => {
    const links = readLinkHeader(
      `</a>; rel="next"; title="One, two; three", </b>; crossorigin; rel=alternate;type=text/markdown`
    )
    expect(links.map(({ parameters, target }) => [target, Object.fromEntries(parameters)])).toEqual([
      ["/a", { rel: "next", title: "One, two; three" }],
      ["/b", { crossorigin: "", rel: "alternate", type: "text/markdown" }]
    ])
  })

  it("is read up to what is no link", () => {
    expect(readLinkHeader("</a>; rel=x, nonsense, </b>; rel=y")).toHaveLength(1)
  })
})

describe("the generator of a page", () => {
  const THEME = (footer: string) => `<div class="rst-content"><div role="main">${PROSE}</div>${footer}</div>`

  it("is MkDocs with its own theme that looks like Sphinx'", () => {
    const script =
      '<script>\n        // Current page data\n        var mkdocs_page_name = "Start";\n        var mkdocs_page_url = null;\n      </script>'
    expect(html(THEME(""), script).generators).toEqual(["mkdocs"])
    expect(html(THEME("")).generators).toEqual(["sphinx"])
    expect(html(THEME(""), "<script>console.log('var mkdocs')</script>").generators).toEqual(["sphinx"])
    expect(html(THEME(""), `<meta name=generator content="Sphinx 7">${script}`).generators).toEqual(["Sphinx 7"])
  })
})

describe("the day on which a page says that it was last changed", () => {
  afterEach(() => void vi.unstubAllEnvs())

  it.each([
    [
      "VitePress",
      '<p class=VPLastUpdated>Zuletzt: <time datetime="2026-02-20T16:48:48.000Z"></time></p>',
      "2026-02-20"
    ],
    [
      "Docusaurus",
      '<span class=theme-last-updated>Last updated on <b><time datetime="2025-11-03T23:30:00-05:00" itemprop=dateModified>Nov 3</time></b></span>',
      "2025-11-03"
    ],
    ["a label before it", "<div>Last updated on <time datetime=2026-01-02>January 2</time></div>", "2026-01-02"],
    ["a meta element", "<meta property=article:modified_time content=2026-01-02T10:00:00Z>", "2026-01-02"],
    [
      "JSON-LD of the page",
      '<script type=application/ld+json>{"@context":"https://schema.org","@graph":[{"@type":"TechArticle","dateModified":"2026-01-02"}]}</script>',
      "2026-01-02"
    ],
    ["the day of publication alone", "<time datetime=2026-01-02 itemprop=datePublished>January 2</time>", null],
    ["a time in the text", "<p>The limit was raised on <time datetime=2026-01-02>January 2</time>.</p>", null],
    [
      "two days",
      "<p>Last updated <time datetime=2026-01-02>a</time></p><p>Last updated <time datetime=2026-01-03>b</time></p>",
      null
    ],
    ["no date", "<meta name=last-modified content=yesterday><p>Last updated: <time datetime=P3D>then</time></p>", null],
    [
      "a part of the page",
      '<script type=application/ld+json>{"@type":"WebPage","mainEntity":{"dateModified":"2026-01-02"}}</script>',
      null
    ]
  ])("of %s", (_, markup, day) => {
    expect(html(`<main>${PROSE}${markup}</main>`).modified).toBe(day)
  })

  it.each(["Asia/Tokyo", "UTC", "America/Los_Angeles"])(
    "is the day that the page writes, also on a machine in the time zone %s",
    (zone) => {
      vi.stubEnv("TZ", zone)
      for (const time of [
        "2026-01-03T00:30:00",
        "2026-01-03T23:30:00",
        "2026-01-03T00:30:00+02:00",
        "2026-01-03T23:30:00Z"
      ]) {
        expect(html(`<meta name=last-modified content="${time}"><main>${PROSE}</main>`).modified, time).toBe(
          "2026-01-03"
        )
      }
    }
  )

  it("is none that the calendar has not", () => {
    expect(html(`<meta name=last-modified content="2026-02-30T08:00:00"><main>${PROSE}</main>`).modified).toBe(null)
  })
})
