import { b3MarkdownFaithful } from "../../../plugins/b-page-artifacts/b3-markdown-faithful.ts"
import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { deadEnd, type Guide, guides, html, markdown, siteOf, versionsOf } from "./Guides.ts"

const pages = siteOf((guide) => html(guide))

const letters = "abcdefghij".split("")
const letter = (name: string): Guide => ({
  path: `/${name}`,
  title: `Shelf ${name}`,
  paragraphs: [`Shelf ${name} holds the boxes whose labels begin with the letter ${name}, and no others.`]
})

const CODE = ["import parcel", "box = parcel.box(500)", "parcel.ship(box)"]

testCriterion(b3MarkdownFaithful, {
  cases: [
    {
      name: "the same words, links that resolve",
      site: {
        ...pages,
        ...versionsOf(5, (guide) => `${markdown(guide)}\nSee [keys](/keys) and [the start](./start).\n`)
      },
      earns: 6,
      facts: { compared: 5, segments: 11, missing: 0, open_fences: 0, links: 2, broken_links: 0 },
      findings: [{ says: "has all", good: true }]
    },
    {
      name: "negotiated, where there is no Markdown file",
      site: siteOf((guide) => ({
        body: html(guide),
        byAccept: { "text/markdown": { body: markdown(guide), type: "text/markdown" } }
      })),
      earns: 6,
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
      earns: 4,
      facts: { missing: 0.0909 },
      findings: [{ says: "lacks 1 of 2 text segments of /keys", proof: "/keys.md", good: false }]
    },
    {
      name: "a code fence without an end",
      site: { ...pages, ...versionsOf(5, (guide) => `${markdown(guide)}\n\`\`\`shell\nparcel ship box\n`) },
      earns: 4,
      facts: { open_fences: 5 },
      findings: [{ says: "opens a code fence and never closes it" }]
    },
    {
      name: "links that fit the source tree and not the site",
      site: { ...pages, ...versionsOf(5, (guide) => `${markdown(guide)}\nSee [keys](../guides/keys.md).\n`) },
      earns: 4,
      facts: { links: 1, broken_links: 1 },
      findings: [
        { says: "/guides/keys.md, linked from the Markdown, returns 404", proof: "/guides/keys.md", good: false }
      ]
    },
    {
      name: "lines of code that stick together",
      site: {
        ...siteOf((guide) => html(guide, "", `<pre><code>${CODE.join("\n")}\n</code></pre>`)),
        ...versionsOf(5, (guide) => `${markdown(guide)}\n\`\`\`python\n${CODE.join("")}\n\`\`\`\n`)
      },
      earns: 2,
      facts: { missing: 0, code_lines: 15, missing_code: 1 },
      findings: [
        {
          says: 'lacks 3 of 3 lines of code of /, such as "import parcel".',
          proof: "/index.md",
          good: false
        }
      ]
    },
    {
      name: "code with the numbers of its lines, prompts, and lines that only a style sheet sets apart",
      site: {
        ...siteOf((guide) =>
          html(
            guide,
            "",
            `<pre><code>${CODE.map((line, index) => `<span class="linenos">${index + 1}</span>${line}`).join("\n")}</code></pre>` +
              `<pre>$ parcel ship box\n$ parcel follow box</pre><pre><code>${CODE.map((line) => `<b>${line}</b>`).join("")}</code></pre>`
          )
        ),
        ...versionsOf(
          5,
          (guide) =>
            `${markdown(guide)}\n\`\`\`python\n${CODE.join("\n")}\n\`\`\`\n\n> \`\`\`shell\n> parcel ship box\n> parcel follow box\n> \`\`\`\n`
        )
      },
      earns: 6,
      facts: { missing_code: 0 }
    },
    {
      name: "headings and links that became plain text",
      site: {
        ...siteOf((guide) =>
          html(
            guide,
            "",
            `<h2>Limits</h2><p>See <a href="/keys">the keys of every warehouse</a> and <a href="https://example.org/a">the standard</a>.</p>`
          )
        ),
        ...versionsOf(5, (guide) => `${markdown(guide)}\nLimits\n\nSee the keys of every warehouse and the standard.\n`)
      },
      earns: 4,
      facts: { missing: 0, headings: 10, missing_headings: 0.5, targets: 9, missing_targets: 1 },
      findings: [
        { says: 'lacks 1 of 2 headings of /, such as "Limits".', good: false },
        { says: "link targets of /, such as /keys.", good: false }
      ]
    },
    {
      name: "headings with numbers and as titles of components, links in other forms, and links that edit the page",
      site: {
        ...siteOf((guide) =>
          html(
            guide,
            "",
            `<h2>2.1 Limits<a class="headerlink" href="#limits">#</a></h2><h3>One card</h3><p>See <a href="/keys">the keys of every warehouse</a>, <a href="https://example.org/a">the standard</a>.</p>` +
              `<a href="https://github.com/parcel/docs/edit/main/page.md">Edit this page</a>`
          )
        ),
        ...versionsOf(
          5,
          (guide) =>
            `${markdown(guide)}\n## Limits\n\n<Card title="One card" />\n\nSee [the keys of every warehouse](keys.md), the standard https://example.org/a.\n`
        )
      },
      earns: 6,
      facts: { missing_headings: 0, targets: 9, missing_targets: 0 }
    },
    {
      name: "a start page that leads nowhere, as it is negotiated",
      site: siteOf((guide) => ({
        body: html(guide),
        byAccept: { "text/markdown": { body: deadEnd(guide), type: "text/markdown" } }
      })),
      earns: "partial",
      facts: { leading_on: 0, start_links: 4, start_lost: 1 },
      findings: [
        {
          says: "The Markdown of / is a dead end: it names no index, and links to none of the 4 pages of the documentation that the page leads to, such as /start.",
          proof: "/",
          good: false
        }
      ]
    },
    {
      name: "a start page whose Markdown has a URL of its own, where agents get HTML",
      site: { ...pages, ...versionsOf(5, deadEnd) },
      earns: 6,
      facts: { leading_on: 0, start_links: 0, start_lost: 0 }
    },
    {
      name: "a start page that loses most of its ways, as it is negotiated",
      site: siteOf((guide) => ({
        body: html(guide),
        byAccept: {
          "text/markdown": {
            body: markdown(guide).replace("All pages: /llms.txt", "Begin with [keys](/keys.md)."),
            type: "text/markdown"
          }
        }
      })),
      earns: 4,
      facts: { leading_on: 0.2, start_links: 4, start_lost: 0.75 },
      findings: [{ says: "names no index, and does not link to 3 of the 4 pages of the documentation", good: false }]
    },
    {
      name: "one card of a home page of cards",
      site: {
        "/": `<!doctype html><title>Parcel</title><h1>Parcel</h1><p>Everything for those who ship boxes by program.</p>${guides
          .slice(1)
          .map(
            ({ paragraphs, path, title }) =>
              `<a href="${path}"><article><h2>${title}</h2><p>${paragraphs.join(" ")}</p></article></a>`
          )
          .join("")}`,
        "/index.md": `# Parcel\n\n## First shipment\n\n${guides[1]?.paragraphs.join(" ")}\n`
      },
      sampleSize: 1,
      earns: 1,
      facts: { compared: 1, segments: 5, missing: 0.8 }
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
      earns: 6,
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
      earns: 4,
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
