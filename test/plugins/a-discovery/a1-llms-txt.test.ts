import { a1LlmsTxt } from "../../../plugins/a-discovery/a1-llms-txt.ts"
import { testCriterion } from "../../../engine/testing/CriterionTester.ts"

const page = (title: string): string =>
  `<!doctype html><title>${title}</title><main><h1>${title}</h1><p>What there is to say about ${title}, in a sentence of some length, and then in another one, so that it is a page.</p></main>`

const guides = { "/": page("Docs"), "/start": page("Start"), "/auth": page("Auth"), "/errors": page("Errors") }

const llmsTxt =
  "# Docs\n\n> An API.\n\n## Guides\n\n- [Start](/start): first steps\n- [Auth](https://docs.example.com/auth)\n- [Errors](errors)\n"

testCriterion(a1LlmsTxt, {
  cases: [
    {
      name: "a link to a private address is dead",
      site: {
        ...guides,
        "/llms.txt": `${llmsTxt}- [Draft](http://localhost:4000/draft)\n- [Notes](http://10.0.0.7/notes)\n`
      },
      earns: 1,
      facts: { sampled_links: 5, dead_links: 2 },
      findings: [{ says: "/draft on localhost:4000, linked from /llms.txt, is on a private address", good: false }]
    },
    {
      name: "one in the description of a link is none that leads there",
      site: {
        ...guides,
        "/llms.txt": `${llmsTxt}- [Start](/start): run it at [your machine](http://localhost:4000)\n`
      },
      earns: 3,
      facts: { dead_links: 0 }
    },
    {
      name: "a file that follows the format, with relative links too",
      site: { ...guides, "/llms.txt": llmsTxt },
      earns: 3,
      facts: { h1: 1, link_sections: 1, links: 3, sampled_links: 3, dead_links: 0 },
      findings: [
        { says: "/llms.txt has 1 H1, 1 H2 section with links, 3 links in lists", proof: "/llms.txt", good: true }
      ]
    },
    {
      name: "one below the audited address, where there is none at the origin",
      url: "/v2",
      site: { ...guides, "/v2": page("Docs 2"), "/v2/llms.txt": llmsTxt.replace("(errors)", "(../errors)") },
      earns: 3,
      findings: [{ proof: "/v2/llms.txt" }]
    },
    {
      name: "one that pages name by rel=describedby, and that is at none of the usual places",
      site: {
        ...guides,
        "/": page("Docs").replace("<main>", '<link rel="describedby" href="/kb/llms.txt"><main>'),
        "/kb/llms.txt": llmsTxt.replace("(errors)", "(/errors)")
      },
      earns: 3,
      findings: [{ proof: "/kb/llms.txt" }]
    },
    {
      name: "one at the origin, where the nearer one could not be read",
      url: "/v2",
      site: { ...guides, "/v2": page("Docs 2"), "/llms.txt": llmsTxt, "/v2/llms.txt": { status: 503 } },
      earns: "inconclusive"
    },
    {
      name: "a dead link",
      site: { ...guides, "/llms.txt": `${llmsTxt}- [Gone](/gone)\n` },
      earns: 1,
      facts: { sampled_links: 4, dead_links: 1 },
      findings: [{ says: "/gone, linked from /llms.txt, returns 404", proof: "/gone", good: false }]
    },
    {
      name: "a link to an error page with status 200",
      site: {
        ...guides,
        "/llms.txt": `${llmsTxt}- [Gone](/gone)\n`,
        "/gone": "<title>Page not found</title><h1>Page not found</h1>"
      },
      earns: 1,
      facts: { dead_links: 1 },
      findings: [{ says: "is an error page with status 200", proof: "/gone" }]
    },
    {
      name: "links off the site and links inside descriptions are not followed",
      site: { ...guides, "/llms.txt": `${llmsTxt}- [Code](https://code.example.org/x): see [the old page](/gone)\n` },
      earns: 3,
      facts: { links: 4, sampled_links: 3, dead_links: 0 }
    },
    {
      name: "a link that hangs may be dead or alive",
      site: { ...guides, "/llms.txt": `${llmsTxt}- [Slow](/slow)\n`, "/slow": { delayMs: Infinity } },
      limits: { firstByteMs: 5 },
      earns: "inconclusive",
      facts: { sampled_links: 3, dead_links: 0 }
    },
    {
      name: "none of its links answers",
      site: {
        "/": page("Docs"),
        "/llms.txt": llmsTxt,
        "/start": { status: 503 },
        "/auth": { status: 503 },
        "/errors": { status: 503 }
      },
      earns: "inconclusive",
      findings: [{ says: "We could not fetch any of the pages" }]
    },
    {
      name: "two H1",
      site: { ...guides, "/llms.txt": `${llmsTxt}\n# More\n` },
      earns: 2,
      facts: { h1: 2 }
    },
    {
      name: "links in running text only",
      site: { ...guides, "/llms.txt": "# Docs\n\nSee [Start](/start), [Auth](/auth) and [Errors](/errors).\n" },
      earns: 1,
      facts: { h1: 1, link_sections: 0, links: 0 }
    },
    {
      name: "longer than 50 000 characters",
      site: { ...guides, "/llms.txt": `${llmsTxt}\n${"More words. ".repeat(5_000)}\n` },
      earns: 1
    },
    {
      name: "a web page in its place",
      site: { ...guides, "/llms.txt": { body: page("App"), type: "text/plain" } },
      earns: 0,
      facts: { h1: 0 },
      findings: [{ says: "/llms.txt returns an HTML page", proof: "/llms.txt" }]
    },
    {
      name: "a text without an H1",
      site: { ...guides, "/llms.txt": "Start: /start\nAuth: /auth\n" },
      earns: 0,
      findings: [{ says: "no H1s", proof: "/llms.txt", good: false }]
    },
    {
      name: "a catch-all that answers any address with one text",
      site: {
        "/": page("Docs"),
        "*": { body: "# Welcome\n\n## Pages\n\n- [A](/a)\n- [B](/b)\n- [C](/c)\n", type: "text/plain" }
      },
      earns: 0
    },
    {
      name: "none at all",
      site: guides,
      earns: 0,
      findings: [{ says: "There is no llms.txt at /llms.txt", proof: "/llms.txt" }]
    },
    {
      name: "an object store that forbids what it does not hold",
      site: { ...guides, "*": { status: 403, body: "<Error><Code>AccessDenied</Code></Error>" } },
      earns: 0
    },
    { name: "refused by the server", site: { ...guides, "/llms.txt": { status: 403 } }, earns: "inconclusive" }
  ]
})
