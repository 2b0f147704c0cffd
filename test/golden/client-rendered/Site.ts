import type { FakeSite } from "../../../engine/testing/FakeSite.ts"

export const CLIENT_RENDERED_URL = "https://docs.sproutcast-app.com"

/** A single-page application: one shell for every address, whether there is something behind it or not. */
export const clientRenderedSite = (): FakeSite => ({
  "/sitemap.xml": `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${[
    "/",
    "/introduction",
    "/authentication",
    "/api/forecasts",
    "/api/stations",
    "/changelog"
  ]
    .map((path) => `<url><loc>${CLIENT_RENDERED_URL}${path}</loc></url>`)
    .join("")}</urlset>`,
  "/assets/index-4c1d.js": { type: "text/javascript", body: "document.getElementById('root').textContent='…'" },
  "*": { type: "text/html; charset=utf-8", headers: { "cache-control": "no-cache", etag: '"shell"' }, body: SHELL }
})

const SHELL = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <link rel="icon" href="/favicon.svg" />
    <meta name="viewport" content="width=device-width, initial-scale=1.0" />
    <title>Sproutcast Docs</title>
    <meta name="description" content="Weather forecasts for gardens and fields: guides and API reference." />
    <script type="module" crossorigin src="/assets/index-4c1d.js"></script>
  </head>
  <body>
    <noscript>You need to enable JavaScript to run this app.</noscript>
    <div id="root"></div>
  </body>
</html>
`
