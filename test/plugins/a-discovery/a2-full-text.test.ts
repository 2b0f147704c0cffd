import { a2FullText } from "../../../plugins/a-discovery/a2-full-text.ts"
import { testCriterion } from "../../../engine/testing/CriterionTester.ts"

const home =
  "<!doctype html><title>Docs</title><main><h1>Docs</h1><p>An API and what it does, told in enough words to be a page of its own, with a second clause.</p></main>"

const chapter = (name: string): string => `# ${name}\n\n${`What ${name} does, and when to use it. `.repeat(30)}\n\n`
const book = ["Start", "Auth", "Errors", "Paging"].map(chapter).join("")

testCriterion(a2FullText, {
  cases: [
    {
      name: "llms-full.txt at the origin",
      site: { "/": home, "/llms-full.txt": book },
      earns: 2,
      facts: { full_text_bytes: book.length },
      findings: [{ says: "/llms-full.txt has", proof: "/llms-full.txt", good: true }]
    },
    {
      name: "too long for most context windows",
      site: { "/": home, "/llms-full.txt": book.repeat(Math.ceil(1_000_000 / book.length)) },
      earns: 2,
      findings: [{ says: " tokens: too long for most context windows.", good: true }]
    },
    { name: "llms-ctx-full.txt", site: { "/": home, "/llms-ctx-full.txt": book }, earns: 2 },
    { name: "below the audited address", url: "/docs", site: { "/docs": home, "/docs/llms-full.txt": book }, earns: 2 },
    {
      name: "another file that llms.txt links to",
      site: {
        "/": home,
        "/llms.txt": "# Docs\n\n## Full text\n\n- [Everything in one file](/all-docs.txt): the full text\n",
        "/all-docs.txt": book
      },
      earns: 1,
      facts: { full_text_bytes: 0, linked_aggregate_bytes: book.length },
      findings: [{ says: "linked from llms.txt", proof: "/all-docs.txt" }]
    },
    {
      name: "too short to hold a text",
      site: { "/": home, "/llms-full.txt": "# Docs\n\nSee the site.\n" },
      earns: 0,
      facts: { full_text_bytes: 22 }
    },
    {
      name: "a web page in its place",
      site: { "/": home, "/llms-full.txt": { body: home + home + "<p>word</p>".repeat(500), type: "text/plain" } },
      earns: 0,
      findings: [{ says: "/llms-full.txt returns an HTML page", proof: "/llms-full.txt" }]
    },
    {
      name: "a long text that answers any address",
      site: { "/": home, "*": { body: book, type: "text/plain" } },
      earns: 0
    },
    {
      name: "none",
      site: { "/": home },
      earns: 0,
      findings: [
        {
          says: "There is no full text at /llms-full.txt or /llms-ctx-full.txt, and no llms.txt that could link to one.",
          proof: "/llms-full.txt"
        }
      ]
    },
    {
      name: "none that llms.txt links to",
      site: { "/": home, "/llms.txt": "# Docs\n\n## Pages\n\n- [Start](/)\n" },
      earns: 0,
      findings: [{ says: "and llms.txt links to none." }]
    },
    {
      name: "it hangs",
      site: { "/": home, "/llms-full.txt": { delayMs: Infinity } },
      limits: { firstByteMs: 5 },
      earns: "inconclusive"
    }
  ]
})
