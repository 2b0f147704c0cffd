import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import type { FakeSite } from "../../../engine/testing/FakeSite.ts"
import { e3StableAddresses } from "../../../plugins/e-hygiene/e3-stable-addresses.ts"
import { handbook, page, PATHS, shell } from "./Handbook.ts"

const canonical = (path: string) => `<link rel="canonical" href="https://docs.example.com${path}">`
const ANCHORED = `<h2 id="one">One</h2><p>Text.</p><h3>Two<a id="two" href="#two">#</a></h3><p>Text.</p>`
const BARE = "<h2>One</h2><p>Text.</p><h3>Two</h3><p>Text.</p>"
const SELECTOR = `<select name="version"><option value="/">2.0</option><option value="/old/">1.0</option></select>`
const OLD: FakeSite = { "/old/": page("/old/") }

/** The handbook with these traits on each page. */
const having = ({ anchors = false, canonicals = false, versions = false }, others: FakeSite = {}): FakeSite =>
  handbook(others, (path) =>
    page(path, {
      head: canonicals ? canonical(path) : "",
      more: (anchors ? ANCHORED : BARE) + (versions ? SELECTOR : "")
    })
  )

testCriterion(e3StableAddresses, {
  cases: [
    {
      name: "all four",
      site: having({ anchors: true, canonicals: true, versions: true }, OLD),
      earns: 1,
      facts: {
        substantive_pages: 5,
        plain_routes: true,
        versioned: true,
        headings: 10,
        anchored: 1,
        canonical: 1,
        repeated_canonicals: 0
      },
      findings: [{ says: "All 10 h2 and h3 headings have an id of their own", good: true }]
    },
    {
      name: "no version",
      site: having({ anchors: true, canonicals: true }),
      earns: "partial",
      facts: { versioned: false },
      findings: [{ says: "No page has a version", good: false }]
    },
    {
      name: "a version in the path",
      site: { "/v2/": page("/v2/", { more: ANCHORED }), "/": { redirect: "/v2/" } },
      earns: "partial",
      facts: { versioned: true, canonical: 0 }
    },
    {
      name: "a version among the words of a folder",
      site: { "/api-v1-docs/": page("/api-v1-docs/", { more: ANCHORED }), "/": { redirect: "/api-v1-docs/" } },
      earns: "partial",
      facts: { versioned: true }
    },
    {
      name: "a version in the name of one page's folder",
      site: having({ anchors: true, canonicals: true }, { "/sole-traders-v2/": page("/sole-traders-v2/") }),
      earns: "partial",
      facts: { versioned: false }
    },
    {
      name: "a version selector whose links are dead",
      site: having({ anchors: true, canonicals: true, versions: true }),
      earns: "partial",
      facts: { versioned: false },
      findings: [
        { says: "/ has a version selector, but no link of it that we tried leads to another version", good: false }
      ]
    },
    {
      name: "a version selector without links",
      site: handbook({}, (path) =>
        page(path, { head: canonical(path), more: `${ANCHORED}<div class=version-switcher></div>` })
      ),
      earns: "partial",
      facts: { versioned: false }
    },
    {
      name: "a version selector whose links could not be fetched",
      site: having({ anchors: true, canonicals: true, versions: true }, { "/old/": { status: 429 } }),
      earns: "inconclusive"
    },
    {
      name: "one id on two headings is no address of either",
      site: handbook({}, (path) =>
        page(path, {
          head: canonical(path),
          more: '<h2 id="one">One</h2><p>Text.</p><h2 id="one">Two</h2><p>Text.</p><h2 id="three">Three</h2><p>Text.</p>'
        })
      ),
      earns: "partial",
      facts: { headings: 15, anchored: 0.3333 },
      findings: [{ says: "5 of 15 h2 and h3 headings have an id of their own", good: false }]
    },
    {
      name: "headings that only repeat are left out",
      site: handbook({}, (path) =>
        page(path, {
          head: canonical(path),
          more: ["list", "make"]
            .map((name) => `<h2 id="${name}">${name}</h2><p>Text.</p><h3>Responses</h3><p>Text.</p>`)
            .join("")
        })
      ),
      earns: "partial",
      facts: { headings: 10, anchored: 1 },
      findings: [
        { says: "All 10 h2 and h3 headings whose text does not repeat on the page have an id of their own", good: true }
      ]
    },
    {
      name: "words that look like versions",
      site: {
        ...having({ anchors: true }),
        "/maintain": page("/maintain"),
        "/": page("/", { more: "<a href=/maintain>v2</a>" + ANCHORED })
      },
      earns: "partial",
      facts: { versioned: false }
    },
    {
      name: "one canonical for all pages",
      site: handbook({}, (path) => page(path, { head: canonical("/"), more: ANCHORED })),
      earns: "partial",
      facts: { repeated_canonicals: 1 },
      findings: [{ says: "share theirs with another page", good: false }]
    },
    {
      name: "an anchor right before the heading, or on the section that it opens",
      site: handbook({}, (path) =>
        page(path, {
          more: "<a name=one></a><h2>One</h2><p>Text.</p><section id=two><h3>Two</h3><p>Text.</p></section>"
        })
      ),
      earns: "partial",
      facts: { anchored: 1 }
    },
    {
      name: "plain routes alone",
      site: having({}),
      earns: 0,
      facts: { plain_routes: true, anchored: 0, canonical: 0 },
      findings: [{ says: "No h2 or h3 heading has an id of its own", good: false }]
    },
    {
      name: "hash routes",
      site: {
        "/": page("/", {
          more:
            ANCHORED +
            "<ul>" +
            [1, 2, 3, 4].map((page) => `<li><a href="#/guide/${page}">Guide ${page}</a></li>`).join("") +
            "</ul>"
        })
      },
      earns: 0,
      facts: { plain_routes: false }
    },
    {
      name: "shells have nothing to cite",
      site: Object.fromEntries(PATHS.map((path) => [path, shell])),
      earns: 0,
      facts: { substantive_pages: 0 }
    },
    { name: "pages that do not answer", site: { "*": { status: 429 } }, earns: "inconclusive" }
  ]
})
