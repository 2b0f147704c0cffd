import { b1MarkdownTwins } from "../../../plugins/b-page-artifacts/b1-markdown-twins.ts"
import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { guides, html, markdown, siteOf, twinsOf } from "./Guides.ts"

const pages = siteOf((guide) => html(guide))
const [home, start, keys] = guides

testCriterion(b1MarkdownTwins, {
  cases: [
    {
      name: "every page has a twin",
      site: { ...pages, ...twinsOf(5) },
      earns: 5,
      facts: { pages: 5, with_twin: 1 },
      findings: [{ says: "A Markdown twin was found for all 5 sampled pages, such as /index.md", proof: "/index.md", good: true }]
    },
    {
      name: "declared by each page, at addresses that follow no rule",
      site: {
        ...siteOf((guide) => html(guide, `<link rel="alternate" type="text/markdown" href="/raw?page=${guide.path}">`)),
        ...Object.fromEntries(guides.map((guide) => [`/raw?page=${guide.path}`, { body: markdown(guide), type: "text/markdown" }]))
      },
      earns: 5
    },
    { name: "three of five pages", site: { ...pages, ...twinsOf(3) }, earns: 3, facts: { with_twin: 0.6 }, findings: [{ says: "has no Markdown twin", good: false }] },
    { name: "one page", site: { ...pages, "/keys.md": keys === undefined ? "" : markdown(keys) }, earns: 1, facts: { with_twin: 0.2 } },
    {
      name: "one address that every page declares is the twin of one page at most",
      site: {
        ...siteOf((guide) => html(guide, '<link rel="alternate" type="text/markdown" href="/docs.md">')),
        "/docs.md": guides.map(markdown).join("\n")
      },
      earns: 1,
      facts: { with_twin: 0.2 }
    },
    {
      name: "the page itself under another address",
      site: { ...pages, ...twinsOf(5, (guide) => ({ body: html(guide), type: "text/markdown" })) },
      earns: 0,
      facts: { with_twin: 0 },
      findings: [{ says: "is a web page, not Markdown", good: false }]
    },
    {
      name: "an error text with status 200",
      site: { ...pages, ...twinsOf(5, () => "# Page not found\n\nThe page you are looking for does not exist.\n") },
      earns: 0,
      findings: [{ says: "is an error text with status 200" }]
    },
    {
      name: "Markdown of something else",
      site: { ...pages, ...twinsOf(5, ({ path }) => `# Cookies\n\nThis site stores crumbs of information about visitors (${path}).\n`) },
      earns: 0,
      findings: [{ says: "is Markdown without the words of the page" }]
    },
    { name: "any address answers with one text", site: { ...pages, "*": { body: home === undefined ? "" : markdown(home), type: "text/markdown" } }, earns: 0 },
    { name: "none", site: pages, earns: 0, findings: [{ says: "found for none of 5 sampled pages" }] },
    {
      name: "every guess hangs",
      site: { ...pages, "*": ({ url }) => (url.includes("canary") || url.endsWith(".txt") || url.endsWith(".xml") ? { status: 404 } : { delayMs: Infinity }) },
      limits: { firstByteMs: 5 },
      earns: "inconclusive",
      findings: [{ says: "No Markdown version of a page could be had" }]
    },
    {
      name: "a stray Markdown file among web pages is no twin of any",
      site: {
        ...pages,
        "/": html({ path: "/", title: "Parcel documentation", paragraphs: [] }, "", '<p>More in <a href="/HISTORY.md">the history of boxes</a>.</p>'),
        "/HISTORY.md": "# History\n\nBoxes were invented long before warehouses were, and nobody knows by whom.\n"
      },
      earns: 0
    },
    { name: "pages that are Markdown themselves", url: "/start", site: start === undefined ? {} : { "/start": markdown(start) }, earns: 5 }
  ]
})
