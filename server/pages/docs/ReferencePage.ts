import { assetPath } from "../kit/Assets.ts"
import { html, type VNode } from "../kit/Html.ts"
import type { Doc, DocsBook } from "./DocsBook.ts"
import { docHead, docTitle, pathOf } from "./DocPage.ts"

/** Scalar writes its styles into the page; everything else is as on all pages. */
export const REFERENCE_CSP =
  "default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/** No fonts, no telemetry, no assistant, no proxy of others: it talks to this service alone. */
const SETTINGS = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
  defaultOpenAllTags: true
}

/**
 * The API reference: a list of all operations that needs no script, and below it Scalar over our own document. It has a
 * frame of its own, because Scalar's styles and those of all pages would disturb one another. As on all pages, nothing is
 * painted until all that is ours is there.
 */
export const referencePage = (doc: Doc, { docs }: DocsBook): VNode => html`
  <html lang="en">
    <head>
      <meta charset="utf-8"/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      <title>${`${doc.title} · Documentation · docgauge`}</title>
      <meta name="description" content=${doc.description}/>
      <link rel="stylesheet" href=${assetPath("reference.css")}/>
      <link rel="expect" href="#viewer" blocking="render"/>
      ${docHead(doc)}
      <script type="module" src=${assetPath("docs.js")}></script>
    </head>
    <body>
      <header class="reference-bar">
        <a href="/" translate="no">docgauge</a>
        <nav aria-label="Main"><a href=${pathOf(docs[0]?.url ?? doc.url)}>Documentation</a></nav>
      </header>
      <main id="main" class="reference-text">
        <article itemscope itemtype="https://schema.org/APIReference">
          ${docTitle(doc)}
          <div itemprop="articleBody" dangerouslySetInnerHTML=${{ __html: doc.html().html }}/>
        </article>
        <nav id="docs-navigation" aria-label="Documentation" class="reference-pages">
          <h2>All pages</h2>
          <ul>${docs.map((other) => html`<li><a href=${pathOf(other.url)} aria-current=${other.slug === doc.slug ? "page" : undefined}>${other.short}</a></li>`)}</ul>
        </nav>
      </main>
      <div id="viewer" class="reference-explorer">
        <script id="api-reference" type="application/json" data-url="/openapi.json" data-configuration=${JSON.stringify(SETTINGS)}></script>
        <script src=${assetPath("reference.js")} defer></script>
        <script src=${assetPath("scalar.js")} defer></script>
      </div>
    </body>
  </html>`
