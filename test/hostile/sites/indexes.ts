import { gzipSync } from "node:zlib"
import { type HostileSites, markdownSite, MB, originOf, pages, pathOf, send, withFile } from "../HostileSite.ts"

const STARS = "*p".repeat(5_000)
const SITEMAP = '<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
const robots = (text: string) => withFile("/robots.txt", "text/plain", () => text)
const sitemap = (text: (origin: string) => string | Uint8Array, type = "application/xml") =>
  withFile("/sitemap.xml", type, text)
const plain = pages()

/** robots.txt and sitemaps. */
export const indexSites: HostileSites = {
  "robots-stars": {
    attacks:
      "Rules of robots.txt are thousands of stars with a letter between them, and pages have URLs that nearly match.",
    listener: (request, response) => {
      if (pathOf(request) === "/robots.txt")
        return send(response, `User-agent: *\n${`Disallow: /${STARS}x$\n`.repeat(40)}`, "text/plain")
      return pathOf(request) === "/"
        ? pages(
            () => "",
            Array.from({ length: 30 }, (_, index) => `<a href="/guide/${"p".repeat(3_000)}${index}">p</a>`).join("")
          )(request, response)
        : plain(request, response)
    }
  },
  "robots-rules": {
    attacks: "robots.txt has 40,000 rules for every crawler.",
    listener: robots(`User-agent: *\n${Array.from({ length: 40_000 }, (_, index) => `Allow: /*${index}`).join("\n")}\n`)
  },
  "robots-groups": {
    attacks: "robots.txt has 30,000 groups, each with agents of its own.",
    listener: robots(Array.from({ length: 30_000 }, (_, index) => `User-agent: bot${index}\nDisallow: /\n`).join(""))
  },
  "robots-agents": {
    attacks: "One group of robots.txt names 40,000 agents, GPTBot among them many times.",
    listener: robots(`${"User-agent: GPTBot\nUser-agent: a\n".repeat(20_000)}Disallow: /\n`)
  },
  "robots-line": {
    attacks: "robots.txt is one line of eight megabytes.",
    listener: robots(`User-agent: *\nDisallow: /${"%E3%81".repeat(1_300_000)}`)
  },
  "robots-spaces": {
    attacks: "robots.txt is colons, comments and white space.",
    listener: robots(
      `${" \t".repeat(100_000)}User-agent${" ".repeat(100_000)}:${" ".repeat(100_000)}*\n${"#: ".repeat(50_000)}`
    )
  },
  "sitemap-million": {
    attacks: "The sitemap lists a million pages.",
    listener: sitemap(
      (origin) => `${SITEMAP}${`<url><loc>${origin}/guide/p1</loc></url>`.repeat(1_000_000 / 4)}</urlset>`
    )
  },
  "sitemap-distinct": {
    attacks: "The sitemap lists 50,000 pages, each at a path of two thousand characters.",
    listener: sitemap(
      (origin) =>
        `${SITEMAP}${Array.from({ length: 9_000 }, (_, index) => `<url><loc>${origin}/guide/${"a/".repeat(1_000)}${index}</loc></url>`).join("")}</urlset>`
    )
  },
  "sitemap-deep": {
    attacks: "The sitemap nests half a million elements, and closes others than it opened.",
    listener: sitemap(() => `${SITEMAP}${"<url><loc>".repeat(250_000)}${"</x></y>".repeat(100_000)}`)
  },
  "sitemap-entities": {
    attacks: "The sitemap declares entities that multiply a billion times.",
    listener: sitemap(
      (origin) =>
        `<!DOCTYPE x [<!ENTITY a0 "lol">${Array.from({ length: 10 }, (_, index) => `<!ENTITY a${index + 1} "${`&a${index};`.repeat(10)}">`).join("")}]>${SITEMAP}<url><loc>${origin}/&a10;</loc></url></urlset>`
    )
  },
  "sitemap-external": {
    attacks: "The sitemap declares an external entity that is a file of the auditor.",
    listener: sitemap(
      (origin) =>
        `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${SITEMAP}<url><loc>${origin}/guide/&a;</loc></url></urlset>`
    )
  },
  "sitemap-itself": {
    attacks: "A sitemap index lists itself and others that list it.",
    listener: (request, response) =>
      pathOf(request).startsWith("/sitemap")
        ? send(
            response,
            `<sitemapindex>${Array.from({ length: 50 }, (_, index) => `<sitemap><loc>${originOf(request)}/sitemap.xml?n=${index}</loc></sitemap>`).join("")}</sitemapindex>`,
            "application/xml"
          )
        : plain(request, response)
  },
  "sitemap-indexes": {
    attacks: "A sitemap index lists 200,000 sitemaps.",
    listener: sitemap(
      (origin) =>
        `<sitemapindex>${Array.from({ length: 200_000 }, (_, index) => `<sitemap><loc>${origin}/sitemap-${index}.xml</loc></sitemap>`).join("")}</sitemapindex>`
    )
  },
  "sitemap-bomb": {
    attacks: "The sitemap index leads to files of 64 KB that inflate to 64 MB.",
    listener: (() => {
      let bomb: Buffer | null = null
      return (request, response) => {
        if (pathOf(request) === "/sitemap.xml")
          return send(
            response,
            `<sitemapindex>${Array.from({ length: 10 }, (_, index) => `<sitemap><loc>${originOf(request)}/s${index}.xml.gz</loc></sitemap>`).join("")}</sitemapindex>`,
            "application/xml"
          )
        if (!pathOf(request).endsWith(".gz")) return plain(request, response)
        bomb ??= gzipSync(Buffer.alloc(64 * MB, "<url><loc>http://a</loc></url>"))
        send(response, bomb, "application/gzip")
      }
    })()
  },
  "sitemap-white-space": {
    attacks: "The sitemap is twenty megabytes of white space and then one URL.",
    listener: sitemap((origin) => `${" \n".repeat(9 * MB)}${origin}/guide/p1\n`, "text/plain")
  },
  "sitemap-dates": {
    attacks: "The sitemap's dates are almost dates, of four thousand digits each.",
    listener: sitemap(
      (origin) =>
        `${SITEMAP}${`<url><loc>${origin}/guide/p1</loc><lastmod>2026-11-21T${"0".repeat(4_000)}</lastmod></url>`.repeat(2_000)}</urlset>`
    )
  },
  "markdown-files": {
    attacks: "llms.txt lists 40,000 Markdown files.",
    listener: markdownSite((path) => `# ${path}\n\nText.\n`, 40_000)
  }
}
