import { b5PageSize } from "../../../plugins/b-page-artifacts/b5-page-size.ts"
import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { type Guide, guides, html, siteOf } from "./Guides.ts"

const code = (language: string | null): string =>
  `<pre><code${language === null ? "" : ` class="language-${language}"`}>parcel ship box\nparcel follow box\n</code></pre>`

const words = (characters: number): string => `<p>${"All that is known about boxes. ".repeat(Math.ceil(characters / 31))}</p>`

/** Pages of which the first `many` have `after` below their text. */
const pages = (many: number, after: string) => siteOf((guide) => html(guide, "", guides.indexOf(guide) < many ? after : ""))

const changed = (change: (page: string, guide: Guide) => string) => siteOf((guide) => change(html(guide), guide))

testCriterion(b5PageSize, {
  cases: [
    {
      name: "short pages with one H1 and code in a language",
      site: pages(5, `<h2>Example</h2>${code("shell")}`),
      earns: 3,
      facts: { pages: 5, fitting: 1, roughly_fitting: 1 },
      findings: [{ says: "Of 5 sampled pages 5 fit a context window, and 5 roughly", proof: "/", good: true }]
    },
    { name: "code without a language", site: pages(5, code(null) + code("shell")), earns: 2, facts: { fitting: 0, roughly_fitting: 1 }, findings: [{ says: "names the language of 1 of 2 code blocks", good: false }] },
    { name: "a single line of code needs no language", site: pages(5, "<pre><code>parcel</code></pre>"), earns: 3 },
    { name: "skipped heading levels", site: pages(5, "<h2>Boxes</h2><p>Of all sizes.</p><h4>Large</h4><p>Larger than small.</p>"), earns: 2, findings: [{ says: "skips from H2 to H4" }] },
    { name: "two H1", site: pages(5, "<h1>Again</h1><p>Another beginning of the page.</p>"), earns: 2, findings: [{ says: "has 2 H1 headings" }] },
    { name: "an H1 in the page's header, none in the main content", site: changed((page) => page.replace(/<main><h1>(.*?)<\/h1>/, "<header><h1>$1</h1></header><main><h2>About</h2>")), earns: 3 },
    { name: "longer than fits, not than roughly fits", site: pages(5, words(60_000)), earns: 2, facts: { fitting: 0, roughly_fitting: 1 } },
    { name: "a heavy body", site: changed((page) => page.replace("</head>", `<style>${"a{}".repeat(400_000)}</style></head>`)), earns: 2, findings: [{ says: "bytes" }] },
    { name: "navigation first, content after it", site: changed((page) => page.replace("<nav>", `<nav>${words(3_000)}`)), earns: 2, findings: [{ says: "characters of other text" }] },
    { name: "half of the pages are far too long", site: pages(2, words(120_000)), earns: 1, facts: { roughly_fitting: 0.6 } },
    { name: "all far too long", site: pages(5, words(120_000)), earns: 0, findings: [{ says: "of main content", good: false }] },
    { name: "rendered by the client", site: changed((page) => page.replace(/<main>.*<\/main>/, '<div id="root"></div>').replace(/<nav>.*<\/nav>/, "")), earns: 0, findings: [{ says: "holds no content of its own" }] },
    { name: "longer than what is read of a page", site: pages(5, words(60_000)), limits: { pageBytes: 20_000 }, earns: 0, findings: [{ says: "is longer than the 20 000 bytes that were read" }] },
    { name: "the server is down", site: { "*": { status: 500 } }, earns: "inconclusive" }
  ]
})
