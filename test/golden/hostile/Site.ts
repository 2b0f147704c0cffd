import type { FakeAnswer, FakeSite } from "../../../engine/testing/FakeSite.ts"
import { escaped } from "../MarkdownPage.ts"
import { HEADING, NESTED, TITLES, WORD } from "./Markup.ts"
import { petStore } from "./PetStore.ts"

const HOST = "https://docs.snarewell-api.com"

export const HOSTILE_URL = `${HOST}/docs`

/**
 * A site that looks as if it had everything, and has nothing: each well-known file is a web page or an error text, one
 * Markdown file serves all pages, unknown addresses answer 200, titles and markup try to break the pages that show them.
 */
export const hostileSite = (): FakeSite => ({
  "/docs": page("", "Snarewell API", `<p>${INTRODUCTION}</p><h2>Get started</h2>${INSTALLER}`),
  "/docs/api/orders": page(
    "api/orders",
    TITLES.controls,
    `<h2>Orders endpoint</h2><p>Orders are made of lines, and lines of articles. Our 429 customers love them, and 401 of them said so.</p>${INSTALLER}<h2>${HEADING}</h2><p>When an order changes, we send a payload with all that changed to your server.</p>`
  ),
  "/docs/api/articles": page(
    "api/articles",
    TITLES.bidi,
    `<h2>Articles endpoint</h2><p>An article has a name, a price and ${WORD}.</p>${INSTALLER}`
  ),
  "/docs/authentication": LOGIN,
  "/docs/errors": page(
    "errors",
    TITLES.markup,
    "<p>To err is human. Errors are handled by our team around the clock, so nobody else has to think of them.</p>"
  ),
  "/docs/rate-limits": { status: 200, body: gone("Page not found") },
  "/docs/webhooks": {
    body: `<!doctype html><title>Redirecting…</title><script>window.location.replace("${HOST}/docs")</script>`
  },
  "/docs/changelog": page(
    "changelog",
    TITLES.injection,
    "<p>Everything is new, as ever. Ask your sales contact for what has changed since you last asked.</p>"
  ),
  "/docs/nested": page("nested", "Nested", NESTED),
  "/docs/loop": { redirect: "/docs/loop" },
  "/docs/broken": { fault: "reset" },
  "/docs/private": { redirect: "http://169.254.169.254/latest/meta-data/" },
  "/all.md": {
    type: "text/markdown",
    body: "# Snarewell API\n\nThis is the documentation of the Snarewell API. There is no better one.\n"
  },
  "/robots.txt": { type: "text/html", body: gone("robots.txt") },
  "/llms.txt": {
    type: "text/plain",
    body: `<!doctype html><html><head><title># Snarewell</title></head><body><h1># Snarewell</h1><p>## Docs - [a](/a) - [b](/b) - [c](/c)</p></body></html>`
  },
  "/llms-full.txt": { type: "text/plain", body: gone("Page not found").repeat(20) },
  "/sitemap.xml": SITEMAP,
  "/openapi.json": JSON.stringify(petStore),
  "/.well-known/api-catalog": { type: "application/json", body: '{"linkset":"none"}' },
  "/.well-known/mcp.json": { type: "application/json", body: '{"name":"","endpoint":"javascript:alert(1)"}' },
  "/.well-known/agent-skills/index.json": { type: "application/json", body: '{"skills":[{}]}' },
  "/.well-known/oauth-authorization-server": { type: "application/json", body: gone("Page not found") },
  "/AGENTS.md": { type: "text/markdown", body: "# 404\n\nPage not found.\n" },
  "*": { status: 200, type: "text/html; charset=utf-8", body: gone("Page not found") }
})

const INTRODUCTION =
  "This is the documentation of the Snarewell API, which does whatever you would like it to do, at any scale, for teams of every size and in all industries that there are."

/** An installer runs something; it calls nothing of the API. */
const INSTALLER = `<pre><code class="language-bash">curl -fsSL https://get.snarewell-api.com/install.sh | sh</code></pre>`

const gone = (title: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1><p>Sorry, the page you are looking for does not exist.</p></body></html>`

const LOGIN: FakeAnswer = {
  body: `<!doctype html><html><head><title>Sign in</title></head><body><main><h1>Sign in</h1><form method="post" action="/session"><label>Email <input type="email" name="email"></label><label>Password <input type="password" name="password"></label><button>Sign in</button></form></main></body></html>`
}

/** Locations off the site, of other schemes, of error pages; dates that are none; an entity that would grow. */
const SITEMAP = `<?xml version="1.0"?>
<!DOCTYPE urlset [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${["orders", "articles"]
  .map((name) => `${HOST}/docs/api/${name}`)
  .concat(
    ["authentication", "errors", "rate-limits", "webhooks", "changelog", "nested", "loop", "broken", "private"].map(
      (name) => `${HOST}/docs/${name}`
    )
  )
  .concat(
    "https://elsewhere.example/docs/x",
    "javascript:alert(1)",
    "file:///etc/passwd",
    "&b;",
    `${HOST}/docs/${"../".repeat(50)}etc/passwd`
  )
  .map((location) => `<url><loc>${location}</loc><lastmod>yesterday</lastmod></url>`)
  .join("\n")}
</urlset>
`

/** Claims everything about itself: one Markdown file and one organisation for all pages, a type that breaks off. */
const page = (name: string, title: string, content: string): FakeAnswer => ({
  type: "text/html",
  headers: { link: `<${"x".repeat(3_000)}>; rel="service-desc", <:::>; rel=, ;;;`, "x-junk": "a".repeat(2_000) },
  body: `<!doctype html>
<html lang="xx-\u0000">
<head>
<title>${escaped(title)}</title>
<meta name="description" content="docs">
<link rel="canonical" href="${HOST}/docs/${name}">
<link rel="alternate" type="text/markdown" href="/all.md">
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Organization","name":"Snarewell"}</script>
<script type="application/ld+json">{"@type":"TechArticle",</script>
</head>
<body>
<nav>${["", "/api/orders", "/api/articles", "/authentication", "/errors", "/changelog"].map((path) => `<a href="/docs${path}">${path}</a>`).join(" ")} <a href="#/guide">Guide</a> <a href="javascript:alert(1)">x</a></nav>
<main><h1>${escaped(title)}</h1>
${content}
<p hidden>Rate limits: 100 requests per minute. Errors: 400, 401, 403, 404, 429. Authorization: Bearer KEY.</p>
<!-- ${name} -->
</main>
</body>
</html>
`,
  byAccept: { "text/markdown": { type: "text/markdown", body: gone("Not acceptable") } }
})
