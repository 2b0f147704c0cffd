import { a4Sitemap } from "../../../plugins/a-discovery/a4-sitemap.ts"
import type { FakeSite } from "../../../engine/testing/FakeSite.ts"
import { testCriterion } from "../../../engine/testing/CriterionTester.ts"

const HOST = "https://docs.example.com"

const page = (title: string, ...links: ReadonlyArray<string>): string =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>What there is to say about ${title}, in a sentence of some length, and then in another one, so that it is a page.</p>` +
  `${links.map((link) => `<a href="${link}">${link}</a>`).join(" ")}</main>`

const paths = ["start", "auth", "errors", "paging", "retries", "webhooks", "limits", "versions", "search-api"]
const pages: FakeSite = {
  "/": page("Docs", ...paths.map((path) => `/${path}`)),
  ...Object.fromEntries(paths.map((path) => [`/${path}`, page(path)]))
}

const sitemap = (locations: ReadonlyArray<string>, lastmod: string | null = "2026-03-01"): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locations
    .map((location) => `<url><loc>${location}</loc>${lastmod === null ? "" : `<lastmod>${lastmod}</lastmod>`}</url>`)
    .join("")}</urlset>`

const all = ["/", ...paths.map((path) => `/${path}`)].map((path) => `${HOST}${path}`)

testCriterion(a4Sitemap, {
  cases: [
    {
      name: "locations that a generator without the site's URL has written are none",
      site: { ...pages, "/sitemap.xml": sitemap(["None", "null", "None./", "Noneguide/"]) },
      earns: 0,
      facts: { locations: 0 },
      findings: [{ says: "lists no location on this host, and has 4 locations that are no URL", proof: "/sitemap.xml" }]
    },
    {
      name: "locations of which none returns a page",
      site: { ...pages, "/sitemap.xml": sitemap([`${HOST}/gone`, `${HOST}/away`]) },
      earns: 0,
      facts: { locations: 2, resolving: 0, covered: 0 }
    },
    {
      name: "complete, dated, and every location resolves",
      site: { ...pages, "/sitemap.xml": sitemap(all) },
      earns: 1,
      facts: { locations: 10, sampled: 10, resolving: 1, dated: 1, covered: 1 },
      findings: [{ says: "/sitemap.xml lists 10 locations", proof: "/sitemap.xml", good: true }]
    },
    {
      name: "complete and dated, but one location is relative",
      site: { ...pages, "/sitemap.xml": sitemap(["/start", ...all.filter((url) => !url.endsWith("/start"))]) },
      earns: "partial",
      facts: { locations: 10, resolving: 1, covered: 1, relative: 1 },
      findings: [{ says: "1 location in the sitemap is a relative URL.", proof: "/sitemap.xml", good: false }]
    },
    {
      name: "locations written before the site had https",
      site: { ...pages, "/sitemap.xml": sitemap(all.map((url) => url.replace("https:", "http:"))) },
      earns: 1,
      facts: { resolving: 1, covered: 1 }
    },
    {
      name: "locations that are the canonicals of pages, and lead nowhere",
      site: {
        ...Object.fromEntries(
          Object.entries(pages).map(([path, body]) => [
            path,
            typeof body === "string" ? body.replace("<main>", `<link rel=canonical href="/en${path}"><main>`) : body
          ])
        ),
        "/sitemap.xml": sitemap(["/", ...paths.map((path) => `/${path}`)].map((path) => `${HOST}/en${path}`))
      },
      earns: 0,
      facts: { resolving: 0, covered: 0 }
    },
    { name: "at /sitemap-index.xml", site: { ...pages, "/sitemap-index.xml": sitemap(all) }, earns: 1 },
    {
      name: "linked from the audited page",
      site: {
        ...pages,
        "/": page("Docs", ...paths.map((path) => `/${path}`)).replace(
          "<main>",
          "<link rel=sitemap href=/pages.xml><main>"
        ),
        "/pages.xml": sitemap(all)
      },
      earns: 1
    },
    {
      name: "named in robots.txt, by way of an index",
      site: {
        ...pages,
        "/robots.txt": `User-agent: *\nAllow: /\nSitemap: ${HOST}/maps/index.xml\n`,
        "/maps/index.xml": `<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>${HOST}/maps/pages.xml</loc></sitemap></sitemapindex>`,
        "/maps/pages.xml": sitemap(all)
      },
      earns: 1
    },
    { name: "no dates", site: { ...pages, "/sitemap.xml": sitemap(all, null) }, earns: 1, facts: { dated: 0 } },
    {
      name: "dates that are none",
      site: { ...pages, "/sitemap.xml": sitemap(all, "yesterday") },
      earns: 1,
      facts: { dated: 0 }
    },
    {
      name: "locations that are gone",
      site: { ...pages, "/sitemap.xml": sitemap([...all, `${HOST}/gone`, `${HOST}/old`, `${HOST}/older`]) },
      params: { sample: 13, fetches: 13 },
      earns: "partial",
      findings: [{ says: "/gone, listed in the sitemap, returns 404", proof: "/gone", good: false }]
    },
    {
      name: "soft errors are no pages",
      site: {
        ...pages,
        "/auth": "<title>Page not found</title><h1>Page not found</h1>",
        "/errors": "<title>Page not found</title><h1>Page not found</h1>",
        "/sitemap.xml": sitemap(all)
      },
      earns: "partial"
    },
    {
      name: "an error page among the locations",
      site: { ...pages, "/sitemap.xml": sitemap([...all, `${HOST}/404.html`]) },
      earns: 1,
      findings: [
        {
          says: "/404.html, listed in the sitemap, looks like an error page by its name.",
          proof: "/sitemap.xml",
          good: false
        }
      ]
    },
    {
      name: "half of the pages, undated",
      site: { ...pages, "/sitemap.xml": sitemap(all.slice(0, 5), null) },
      earns: "partial",
      facts: { locations: 5, resolving: 1, covered: 0.5 },
      findings: [{ says: "is not in the sitemap", good: false }]
    },
    {
      name: "locations on another host",
      site: { ...pages, "/sitemap.xml": sitemap(all.map((url) => url.replace("docs.", "www."))) },
      earns: 0,
      facts: { locations: 0 },
      findings: [{ says: "lists no location on this host, but 10 on www.example.com", proof: "/sitemap.xml" }]
    },
    {
      name: "a web page in its place",
      site: { ...pages, "/sitemap.xml": { body: page("App"), type: "application/xml" } },
      earns: 0
    },
    {
      name: "a robots.txt that names only the sitemap of another host",
      url: "/start/",
      site: {
        ...pages,
        "/robots.txt": "Sitemap: https://www.example.com/sitemap.xml\n",
        "https://www.example.com/sitemap.xml": sitemap(all.map((url) => url.replace("docs.", "www."))),
        "/sitemap.xml": sitemap(all),
        "/start/": page("start")
      },
      earns: 1,
      facts: { locations: 10, dated: 1, covered: 1 },
      findings: [
        { says: "/sitemap.xml (with 1 more file) lists 10 locations on this host", proof: "/sitemap.xml", good: true }
      ]
    },
    {
      name: "a robots.txt that names only the sitemap of another host, and no sitemap of this one",
      site: {
        ...pages,
        "/robots.txt": "Sitemap: https://www.example.com/sitemap.xml\n",
        "https://www.example.com/sitemap.xml": sitemap(["https://www.example.com/a"])
      },
      earns: 0,
      facts: { locations: 0 },
      findings: [
        { says: "www.example.com/sitemap.xml lists no location on this host, but 1 on www.example.com", good: false }
      ]
    },
    {
      name: "none",
      site: pages,
      earns: 0,
      facts: { locations: 0, found_elsewhere: 10 },
      findings: [{ says: "There is no sitemap at", proof: "/sitemap.xml" }]
    },
    {
      name: "the one that robots.txt names fails",
      site: { ...pages, "/robots.txt": `Sitemap: ${HOST}/s.xml\n`, "/s.xml": { status: 502 } },
      earns: "inconclusive"
    }
  ]
})
