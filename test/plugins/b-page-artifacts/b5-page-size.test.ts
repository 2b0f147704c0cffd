import { b5PageSize } from "../../../plugins/b-page-artifacts/b5-page-size.ts"
import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { type Guide, guides, html, markdown, siteOf } from "./Guides.ts"

const code = (language: string | null): string =>
  `<pre><code${language === null ? "" : ` class="language-${language}"`}>parcel ship box\nparcel follow box\n</code></pre>`

const words = (characters: number): string =>
  `<p>${"All that is known about boxes. ".repeat(Math.ceil(characters / 31))}</p>`

/** Pages of which the first `many` have `after` below their text. */
const pages = (many: number, after: string) =>
  siteOf((guide) => html(guide, "", guides.indexOf(guide) < many ? after : ""))

const changed = (change: (page: string, guide: Guide) => string) => siteOf((guide) => change(html(guide), guide))

const at = (index: number): Guide => guides[index] ?? { path: "/", title: "", paragraphs: [] }

testCriterion(b5PageSize, {
  cases: [
    {
      name: "short pages with one H1 and code in a language",
      site: pages(5, `<h2>Example</h2>${code("shell")}`),
      earns: 4,
      facts: { pages: 5, fitting: 1, roughly_fitting: 1, sized: 1, early: 1, outlined: 1, tagged: 1 },
      findings: [{ says: "All 5 sampled pages meet every size and structure check.", proof: "/", good: true }]
    },
    {
      name: "code without a language",
      site: pages(5, code(null) + code("shell")),
      earns: 3,
      facts: { fitting: 0, roughly_fitting: 1, tagged: 0, outlined: 1 },
      findings: [
        {
          says: "No sampled page names the language of at least 80% of their code blocks. / names a language on 1 of 2 code blocks.",
          proof: "/",
          good: false
        },
        { says: "/start names a language on 1 of 2 code blocks.", proof: "/start" }
      ]
    },
    {
      name: "a page beyond the bytes for partial points, with little text",
      site: { ...pages(0, ""), "/start": html(at(1), "", `<!-- ${"x".repeat(2_000_000)} -->`) },
      earns: 1,
      facts: { fitting: 0.8, roughly_fitting: 0.8 },
      findings: [
        {
          says: "1 page exceeds the limits for partial points too: 100,000 characters of main content, 2,000,000 bytes, and main content near the start."
        }
      ]
    },
    {
      name: "a tag that says text names no language",
      site: pages(5, code("text") + code("plaintext") + code("shell")),
      earns: 3,
      facts: { tagged: 0 },
      findings: [{ says: "on 1 of 3" }]
    },
    {
      name: "several H1 in a reference on one page, which lists them",
      site: {
        "/": html(
          { path: "/", title: "Parcel API reference", paragraphs: [] },
          "",
          `${["boxes", "keys", "gates"].map((name) => `<a href="#${name}">${name}</a>`).join(" ")}${["boxes", "keys", "gates"].map((name) => `<h1 id="${name}">${name}</h1><p>GET /${name} lists all ${name} of the warehouse, the newest of them first.</p>`).join("")}`
        )
      },
      earns: 4,
      facts: { outlined: 1 }
    },
    {
      name: "one fault each on four pages",
      site: {
        ...pages(0, ""),
        "/start": html(at(1), "", words(60_000)),
        "/keys": html(at(2)).replace("<nav>", `<nav>${words(3_000)}`),
        "/tracking": html(at(3), "", "<h4>Large</h4><p>Larger than small.</p>"),
        "/returns": html(at(4), "", code(null))
      },
      earns: 2,
      facts: { fitting: 0.2, sized: 0.8, early: 0.8, outlined: 0.8, tagged: 0.8 },
      findings: [
        { says: "4 of 5 sampled pages stay within the size limits. /start has ", proof: "/start", good: false },
        {
          says: "4 of 5 sampled pages start their main content early. /keys starts its main content after",
          proof: "/keys",
          good: false
        },
        {
          says: "4 of 5 sampled pages have headings in order. /tracking skips from H1 to H4.",
          proof: "/tracking",
          good: false
        },
        {
          says: "4 of 5 sampled pages name the language of at least 80% of their code blocks. /returns names no language on its only code block.",
          proof: "/returns",
          good: false
        }
      ]
    },
    { name: "a single line of code needs no language", site: pages(5, "<pre><code>parcel</code></pre>"), earns: 4 },
    {
      name: "skipped heading levels",
      site: pages(5, "<h2>Boxes</h2><p>Of all sizes.</p><h4>Large</h4><p>Larger than small.</p>"),
      earns: 3,
      findings: [{ says: "skips from H2 to H4" }]
    },
    {
      name: "two H1 on pages that are no reference",
      site: pages(5, "<h1>Again</h1><p>Another beginning of the page.</p>"),
      earns: 3,
      findings: [{ says: "has 2 H1 headings" }]
    },
    {
      name: "an H1 in the page's header, none in the main content",
      site: changed((page) =>
        page.replace(/<main><h1>(.*?)<\/h1>/, "<header><h1>$1</h1></header><main><h2>About</h2>")
      ),
      earns: 4
    },
    {
      name: "longer than fits, not than roughly fits",
      site: pages(5, words(60_000)),
      earns: 1,
      facts: { fitting: 0, roughly_fitting: 1 }
    },
    {
      name: "a heavy body",
      site: changed((page) => page.replace("</head>", `<style>${"a{}".repeat(400_000)}</style></head>`)),
      earns: 3,
      findings: [{ says: " bytes (limit: 1,000,000)." }]
    },
    {
      name: "navigation first, content after it",
      site: changed((page) => page.replace("<nav>", `<nav>${words(3_000)}`)),
      earns: 1,
      findings: [{ says: "characters of other text" }]
    },
    {
      name: "a house rule with a smaller limit",
      site: pages(5, words(35_000)),
      params: { fit_characters: 30_000 },
      earns: 1,
      findings: [{ says: "characters of main content (limit: 30,000)." }]
    },
    {
      name: "half of the pages are far too long",
      site: pages(2, words(120_000)),
      earns: 1,
      facts: { roughly_fitting: 0.6 }
    },
    {
      name: "all far too long",
      site: pages(5, words(120_000)),
      earns: 0,
      findings: [{ says: "characters of main content (limit: 50,000).", good: false }]
    },
    {
      name: "rendered by the client",
      site: changed((page) => page.replace(/<main>.*<\/main>/, '<div id="root"></div>').replace(/<nav>.*<\/nav>/, "")),
      earns: 0,
      findings: [{ says: "has no content of its own" }]
    },
    {
      name: "longer than what is read of a page",
      site: pages(5, words(60_000)),
      limits: { pageBytes: 20_000 },
      earns: 0,
      findings: [{ says: "is longer than the 20,000 bytes we read" }]
    },
    {
      name: "menus that are most of what an agent is given, however they are hidden",
      site: changed((page) =>
        page.replace("<nav>", "<nav hidden>").replace("</main>", `</main><footer hidden>${words(1_500)}</footer>`)
      ),
      earns: 1,
      facts: { fitting: 1, given: 5, arriving: 1, content_share: 0.0866 },
      findings: [{ says: "of what an agent is given of a page is its main content (median of 5 pages)", good: false }]
    },
    {
      name: "the same pages where Markdown is negotiated",
      site: siteOf((guide) => ({
        body: html(guide).replace("</main>", `</main><footer hidden>${words(1_500)}</footer>`),
        byAccept: { "text/markdown": { body: markdown(guide), type: "text/markdown", headers: { vary: "Accept" } } }
      })),
      earns: 4,
      facts: { given: 5, arriving: 1 }
    },
    {
      name: "the same pages where we could not ask for Markdown",
      site: siteOf((guide) => ({
        body: html(guide).replace("</main>", `</main><footer hidden>${words(1_500)}</footer>`),
        byAccept: { "text/markdown": { status: 503 } }
      })),
      earns: "inconclusive"
    },
    {
      name: "main content that ends beyond what some agents keep",
      site: pages(5, words(25_000)),
      earns: 1,
      facts: { fitting: 1, arriving: 0 },
      findings: [{ says: "characters into what an agent is given; some agents keep 20,700.", good: false }]
    },
    { name: "the server is down", site: { "*": { status: 500 } }, earns: "inconclusive" }
  ]
})
