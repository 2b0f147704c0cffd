import type { FakeAnswer, FakeSite } from "../../engine/testing/FakeSite.ts"

/** What is wrong with some pages of a counted site. */
export type Defect = "poor" | "shell" | "soft" | "login" | "away"

export interface CountedSite {
  /** Pages, links of llms.txt, locations of the sitemap and operations. */
  readonly pages: number
  /** How many of each are bad. */
  readonly bad: number
  readonly defect: Defect
}

export const COUNTED_URL = "https://docs.pebbleworks-api.com"

const pathOf = (index: number): string => (index === 0 ? "/" : `/guide/topic-${String(index).padStart(2, "0")}`)

const markdownOf = (path: string): string => (path === "/" ? "/index.md" : `${path}.md`)

const PROSE =
  "Pebbles are counted in batches, each of which has a name, a weight and a place in the store where it was last seen by a person."

const text = (index: number): string =>
  `${PROSE} This is batch number ${index} of the store, and batch ${index + 100} comes after it in the list.`

const CALL = `curl https://api.pebbleworks-api.com/batches -H "Authorization: Bearer $TOKEN"`

const good = (index: number, navigation: string): string => {
  const path = pathOf(index)
  return (
    `<!doctype html><html lang="en"><head><title>Batch ${index} | Pebbleworks</title>` +
    `<meta name="description" content="How batch ${index} of the pebbles is counted, weighed and put back into the store.">` +
    `<link rel="canonical" href="${COUNTED_URL}${path}"><link rel="alternate" type="text/markdown" href="${markdownOf(path)}">` +
    `<script type="application/ld+json">{"@context":"https://schema.org","@type":"TechArticle","headline":"Batch ${index}"}</script></head>` +
    `<body><main><h1>Batch ${index}</h1><p>${text(index)}</p><h2 id="endpoint-${index}">Endpoint ${index}</h2><p>GET /batches/${index}</p>` +
    `<pre><code class="language-bash">${CALL}\ncurl -I https://api.pebbleworks-api.com/batches</code></pre>` +
    `<pre><code class="language-python">import pebbleworks\npebbleworks.batches(${index})</code></pre></main>${navigation}</body></html>`
  )
}

const BAD: Readonly<Record<Defect, (index: number, navigation: string) => FakeAnswer>> = {
  poor: (index, navigation) =>
    `<html><body><main><p>${text(index)}</p><h3>Weight</h3><pre><code>if true {\n  weigh(${index})\n}</code></pre></main>${navigation}</body></html>`,
  shell: (_, navigation) =>
    `<!doctype html><html lang="en"><head><title>Pebbleworks</title></head><body>${navigation}<div id="root"></div><script src="/app.js"></script></body></html>`,
  soft: () =>
    "<!doctype html><html><head><title>Page not found</title></head><body><main><h1>Page not found</h1><p>The page you are looking for does not exist.</p></main></body></html>",
  login: () =>
    '<!doctype html><html><head><title>Sign in</title></head><body><main><h1>Sign in</h1><form><input type="email"><input type="password"><button>Sign in</button></form></main></body></html>',
  away: (index) => ({ redirect: `https://www.pebbleworks-api.com/moved/${index}` })
}

const operationsOf = ({ bad, pages }: CountedSite): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Array.from({ length: pages }, (_, index) => {
      const schema = {
        type: "object",
        properties: { name: index < bad ? {} : { type: "string", description: "The name of the batch", maxLength: 20 } }
      }
      const described = {
        description: "The batch",
        content: { "application/json": { schema, ...(index < bad ? {} : { example: { name: "grey" } }) } }
      }
      const failing = {
        default: {
          description: "A problem",
          content: { "application/json": { schema: { type: "object", description: "What went wrong" } } }
        }
      }
      const parameter = {
        name: "size",
        in: "query",
        schema: { type: "integer", minimum: 1 },
        ...(index < bad ? {} : { description: "How many pebbles to list" })
      }
      return [
        `/batches/${index}${index < bad ? "/{id}" : ""}`,
        {
          get: {
            ...(index < bad ? {} : { summary: `Gets batch number ${index}` }),
            parameters: [parameter],
            responses: { 200: described, ...(index < bad ? {} : failing) }
          }
        }
      ]
    })
  )

/** A site with that number of pages, of which the last ones are bad, and with them links, locations, Markdown versions and operations. */
export const countedSite = (counts: CountedSite): FakeSite => {
  const { bad, defect, pages } = counts
  const all = Array.from({ length: pages }, (_, index) => index)
  const isBad = (index: number): boolean => index >= pages - bad
  const navigation = `<nav>${all.map((index) => `<a href="${pathOf(index)}">${index}</a>`).join("")}</nav>`
  const links = all.map(
    (index) => `- [Batch ${index}](${isBad(index) ? `/gone/${index}` : pathOf(index)}): What it holds`
  )
  return {
    ...Object.fromEntries(
      all.map((index): [string, FakeAnswer] => [
        pathOf(index),
        isBad(index) && (index > 0 || pages === 1) ? BAD[defect](index, navigation) : good(index, navigation)
      ])
    ),
    ...Object.fromEntries(
      all
        .filter((index) => !isBad(index))
        .map((index): [string, FakeAnswer] => [
          markdownOf(pathOf(index)),
          `# Batch ${index}\n\n${text(index)}${index < bad ? "\n\n```\nopen" : ""}\n`
        ])
    ),
    "/llms.txt": `# Pebbleworks\n\n## Guide\n\n${links.join("\n")}\n`,
    "/sitemap.xml": `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${all
      .map(
        (index) =>
          `<url><loc>${COUNTED_URL}${isBad(index) ? `/lost/${index}` : pathOf(index)}</loc>${isBad(index) ? "" : "<lastmod>2026-10-01</lastmod>"}</url>`
      )
      .join("")}</urlset>`,
    "/openapi.json": JSON.stringify({
      openapi: "3.1.0",
      info: { title: "Pebbleworks", version: "1.0" },
      servers: [{ url: "https://api.pebbleworks-api.com" }],
      components: { securitySchemes: { key: { type: "http", scheme: "bearer" } } },
      security: [{ key: [] }],
      paths: operationsOf(counts)
    }),
    "https://www.pebbleworks-api.com/moved/1": "<h1>Moved</h1>"
  }
}
