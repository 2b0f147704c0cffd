import { b4Metadata } from "../../../plugins/b-page-artifacts/b4-metadata.ts"
import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { type Guide, html, siteOf } from "./Guides.ts"

const HOST = "https://docs.example.com"

const description = ({ paragraphs }: Guide): string => `<meta name="description" content="${paragraphs.join(" ")}">`
const canonical = ({ path }: Guide): string => `<link rel="canonical" href="${HOST}${path}">`
const jsonLd = (type: string): string =>
  `<script type="application/ld+json">{"@context":"https://schema.org","@type":"${type}","name":"Parcel"}</script>`

/** Pages with all five; `change` breaks something. */
const pages = (head: (guide: Guide) => string, change: (page: string) => string = (page) => page) =>
  siteOf((guide) => change(html(guide, head(guide))))

const complete = (guide: Guide): string => description(guide) + canonical(guide) + jsonLd("TechArticle")

testCriterion(b4Metadata, {
  cases: [
    {
      name: "all five",
      site: pages(complete),
      earns: 3,
      facts: {
        pages: 5,
        title: 1,
        description: 1,
        canonical: 1,
        canonical_elsewhere: 0,
        language: 1,
        structured_data: 1
      },
      findings: [{ says: "All 5 sampled pages have a title, a description", proof: "/", good: true }]
    },
    {
      name: "a canonical with a trailing slash",
      site: pages(
        (guide) =>
          description(guide) +
          jsonLd("TechArticle") +
          canonical({ ...guide, path: guide.path === "/" ? "/" : `${guide.path}/` })
      ),
      earns: 3
    },
    {
      name: "microdata",
      site: pages(
        (guide) => description(guide) + canonical(guide),
        (page) => page.replace("<main>", '<main itemscope itemtype="https://schema.org/TechArticle">')
      ),
      earns: 3
    },
    {
      name: "one description that the template has for all",
      site: pages((guide) =>
        complete(guide).replace(
          description(guide),
          '<meta name="description" content="Parcel moves boxes between warehouses, and this is its documentation.">'
        )
      ),
      earns: 1,
      facts: { description: 0 },
      findings: [{ says: "has the description that most pages have", good: false }]
    },
    {
      name: "Chinese descriptions of half the letters, which say as much",
      site: pages((guide) =>
        complete(guide).replace(
          description(guide),
          `<meta name="description" content="介绍如何为每个请求附上密钥，以及在控制台的哪个页面创建它 ${guide.title}">`
        )
      ),
      earns: 3
    },
    {
      name: "descriptions too short",
      site: pages((guide) =>
        complete(guide).replace(description(guide), `<meta name="description" content="${guide.title}">`)
      ),
      earns: 1
    },
    {
      name: "Organization only",
      site: pages((guide) => description(guide) + canonical(guide) + jsonLd("Organization") + jsonLd("WebSite")),
      earns: 3,
      facts: { structured_data: 0 }
    },
    {
      name: "a trail of breadcrumbs only",
      site: pages(
        (guide) =>
          description(guide) +
          canonical(guide) +
          jsonLd("BreadcrumbList").replace('"name"', '"itemListElement":[{"@type":"ListItem","position":1}],"name"')
      ),
      earns: 3,
      facts: { structured_data: 0 }
    },
    {
      name: "JSON-LD that does not parse",
      site: pages((guide) => description(guide) + canonical(guide) + jsonLd("TechArticle").replace('"name"', "name")),
      earns: 3,
      facts: { structured_data: 0 }
    },
    { name: "no canonical and no structured data", site: pages(description), earns: 2, facts: { canonical: 0 } },
    {
      name: "every canonical is the home page",
      url: "/keys",
      site: {
        "/keys": html(
          {
            path: "/keys",
            title: "Making keys",
            paragraphs: ["Every key belongs to one warehouse and carries the rights of whoever made it, and so on."]
          },
          `<link rel="canonical" href="${HOST}/home">`
        )
      },
      earns: 1,
      facts: { canonical: 0, canonical_elsewhere: 1, title: 1, language: 1 }
    },
    {
      name: "a title alone",
      site: pages(
        () => "",
        (page) => page.replace(' lang="en"', "")
      ),
      earns: 1,
      facts: { title: 1, language: 0 }
    },
    {
      name: "Markdown pages have no head",
      site: {
        "/": "---\ntitle: Parcel\ndescription: Parcel moves boxes between warehouses and tells you where each stands.\n---\n\n# Parcel\n\nBoxes of all sizes, from here to there and back again, as often as you like.\n"
      },
      earns: 0,
      facts: { pages: 1, title: 0, description: 0 }
    },
    {
      name: "nothing",
      site: pages(
        () => "",
        (page) => page.replace(' lang="en"', "").replace(/<title>.*<\/title>/, "")
      ),
      earns: 0,
      facts: { title: 0 }
    },
    {
      name: "a title that scripts fill",
      site: pages(
        () => "",
        (page) => page.replace(' lang="en"', "").replace(/<title>.*<\/title>/, "<title>Loading...</title>")
      ),
      earns: 0,
      facts: { title: 0 },
      findings: [{ says: "has only a placeholder as its title", good: false }]
    },
    {
      name: "a challenge in place of the pages",
      site: { "*": { status: 403, headers: { "cf-mitigated": "challenge" } } },
      earns: "inconclusive"
    }
  ]
})
