import { b3MarkdownFaithful } from "../../../plugins/b-page-artifacts/b3-markdown-faithful.ts"
import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { type Guide, guides, html, markdown, siteOf, versionsOf } from "./Guides.ts"

const pages = siteOf((guide) => html(guide))

const letters = "abcdefghij".split("")
const letter = (name: string): Guide => ({
  path: `/${name}`,
  title: `Shelf ${name}`,
  paragraphs: [`Shelf ${name} holds the boxes whose labels begin with the letter ${name}, and no others.`]
})

testCriterion(b3MarkdownFaithful, {
  cases: [
    {
      name: "the same words, links that resolve",
      site: {
        ...pages,
        ...versionsOf(5, (guide) => `${markdown(guide)}\nSee [keys](/keys) and [the start](./start).\n`)
      },
      earns: 3,
      facts: { compared: 5, segments: 11, missing: 0, open_fences: 0, links: 2, broken_links: 0 },
      findings: [{ says: "has all", good: true }]
    },
    {
      name: "negotiated, where there is no Markdown file",
      site: siteOf((guide) => ({
        body: html(guide),
        byAccept: { "text/markdown": { body: markdown(guide), type: "text/markdown" } }
      })),
      earns: 3,
      facts: { compared: 5 }
    },
    {
      name: "a paragraph of one page is lost",
      site: {
        ...pages,
        ...versionsOf(5, (guide) =>
          markdown(guide.path === "/keys" ? { ...guide, paragraphs: guide.paragraphs.slice(0, 1) } : guide)
        )
      },
      earns: 2,
      facts: { missing: 0.0909 },
      findings: [{ says: "lacks 1 of 2 text segments of /keys", proof: "/keys.md", good: false }]
    },
    {
      name: "a code fence without an end",
      site: { ...pages, ...versionsOf(5, (guide) => `${markdown(guide)}\n\`\`\`shell\nparcel ship box\n`) },
      earns: 2,
      facts: { open_fences: 5 },
      findings: [{ says: "opens a code fence and never closes it" }]
    },
    {
      name: "links that fit the source tree and not the site",
      site: { ...pages, ...versionsOf(5, (guide) => `${markdown(guide)}\nSee [keys](../guides/keys.md).\n`) },
      earns: 2,
      facts: { links: 1, broken_links: 1 },
      findings: [
        { says: "/guides/keys.md, linked from the Markdown, returns 404", proof: "/guides/keys.md", good: false }
      ]
    },
    {
      name: "summaries in place of the pages",
      site: {
        ...pages,
        ...versionsOf(5, (guide) => markdown({ ...guide, paragraphs: ["Read the page on the site."] }))
      },
      earns: 1,
      findings: [{ says: "The Markdown of 5 pages lacks " }]
    },
    {
      name: "summaries under a title of their own",
      site: {
        ...pages,
        ...versionsOf(
          5,
          ({ paragraphs }) =>
            `# In short\n\n${paragraphs.slice(0, 1).join("").split(" ").slice(0, 8).join(" ")} and so on\n`
        )
      },
      earns: 1,
      facts: { compared: 5 }
    },
    {
      name: "eight pages by a stride of its own: of ten with Markdown, all but the fifth and the tenth",
      site: {
        "/": html(
          { path: "/", title: "Parcel documentation", paragraphs: [] },
          "",
          letters.map((name) => `<a href="/${name}">${name}</a>`).join(" ")
        ),
        ...Object.fromEntries(letters.map((name) => [`/${name}`, html(letter(name))])),
        ...Object.fromEntries(
          letters.map((name) => [
            `/${name}.md`,
            markdown("ej".includes(name) ? { ...letter(name), paragraphs: [] } : letter(name))
          ])
        )
      },
      earns: 3,
      facts: { compared: 8, segments: 8, missing: 0 }
    },
    {
      name: "a page without text of its own has nothing to be faithful to",
      site: {
        "/": '<!doctype html><title>Parcel documentation</title><div id="root"></div>',
        "/index.md": guides.slice(0, 1).map(markdown).join("")
      },
      earns: 1,
      facts: { compared: 1, segments: 0, missing: 1 },
      findings: [{ says: "found no text" }]
    },
    {
      name: "Markdown pages do not vouch for each other's links",
      site: {
        "/": "# Parcel\n\nBoxes of all sizes, from here to there and back again. See [prices](/prices) and [terms](/terms).\n",
        "/terms": "# Terms\n\nWhoever sends a box answers for what is in it, and for nothing else at all.\n"
      },
      earns: 2,
      facts: { missing: 0, links: 2, broken_links: 0.5 },
      findings: [{ says: "/prices, linked from the Markdown, returns 404", proof: "/prices" }]
    },
    {
      name: "no Markdown",
      site: pages,
      earns: 0,
      facts: { compared: 0 },
      findings: [{ says: "No sampled page has a Markdown version" }]
    },
    { name: "no page answers", site: { "*": { status: 503 } }, earns: "inconclusive" }
  ]
})
