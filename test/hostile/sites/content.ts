import { type HostileSites, originOf, pages, pathOf, send, withFile } from "../HostileSite.ts"

const code = (text: string, language = "js"): string => `<pre><code class="language-${language}">${text}</code></pre>`
const numbered = (count: number, one: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => one(index)).join("")

/** A path of nearly 4,000 characters, below the longest URL that is requested. */
const longPath = (index: number): string => `/guide/${"long-and-longer/".repeat(248)}p${index}`

const longLinked = pages(
  () => "",
  numbered(60, (index) => `<a href="${longPath(index)}">Guide ${index}</a> `)
)

/** Text and code that the criteria look into: examples, errors, dates, names, instructions. */
export const contentSites: HostileSites = {
  "blank-code": {
    attacks: "Code blocks are 10,000 characters of white space that a line continuation might follow.",
    listener: pages(() => code(`${" ".repeat(9_990)}x`).repeat(200) + code(`curl${"\t \n".repeat(3_300)}`).repeat(100))
  },
  "continued-code": {
    attacks: "Code blocks are nothing but line continuations.",
    listener: pages(() => code("\\\n".repeat(5_000), "shell").repeat(100))
  },
  "many-blocks": {
    attacks: "A page has 20,000 code blocks.",
    listener: pages(() => code("curl https://api.example.com/v1/things").repeat(20_000))
  },
  "long-block": {
    attacks: "One code block is three megabytes of calls.",
    listener: pages(() => code("acme.things.create({ id: 1 }).then(x =&gt; x);\n".repeat(60_000)))
  },
  "qualified-calls": {
    attacks: "Code is one call chain of a hundred thousand names.",
    listener: pages(() => code(`${"acme.".repeat(2_000)}create`).repeat(100))
  },
  "almost-addresses": {
    attacks: "Code blocks repeat beginnings of URLs and of commands that install.",
    listener: pages(
      () =>
        code("https://".repeat(1_200)).repeat(80) +
        code("npm install npm i pip install ".repeat(330), "shell").repeat(80)
    )
  },
  "almost-dates": {
    attacks: "Text is digits, dashes, month names and slashes that nearly are dates.",
    listener: pages(() => `<p>${"21 November 21 Nov 2026-11-2026-11/21/".repeat(30_000)}</p>`)
  },
  "almost-errors": {
    attacks: "Text is status codes and error names without an end of a sentence.",
    listener: pages(
      () =>
        `<h2>Errors</h2><p>${"404 429 invalid_request error code 401: ".repeat(30_000)}</p><ul>${"<li><code>rate_limited</code>".repeat(20_000)}</ul>`
    )
  },
  "almost-phrases": {
    attacks: "Text repeats beginnings of phrases about limits, retries, authentication and deprecation.",
    listener: pages(
      () =>
        `<h2>Rate limits, authentication, retries and deprecation</h2><p>${"rate limits are per 100 requests per up to idempotency retry after exponential deprecated sunset api key bearer ".repeat(10_000)}</p>`
    )
  },
  "own-names": {
    attacks: "The title has every word that code, lines and headings are compared with as a name of the product.",
    listener: pages(
      () =>
        code(numbered(3_000, (index) => `acme${index}.things${index}.create${index}(x);\n`)) +
        numbered(1_000, (index) => `<h3>acme${index} and acme${index + 1}</h3>`),
      numbered(200, (index) => `<a href="/guide/p${index}">acme${index}</a>`),
      `<title>${numbered(5_000, (index) => `Acme${index} `)}</title>`
    )
  },
  "server-snippets": {
    attacks: "Every page repeats nearly all of a snippet that adds an MCP server.",
    listener: pages(() => code(`"servers": {${'"command" "mcpServers" '.repeat(400)}`, "json").repeat(150))
  },
  marks: {
    attacks: "Text is letters with thousands of combining marks, which normalising would have to sort.",
    listener: pages(() => `<p>${`a${"\u0301\u0323".repeat(20_000)} `.repeat(10)}</p>`)
  },
  directions: {
    attacks: "Titles and headings are full of characters that turn the direction of writing and of control characters.",
    listener: pages(() => `<h2>${"\u202e\u2066\u0007\u001b[31m".repeat(20_000)}</h2>`)
  },
  feed: {
    attacks: "The changelog's feed has half a million dates and elements that do not close.",
    listener: withFile(
      "/feed.xml",
      "application/rss+xml",
      () => `<rss><channel>${"<item><pubDate>Sat, 21 Nov 2026 10:00:00 GMT".repeat(100_000)}`
    )
  },
  "long-urls": {
    attacks:
      "Every page links to sixty pages by URLs of 4,000 characters, and the sitemap lists a thousand such URLs, which a plan reads and writes again and again.",
    listener: (request, response) =>
      pathOf(request) === "/sitemap.xml"
        ? send(
            response,
            `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${numbered(1_000, (index) => `<url><loc>${originOf(request)}${longPath(index)}</loc></url>`)}</urlset>`,
            "application/xml"
          )
        : longLinked(request, response)
  },
  "full-text": {
    attacks: "llms-full.txt is twenty megabytes of pages that repeat each other.",
    listener: withFile("/llms-full.txt", "text/plain", () =>
      "# Page\n\nSource: https://docs.example.com/guide/p1\n\nWords that explain how the service is used.\n\n".repeat(
        200_000
      )
    )
  },
  instructions: {
    attacks: "AGENTS.md and the skill file are megabytes of front matter that does not end.",
    listener: withFile("/AGENTS.md", "text/markdown", () => `---\n${"name: x\ndescription: y\n".repeat(100_000)}`)
  },
  catalogue: {
    attacks: "The API catalog links to 45,000 descriptions.",
    listener: withFile("/.well-known/api-catalog", "application/linkset+json", (origin) =>
      JSON.stringify({
        linkset: Array.from({ length: 45_000 }, (_, index) => ({
          anchor: origin,
          "service-desc": [{ href: `${origin}/api/${index}.json` }]
        }))
      })
    )
  },
  "server-card": {
    attacks: "The MCP server card nests 100,000 levels and names 45,000 endpoints.",
    listener: withFile(
      "/.well-known/mcp.json",
      "application/json",
      (origin) =>
        `{"name":"x","servers":[${numbered(45_000, (index) => `{"url":"${origin}/mcp/${index}"},`)}${"[".repeat(100_000)}`
    )
  }
}
