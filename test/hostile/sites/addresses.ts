import {
  behindFirstPage,
  type HostileSites,
  LINKS,
  markdownSite,
  originOf,
  pages,
  pathOf,
  PROSE,
  send,
  withFile,
  withHeader
} from "../HostileSite.ts"

const SLASHES = `/x${"/".repeat(400_000)}y`

const redirectTo = (location: (path: string) => string) =>
  behindFirstPage((request, response) => {
    response.writeHead(302, { location: location(pathOf(request)) })
    response.end()
  })

/** URLs that are long, odd or many, in every place where a URL is read. */
export const addressSites: HostileSites = {
  "slashes-in-link": {
    attacks:
      "The first page links to a URL with 400,000 slashes, on which trimming by a regular expression takes hours.",
    listener: pages(() => "", `${LINKS}<a href="${SLASHES}">x</a>`)
  },
  "slashes-in-many-links": {
    attacks: "Every page has two hundred links of 20,000 slashes each.",
    listener: pages(() => "", LINKS + `<a href="/x${"/".repeat(20_000)}y">x</a>`.repeat(200))
  },
  "slashes-in-sitemap": {
    attacks: "A `<loc>` of the sitemap holds 400,000 slashes.",
    listener: withFile(
      "/sitemap.xml",
      "application/xml",
      (origin) =>
        `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>${origin}${SLASHES}</loc></url><url><loc>${origin}/guide/p1</loc></url></urlset>`
    )
  },
  "slashes-in-text-sitemap": {
    attacks: "A sitemap in plain text lists a URL of 400,000 slashes.",
    listener: withFile("/sitemap.xml", "text/plain", (origin) => `${origin}${SLASHES}\n${origin}/guide/p1\n`)
  },
  "slashes-in-location": {
    attacks: "Every page redirects to a URL with 12,000 slashes, near the longest header that is read.",
    listener: redirectTo(() => `/x${"/".repeat(12_000)}y`)
  },
  "slashes-in-first-location": {
    attacks: "The audited page itself redirects to a URL with 12,000 slashes.",
    listener: (request, response) => {
      if (pathOf(request) !== "/") return send(response, `<title>x</title>${PROSE}`)
      response.writeHead(301, { location: `/x${"/".repeat(12_000)}y` })
      response.end()
    }
  },
  "slashes-in-link-header": {
    attacks: "The `Link` header announces a Markdown version at a URL of 10,000 slashes.",
    listener: withHeader("link", `</x${"/".repeat(10_000)}y>; rel="alternate"; type="text/markdown"`)
  },
  "slashes-in-canonical": {
    attacks: "The canonical URL, the alternate and the base of every page hold 100,000 slashes.",
    listener: pages(
      () => "",
      LINKS,
      `<link rel="canonical" href="${SLASHES.slice(0, 100_000)}"><link rel="alternate" type="text/markdown" href="${SLASHES.slice(0, 100_000)}y"><base href="${SLASHES.slice(0, 100_000)}">`
    )
  },
  "slashes-in-refresh": {
    attacks: "A meta refresh leads to a URL of 400,000 slashes.",
    listener: pages(() => "", LINKS, `<meta http-equiv="refresh" content="9; url=${SLASHES}">`)
  },
  "slashes-in-llms-txt": {
    attacks: "The links of llms.txt are URLs of 100,000 slashes.",
    listener: withFile(
      "/llms.txt",
      "text/plain",
      (origin) => `# Docs\n\n## Pages\n\n${`- [Page](${origin}/x${"/".repeat(100_000)}y.md)\n`.repeat(5)}`
    )
  },
  "slashes-in-markdown": {
    attacks: "The links of Markdown pages are URLs of 100,000 slashes.",
    listener: markdownSite(
      (path) => `# ${path}\n\n[x](/x${"/".repeat(100_000)}y)\n\n![y](${SLASHES.slice(0, 100_000)})\n`
    )
  },
  "slashes-in-robots": {
    attacks: "The `Sitemap` lines of robots.txt name URLs of 100,000 slashes.",
    listener: withFile(
      "/robots.txt",
      "text/plain",
      (origin) => `User-agent: *\nAllow: /\n${`Sitemap: ${origin}${SLASHES.slice(0, 100_000)}y\n`.repeat(4)}`
    )
  },
  "slashes-in-text": {
    attacks: "The text and code of pages show URLs with 100,000 slashes, dots and colons at their ends.",
    listener: pages(
      () =>
        `<p>https://docs.example.com/mcp${"/".repeat(100_000)}x https://docs.example.com/${".;:".repeat(30_000)}x</p><pre><code>curl https://docs.example.com${"/".repeat(100_000)}x</code></pre>`
    )
  },
  "escapes-in-links": {
    attacks: "Links are a megabyte of percent-escapes and dot segments.",
    listener: pages(
      () => "",
      `${LINKS}<a href="/${"%2e%2E/".repeat(150_000)}">x</a><a href="/${"a/../".repeat(200_000)}">y</a>`
    )
  },
  "labels-in-host": {
    attacks: "Links name hosts of tens of thousands of labels, and hosts that end in many dots.",
    listener: pages(
      () => "",
      `${LINKS}<a href="http://${"a.".repeat(50_000)}com/">x</a><a href="http://docs.example.com${".".repeat(20_000)}/">y</a><a href="http://${"ß".repeat(30_000)}.com/">z</a>`
    )
  },
  "many-queries": {
    attacks: "Fifty thousand links differ only in their query.",
    listener: pages(
      () => "",
      Array.from({ length: 50_000 }, (_, index) => `<a href="/guide/p1?i=${index}">p</a>`).join("")
    )
  },
  "many-endpoints": {
    attacks: "A page names 45,000 MCP endpoints, which were compared each with each.",
    listener: pages(
      () =>
        `<p>${Array.from({ length: 45_000 }, (_, index) => `http://docs.hostile-many-endpoints.com/mcp/${index}`).join(" ")}</p>`
    )
  },
  "data-urls": {
    attacks: "Links, frames and API viewers point to data: URLs of a megabyte.",
    listener: pages(
      () => "",
      `${LINKS}<a href="data:text/html,${"a".repeat(1_000_000)}">x</a><redoc spec-url="data:application/json,${"%7B".repeat(200_000)}"></redoc>`
    )
  },
  "trailing-dots": {
    attacks: "The site redirects to its own host with a dot more each time.",
    listener: (request, response) => {
      response.writeHead(302, { location: `${originOf(request).replace(/(?=:\d+$|$)/, ".")}${pathOf(request)}` })
      response.end()
    }
  }
}
