import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { d7Lifecycle } from "../../../plugins/d-content/d7-lifecycle.ts"
import { code, manual, plain, table } from "./Manual.ts"

const changelog = (body: string, head = "") => ({ "/changelog": { title: "Changelog", body, head } })
const POLICY = {
  "/policy": {
    title: "Deprecation policy",
    body: "<p>An old version is supported for 12 months after we announce its end.</p>"
  }
}
const GLOSSARY = {
  "/glossary": {
    title: "Glossary",
    body: "<dl><dt>Order</dt><dd>What a customer has asked for, with all of its lines and its price.</dd></dl>"
  }
}
const FRESH = "<h2>1.2.0 (2026-05-20)</h2><p>Orders can be changed.</p><h2>1.1.0 (2025-01-02)</h2><p>First.</p>"
const GERMAN =
  "<p>Die Bestellungen der Kunden werden mit der Schnittstelle gelesen, und die Daten sind für alle gleich.</p>"
const described = (operation: object) => ({
  "/openapi.json": JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Orders", version: "1" },
    paths: { "/orders": { post: { ...operation, responses: { 201: { description: "Created" } } } } }
  })
})
const RELEASES = code(
  '[\n  {\n    "tag_name": "v0.2.0",\n    "released_at": "2026-01-03T01:56:19.539Z"\n  }\n]',
  "json"
)

testCriterion(d7Lifecycle, {
  cases: [
    {
      name: "a fresh changelog and a policy",
      site: manual({ ...changelog(FRESH), ...POLICY }),
      earns: 2,
      facts: { dated: true, age_days: 26, policy: true, glossary: false },
      findings: [{ says: "dated 2026-05-20, 26 days before the audit", proof: "/changelog" }]
    },
    {
      name: "a fresh changelog and a glossary, which is no policy",
      site: manual({ ...changelog("<h2>May 2026</h2><p>Orders.</p>"), ...GLOSSARY }),
      earns: 1,
      facts: { age_days: 15 },
      findings: [{ says: "dated May 2026, which ended 15 days before the audit" }]
    },
    {
      name: "headings that are months as machines write them",
      site: manual({ ...changelog("<h2>2026-05</h2><p>Orders.</p><h2>2026-03</h2><p>First.</p>"), ...POLICY }),
      earns: 2,
      facts: { age_days: 15 },
      findings: [{ says: "dated May 2026, which ended 15 days before the audit" }]
    },
    {
      name: "a changelog that its folder names, and the version that it is of",
      site: manual({ "/changelog/v5": { title: "V5", body: "<h2>2026-05-20</h2><p>Orders can be changed.</p>" } }),
      earns: 1,
      facts: { age_days: 26 },
      findings: [{ says: "dated 2026-05-20", proof: "/changelog/v5" }]
    },
    {
      name: "days below the month that they are in",
      site: manual({ ...changelog("<h2>May 2026</h2><h3>2026-05-04</h3><p>Orders.</p>"), ...POLICY }),
      earns: 2,
      facts: { age_days: 42 },
      findings: [{ says: "dated 2026-05-04, 42 days before the audit" }]
    },
    {
      name: "months below the year that they are in",
      site: manual({
        ...plain,
        "/guide": {
          title: "Guide",
          body: "<h2>Release notes</h2><h3>2025</h3><h4>December</h4><p>First.</p><h3>2026</h3><h4>May</h4><p>Orders.</p>"
        }
      }),
      earns: 1,
      facts: { age_days: 15 },
      findings: [{ says: "dated May 2026, which ended 15 days before the audit" }]
    },
    {
      name: "the month of the audit in another language",
      site: manual({ ...changelog("<h2>Juni 2026</h2><p>Die Bestellungen sind nun auch nach dem Tag sortiert.</p>") }),
      earns: 1,
      facts: { dated: true, age_days: 0 },
      findings: [{ says: "dated June 2026, the month of the audit" }]
    },
    {
      name: "a date in the future is ignored",
      site: manual({ ...changelog("<h2>2026-12-01</h2><p>Planned.</p><h2>2025-01-02</h2><p>First.</p>"), ...POLICY }),
      earns: 1,
      facts: { age_days: 529 }
    },
    {
      name: "an old changelog",
      site: manual({ ...changelog("<h2>1.0 (2 January 2025)</h2><p>First.</p>"), ...POLICY, ...GLOSSARY }),
      earns: 1
    },
    {
      name: "a changelog without dates",
      site: manual({ ...changelog("<h2>1.0.0</h2><p>First. Copyright 2026.</p>"), ...POLICY }),
      earns: 1,
      facts: { changelog: true, dated: false, age_days: 0 }
    },
    {
      name: "dated by its feed",
      site: manual(
        {
          ...changelog(
            "<h2>1.0.0</h2><p>First.</p>",
            '<link rel="alternate" type="application/rss+xml" href="/changes.rss">'
          ),
          ...POLICY
        },
        {
          "/changes.rss": {
            type: "application/rss+xml",
            body: '<?xml version="1.0"?><rss><channel><item><pubDate>Wed, 20 May 2026 08:00:00 GMT</pubDate></item></channel></rss>'
          }
        }
      ),
      earns: 2,
      facts: { age_days: 26 }
    },
    ...["Changes", "What's new", "What is new in version 2", "Recent changes", "API changes", "Update log"].map(
      (heading) => ({
        name: `entries under the heading ${heading}`,
        site: manual({
          ...plain,
          "/guide": { title: "Guide", body: `<h2>${heading}</h2><h3>2026-05-20</h3><p>Orders can be changed.</p>` }
        }),
        earns: 1,
        facts: { changelog: true, dated: true, age_days: 26 }
      })
    ),
    {
      name: "a section on versioning that says what changes",
      site: manual({
        ...plain,
        "/guide": {
          title: "Guide",
          body: "<h2>Versioning</h2><p>The version is part of the path. A breaking change comes with a new version; fields are added without one.</p>"
        }
      }),
      earns: 1,
      facts: { policy: true }
    },
    ...[
      "Breaking changes to the API will only be introduced with a new version number.",
      "A breaking change is always released in a new major version.",
      "Deprecated versions stay available for 12 months."
    ].map((text) => ({
      name: `a sentence of the reference that promises: ${text}`,
      site: manual({ ...plain, "/reference": { title: "API reference", body: `<h2>Overview</h2><p>${text}</p>` } }),
      earns: 1,
      facts: { policy: true }
    })),
    ...["We made a breaking change in version 3.", "Old versions of documents are kept for 12 months."].map((text) => ({
      name: `a sentence of the reference that promises nothing of the API: ${text}`,
      site: manual({ ...plain, "/reference": { title: "API reference", body: `<h2>Overview</h2><p>${text}</p>` } }),
      earns: 0,
      facts: { policy: false }
    })),
    {
      name: "a section on versioning that promises nothing",
      site: manual({
        ...plain,
        "/guide": { title: "Guide", body: "<h2>Versioning</h2><p>Call us to learn which one you have.</p>" }
      }),
      earns: 0,
      facts: { policy: false }
    },
    {
      name: "days before months, as the column of dates shows",
      site: manual(
        changelog(table(["Date", "Change"], ["20/05/2026", "Orders can be changed"], ["01/02/2026", "First"]))
      ),
      earns: 1,
      facts: { dated: true, age_days: 26 }
    },
    {
      name: "months before days, as the column of dates shows",
      site: manual(changelog(table(["Version", "Released on"], ["1.1", "05/20/2026"], ["1.0", "02/01/2026"]))),
      earns: 1,
      facts: { dated: true, age_days: 26 }
    },
    {
      name: "a column of dates that may be read both ways",
      site: manual(changelog(table(["Version", "Date"], ["1.1", "05/06/2026"], ["1.0", "02/01/2026"]))),
      earns: 1,
      facts: { changelog: true, dated: false }
    },
    {
      name: "dates of another column",
      site: manual(changelog(table(["Version", "Ends"], ["1.1", "20/05/2026"]))),
      earns: 1,
      facts: { dated: false }
    },
    {
      name: "a glossary of a few words",
      site: {
        "/": "<title>Start</title><main><h1>Start</h1><p>Words of ours are in the <a href='/glossary'>glossary</a>, and all calls are in the reference of the API, page after page.</p></main>",
        "/glossary": "<title>Glossary</title><main><h1>Glossary</h1><p>An order is what was bought.</p></main>"
      },
      earns: 0,
      facts: { glossary: false },
      findings: [
        { says: "none of them is a changelog or a deprecation policy", good: false },
        { says: 'The page "Glossary" (/glossary) has fewer than 80 characters', proof: "/glossary", good: false }
      ]
    },
    {
      name: "a glossary alone earns nothing, and is reported",
      site: manual({ ...plain, ...GLOSSARY }),
      earns: 0,
      facts: { glossary: true, changelog: false }
    },
    ...["Partitions and terminology", "Model of work and terms"].map((heading) => ({
      name: `terms that are defined below the heading ${heading}`,
      site: manual({
        ...plain,
        "/model": {
          title: "How orders work",
          body: `<h2>${heading}</h2><ul><li><p>order – what a customer has bought at one time</p></li><li><p>parcel – a part of an order that is sent by itself</p></li><li><p>return – a parcel that the customer sends back</p></li></ul>`
        }
      }),
      earns: 0,
      facts: { glossary: true }
    })),
    {
      name: "definitions of objects are no glossary",
      site: manual({
        ...plain,
        "/reference": {
          title: "API reference",
          body: `<h2>Definitions</h2><h3>Order</h3>${code('{\n  "id": "8222115557375075439",\n  "title": "Two wooden chairs",\n  "state": "waiting for payment"\n}', "json")}${table(["Name", "Meaning"], ["id", "Its id"], ["title", "Its title"], ["state", "Its state"])}`
        }
      }),
      earns: 0,
      facts: { glossary: false }
    },
    {
      name: "a table of terms",
      site: manual({
        ...plain,
        "/model": {
          title: "Sharding",
          body:
            "<h2>Partition &amp; Replica Terminology</h2>" +
            table(
              ["Name", "Description"],
              ["Root", "What the customer sees"],
              ["Shard", "A part of it"],
              ["Fresh", "A new shard"]
            )
        }
      }),
      earns: 0,
      facts: { glossary: true }
    },
    ...["Terms of service", "Payment terms", "Changes to these terms"].map((heading) => ({
      name: `no glossary under ${heading}`,
      site: manual({
        ...plain,
        "/law": {
          title: "The law",
          body: `<h2>${heading}</h2><p>Pay within 30 days, or we send no more parcels to you, however much you ask us to.</p>`
        }
      }),
      earns: 0
    })),
    ...[
      "Deprecated: use `POST /v2/orders` instead.",
      "Replaced by `POST /v2/orders`.",
      "Bitte stattdessen `POST /v2/orders` verwenden."
    ].map((description) => ({
      name: `a deprecated operation that names what to use: ${description}`,
      site: manual(
        { ...plain, "/kunden": { title: "Kunden", body: GERMAN } },
        described({ deprecated: true, summary: "Create an order", description })
      ),
      earns: 1,
      facts: { policy: true },
      findings: [{ says: "The API description states a deprecation or versioning policy", proof: "/openapi.json" }]
    })),
    {
      name: "a deprecated operation without a replacement",
      site: manual(plain, described({ deprecated: true, description: "Will be gone soon." })),
      earns: 0
    },
    {
      name: "an operation in use that names another one",
      site: manual(plain, described({ description: "Use `POST /v2/orders` instead for more than one." })),
      earns: 0
    },
    {
      name: "versions that customers keep of their objects are no policy",
      site: manual({
        ...plain,
        "/object-versioning": {
          title: "Object versioning",
          body: "<p>An object can be kept in several versions. The newest version will not be removed when you delete an object.</p>"
        }
      }),
      earns: 0,
      facts: { policy: false }
    },
    {
      name: "a release in a full text is a changelog, and what it says of compatibility no policy",
      site: manual(plain, {
        "/llms-full.txt": `# Orders\n\nAll of the manual.\n\n## Orders v3 released\n\nA new major version of Orders is there.\n\n### Backwards compatibility\n\nThere is one breaking change; most programs need no change.\n\n${"Orders are kept in the order in which they came in. ".repeat(30)}\n`
      }),
      earns: 1,
      facts: { changelog: true, policy: false }
    },
    {
      name: "a list of what a release deprecated is no policy",
      site: manual({
        ...changelog(
          "<h2>1.2.0</h2><h3>Deprecations</h3><p>The old list is no more supported, and will be removed.</p>"
        )
      }),
      earns: 1,
      facts: { policy: false }
    },
    ...["May 2026", "20 May 2026", "Release of May 20, 2026"].map((entry) => ({
      name: `a list of what was deprecated, in the entry ${entry}`,
      site: manual(
        changelog(`<h2>${entry}</h2><h3>Deprecations</h3><p>The v1 export will be removed on 1 August.</p>`)
      ),
      earns: 1,
      facts: { changelog: true, policy: false }
    })),
    {
      name: "an entry dated in another language",
      site: manual(
        changelog(
          "<p>Hier steht, was sich mit den Versionen der Bestellungen ändert, und das ist für alle da.</p><h2>Mai 2026</h2><h3>Deprecations</h3><p>The v1 export will be removed on 1 August.</p>"
        )
      ),
      earns: 1,
      facts: { policy: false }
    },
    ...["Deprecation policy, May 2026", "Developer guide, as of May 2026"].map((title) => ({
      name: `a policy below the dated title ${title}`,
      site: manual({
        ...plain,
        "/guide": { title, body: "<h2>Deprecation policy</h2><p>An old version is supported for 12 months.</p>" }
      }),
      earns: 1,
      facts: { changelog: false, policy: true }
    })),
    {
      name: "releases that are a resource of the API",
      site: manual({
        ...plain,
        "/api/releases": {
          title: "Releases API",
          body: `<h2>List releases</h2><p><code>GET /projects/:id/releases</code></p><p>Since version 11.7, lists them.</p>${RELEASES}`
        }
      }),
      earns: 0,
      facts: { changelog: false }
    },
    {
      name: "the same in a full text",
      site: manual(plain, {
        "/llms-full.txt":
          '# Releases API\n\n`GET /projects/:id/releases`\n\nSince version 11.7.\n\n```json\n{\n  "released_at": "2026-01-03"\n}\n```\n\n# Orders\n\n```\n2026-01-03\n```\n'
      }),
      earns: 0,
      facts: { changelog: false }
    },
    {
      name: "dates in a response alone",
      site: manual({ ...plain, "/api/releases": { title: "Releases", body: RELEASES } }),
      earns: 0,
      facts: { changelog: false }
    },
    {
      name: "releases, one of which added a call",
      site: manual({
        ...plain,
        "/releases": { title: "Releases", body: "<h2>2026-05-20</h2><p>New:</p><p><code>GET /v2/orders</code></p>" }
      }),
      earns: 1,
      facts: { changelog: true, age_days: 26 }
    },
    {
      name: "a changelog that is plain text",
      site: manual(
        changelog("<pre>Changes\n\n1.2.0 2026-05-20\n  - Orders can be changed.\n\n1.1.0 2025-01-02\n  - First.</pre>")
      ),
      earns: 1,
      facts: { changelog: true, age_days: 26 }
    },
    {
      name: "a newer date in a sample of a changelog",
      site: manual(
        changelog(
          `<h2>1.1.0 (2025-01-02)</h2><p>Answers have a date:</p>${code('{\n  "date": "2026-05-20"\n}', "json")}`
        )
      ),
      earns: 1,
      facts: { age_days: 529 }
    },
    {
      name: "a heading over a link, and dates in passing",
      site: manual({
        ...plain,
        "/guide": {
          title: "Guide",
          body: "<h2>Changelog</h2><p>See our repository for all that has changed since 2026-05-20 in this and in other projects of ours.</p><h2>Supported versions</h2><p>3.9</p><p>A word on glossaries.</p>"
        }
      }),
      earns: 0
    },
    {
      name: "notes on a release in a blog",
      site: manual({
        ...plain,
        "/blog/release-2-1": {
          title: "Orders Release 2.1.0",
          body: '<time datetime="2026-05-20T08:00:00Z">May 20</time><p>Orders can be changed.</p>'
        }
      }),
      earns: 1,
      facts: { changelog: true, dated: true, age_days: 26 },
      findings: [{ says: "newest changelog entry is dated 2026-05-20", proof: "/blog/release-2-1" }]
    },
    {
      name: "a blog post named after a version",
      site: manual({
        ...plain,
        "/blog/v1.0.0-beta": {
          title: "v1.0.0-beta",
          body: '<time datetime="2026-05-20T08:00:00Z">May 20</time><p>The first version, for all who want to try it out.</p>'
        }
      }),
      earns: 1,
      facts: { changelog: true, age_days: 26 }
    },
    {
      name: "a page for a version of the documentation",
      site: manual({
        ...plain,
        "/docs/v1.0.0": {
          title: "v1.0.0",
          body: "<p>The documentation of version 1.0.0, with everything that there is.</p>"
        }
      }),
      earns: 0
    },
    {
      name: "a start page that is titled after the version that it documents",
      site: manual({
        ...plain,
        "/api": { title: "Orders API Version 2026.06", body: "<p>Here is the whole API.</p>" }
      }),
      earns: 0
    },
    {
      name: "other news",
      site: manual({
        ...plain,
        "/blog/round": { title: "We raise 2.5 million", body: "<p>On 2026-05-20, in version 2.1.</p>" },
        "/blog/how": { title: "How we released 2.0 in one week of work", body: "<p>2026-05-20</p>" }
      }),
      earns: 0
    },
    {
      name: "a recipe for release notes",
      site: manual({
        ...plain,
        "/cookbook/release-notes": { title: "Automated release notes", body: "<h2>2026-05-20</h2><p>Run it.</p>" }
      }),
      earns: 0
    }
  ]
})
