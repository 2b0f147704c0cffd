import { a5EntryPoints } from "../../../plugins/a-discovery/a5-entry-points.ts"
import { testCriterion } from "../../../engine/testing/CriterionTester.ts"

const paths = ["start", "auth", "errors", "paging"]

const page = (title: string, head: string, foot = ""): string =>
  `<!doctype html><html><head><title>${title}</title>${head}</head><body><nav>${paths.map((path) => `<a href="/${path}">${path}</a>`).join("")}</nav>` +
  `<main><h1>${title}</h1><p>What there is to say about ${title}, in a sentence of some length, and then in another one, so that it is a page.</p></main>` +
  `<footer>${foot}</footer></body></html>`

/** Five pages, of which the first `announcing` have `head` and `foot`. */
const pages = (announcing: number, head: string, foot = ""): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ["", ...paths].map((path, index) => [
      `/${path}`,
      index < announcing ? page(path || "docs", head, foot) : page(path || "docs", "")
    ])
  )

const ALTERNATE = '<link rel="alternate" type="text/markdown" href="/index.md">'
const TARGETS = { "/llms.txt": "# Docs", "/index.md": "# Docs", "/openapi.json": '{"openapi":"3.1.0"}' }

testCriterion(a5EntryPoints, {
  cases: [
    {
      name: "Markdown alternates on every page",
      site: { ...pages(5, ALTERNATE), ...TARGETS },
      earns: 1,
      facts: { pages: 5, announcing: 1 },
      findings: [
        {
          says: "All 5 sampled pages announce an entry point for agents. / has a link element that names /index.md (alternate)",
          proof: "/",
          good: true
        }
      ]
    },
    {
      name: "a Link header",
      site: {
        ...Object.fromEntries(
          Object.entries(pages(5, "")).map(([path, body]) => [
            path,
            { body, headers: { Link: '</openapi.json>; rel="service-desc"; type="application/json"' } }
          ])
        ),
        ...TARGETS
      },
      earns: 1,
      findings: [{ says: "(service-desc)" }]
    },
    {
      name: "a visible link to llms.txt",
      site: { ...pages(5, "", '<a href="/llms.txt">llms.txt</a>'), ...TARGETS },
      earns: 1,
      findings: [{ says: "a link to /llms.txt" }]
    },
    {
      name: "an index for agents, by its path",
      site: { ...pages(5, '<link rel="index" href="/llms.txt">'), ...TARGETS },
      earns: 1,
      findings: [{ says: "a link element that names /llms.txt (index)" }]
    },
    {
      name: "an index for agents, by its type",
      site: { ...pages(5, '<link rel="index" type="text/markdown" href="/all.md">'), ...TARGETS },
      earns: 1
    },
    {
      name: "the index of a book, as Sphinx writes it, is no entry point",
      site: { ...pages(5, '<link rel="index" title="Index" href="/genindex.html">'), ...TARGETS },
      earns: 0,
      facts: { announcing: 0 }
    },
    {
      name: "on two pages of five",
      site: pages(2, '<link rel="describedby" href="/api.json">'),
      earns: "partial",
      facts: { announcing: 0.4 },
      findings: [{ says: "announces no entry point", good: false }]
    },
    {
      name: "feeds, translations and styles are no entry points",
      site: pages(
        5,
        '<link rel="alternate" type="application/rss+xml" href="/feed.xml"><link rel="alternate" hreflang="de" href="/de/"><link rel="alternate stylesheet" href="/dark.css">'
      ),
      earns: 0,
      facts: { announcing: 0 },
      findings: [{ says: "No sampled page announces", proof: "/" }]
    },
    {
      name: "an address written out in Markdown",
      site: {
        ...Object.fromEntries(
          ["", ...paths].map((path) => [
            `/${path}`,
            {
              type: "text/markdown",
              body: `> The index of the documentation: https://docs.example.com/llms.txt\n\n# ${path}\n\n${paths.map((each) => `- [${each}](/${each})`).join("\n")}\n`
            }
          ])
        ),
        ...TARGETS
      },
      earns: 1,
      findings: [{ says: "a link to /llms.txt", good: true }]
    },
    {
      name: "an alternate that leads nowhere",
      site: pages(5, ALTERNATE),
      earns: 0,
      findings: [{ says: "has a link element that names /index.md (alternate), which leads nowhere.", good: false }]
    },
    {
      name: "an alternate that leads nowhere beside a link to llms.txt",
      site: { ...pages(5, ALTERNATE, '<a href="/llms.txt">llms.txt</a>'), "/llms.txt": "# Docs" },
      earns: 1,
      findings: [{ says: "a link to /llms.txt", good: true }]
    },
    {
      name: "an llms.txt that does not answer",
      site: { ...pages(5, "", '<a href="/llms.txt">llms.txt</a>'), "/llms.txt": { status: 403 } },
      earns: 1
    },
    {
      name: "another site's llms.txt, linked wrongly",
      site: pages(5, "", '<a href="$https://other.test/llms.txt">llms.txt</a>'),
      earns: 0
    },
    {
      name: "an address on another site",
      site: pages(5, '<link rel="service-desc" href="https://specs.example.org/openapi.json">'),
      earns: 0
    },
    { name: "pages that do not answer", site: { "*": { status: 429 } }, earns: "inconclusive" }
  ]
})
