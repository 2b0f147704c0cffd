import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { d7Lifecycle } from "../../../plugins/d-content/d7-lifecycle.ts"
import { manual, plain } from "./Manual.ts"

const changelog = (body: string, head = "") => ({ "/changelog": { title: "Changelog", body, head } })
const POLICY = { "/policy": { title: "Deprecation policy", body: "<p>An old version is supported for 12 months after we announce its end.</p>" } }
const GLOSSARY = { "/glossary": { title: "Glossary", body: "<dl><dt>Order</dt><dd>What a customer has asked for, with all of its lines and its price.</dd></dl>" } }
const FRESH = "<h2>1.2.0 (2026-05-20)</h2><p>Orders can be changed.</p><h2>1.1.0 (2025-01-02)</h2><p>First.</p>"

testCriterion(d7Lifecycle, {
  cases: [
    { name: "a fresh changelog and a policy", site: manual({ ...changelog(FRESH), ...POLICY }), earns: 2, facts: { dated: true, age_days: 26, policy: true, glossary: false }, findings: [{ says: "of 2026-05-20, 26 days before the audit", proof: "/changelog" }] },
    { name: "a fresh changelog and a glossary", site: manual({ ...changelog("<h2>May 2026</h2><p>Orders.</p>"), ...GLOSSARY }), earns: 2, facts: { age_days: 15 } },
    { name: "a date in the future is ignored", site: manual({ ...changelog("<h2>2026-12-01</h2><p>Planned.</p><h2>2025-01-02</h2><p>First.</p>"), ...POLICY }), earns: 1, facts: { age_days: 529 } },
    { name: "an old changelog", site: manual({ ...changelog("<h2>1.0 (2 January 2025)</h2><p>First.</p>"), ...POLICY, ...GLOSSARY }), earns: 1 },
    { name: "a changelog without dates", site: manual({ ...changelog("<h2>1.0.0</h2><p>First. Copyright 2026.</p>"), ...POLICY }), earns: 1, facts: { changelog: true, dated: false, age_days: 0 } },
    {
      name: "dated by its feed",
      site: manual({ ...changelog("<h2>1.0.0</h2><p>First.</p>", '<link rel="alternate" type="application/rss+xml" href="/changes.rss">'), ...POLICY }, {
        "/changes.rss": { type: "application/rss+xml", body: "<?xml version=\"1.0\"?><rss><channel><item><pubDate>Wed, 20 May 2026 08:00:00 GMT</pubDate></item></channel></rss>" }
      }),
      earns: 2,
      facts: { age_days: 26 }
    },
    { name: "a glossary alone", site: manual({ ...plain, ...GLOSSARY }), earns: 1, facts: { glossary: true, changelog: false } },
    { name: "a list of what a release deprecated is no policy", site: manual({ ...changelog("<h2>1.2.0</h2><h3>Deprecations</h3><p>The old list is no more supported, and will be removed.</p>") }), earns: 1, facts: { policy: false } },
    { name: "a heading over a link, and dates in passing", site: manual({ ...plain, "/guide": { title: "Guide", body: "<h2>Changelog</h2><p>See our repository for all that has changed since 2026-05-20 in this and in other projects of ours.</p><h2>Supported versions</h2><p>3.9</p><p>A word on glossaries.</p>" } }), earns: 0 },
    {
      name: "notes on a release in a blog",
      site: manual({ ...plain, "/blog/release-2-1": { title: "Orders Release 2.1.0", body: "<time datetime=\"2026-05-20T08:00:00Z\">May 20</time><p>Orders can be changed.</p>" } }),
      earns: 1,
      facts: { changelog: true, dated: true, age_days: 26 },
      findings: [{ says: "newest entry of the changelog is of 2026-05-20", proof: "/blog/release-2-1" }]
    },
    { name: "other news", site: manual({ ...plain, "/blog/round": { title: "We raise 2.5 million", body: "<p>On 2026-05-20, in version 2.1.</p>" }, "/blog/how": { title: "How we released 2.0 in one week of work", body: "<p>2026-05-20</p>" } }), earns: 0 },
    { name: "a recipe for release notes", site: manual({ ...plain, "/cookbook/release-notes": { title: "Automated release notes", body: "<h2>2026-05-20</h2><p>Run it.</p>" } }), earns: 0 }
  ]
})
