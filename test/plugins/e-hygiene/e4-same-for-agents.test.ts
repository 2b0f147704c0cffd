import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import type { FakeResponse } from "../../../engine/testing/FakeSite.ts"
import { e4SameForAgents } from "../../../plugins/e-hygiene/e4-same-for-agents.ts"
import { handbook, page } from "./Handbook.ts"

const HTML = "text/html; charset=utf-8"
const LONG = `<p>${"A page of some length is sent compressed, or it is not. ".repeat(60)}</p>`

/** The handbook with every page answered so. */
const answered = (response: FakeResponse, more = "") =>
  handbook({}, (path) => ({ type: HTML, body: page(path, { more }), ...response }))

const other = (path: string) =>
  `<!doctype html><title>${path}</title><main><h1>Welcome, robot</h1><p>This is what we have for robots, and it is not what we have for people, not at all.</p></main>`

testCriterion(e4SameForAgents, {
  cases: [
    {
      name: "the same, and all four",
      site: answered({ headers: { etag: '"1"' } }),
      earns: 4,
      facts: {
        compared: 3,
        same_status: 1,
        likeness: 1,
        revalidating: true,
        https: true,
        charset: true,
        compressed: true
      },
      findings: [
        {
          says: "All 3 compared pages return the same status and content to both User-Agents that we compared, docgauge's own and a browser's.",
          proof: "/",
          good: true
        }
      ]
    },
    {
      name: "the same, and Markdown that leads nowhere from the start page",
      site: handbook({}, (path) => ({
        type: HTML,
        body: page(path),
        headers: { etag: '"1"' },
        byAccept: {
          "text/markdown": {
            type: "text/markdown",
            body: `# About ${path}\n\nWhat the handbook has to say about ${path}, in as many words as it takes to be a page and not a stub, and in one more sentence of the same kind.\n`
          }
        }
      })),
      earns: "partial",
      facts: { same_status: 1, likeness: 1, dead_end: true },
      findings: [{ says: "The Markdown of / is a dead end: it names no index", proof: "/", good: false }]
    },
    {
      name: "a short max-age will do",
      site: answered({ headers: { "cache-control": "public, max-age=600" } }),
      earns: 4,
      facts: { revalidating: true }
    },
    {
      name: "no validator",
      site: answered({ headers: { "cache-control": "public, max-age=86400" } }),
      earns: 3,
      facts: { revalidating: false },
      findings: [{ says: "Missing: an ETag or Last-Modified header (all 3 pages).", good: false }]
    },
    {
      name: "large and not compressed",
      site: answered({ headers: { etag: '"1"' } }, LONG),
      earns: 3,
      facts: { compressed: false }
    },
    {
      name: "large and compressed",
      site: answered({ headers: { etag: '"1"', "content-encoding": "gzip" } }, LONG),
      earns: 4,
      facts: { compressed: true }
    },
    {
      name: "the same, and https alone",
      site: answered({ type: "text/html" }, LONG),
      earns: 2,
      facts: { revalidating: false, charset: false, compressed: false, https: true }
    },
    {
      name: "another status for browsers",
      site: handbook({}, (path) => ({
        type: HTML,
        headers: { etag: '"1"' },
        body: page(path),
        byAgent: { browser: { status: 403, type: HTML, body: "Forbidden" } }
      })),
      earns: 0,
      facts: { same_status: 0 },
      findings: [
        {
          says: "All 3 compared pages return one status to a browser and another to docgauge's own User-Agent.",
          good: false
        }
      ]
    },
    {
      name: "a page that is forbidden to agents alone",
      site: handbook(
        {
          "/install": {
            status: 403,
            type: HTML,
            body: "Forbidden",
            byAgent: { browser: { type: HTML, body: page("/install") } }
          }
        },
        (path) => ({ type: HTML, headers: { etag: '"1"' }, body: page(path) })
      ),
      earns: 0,
      facts: { compared: 4, same_status: 0.75, likeness: 0 },
      findings: [{ proof: "/install", good: false }]
    },
    {
      name: "a page that is forbidden to everyone",
      site: handbook({ "/install": { status: 403, type: HTML, body: "Forbidden" } }, (path) => ({
        type: HTML,
        headers: { etag: '"1"' },
        body: page(path)
      })),
      earns: 4,
      facts: { compared: 4, same_status: 1, likeness: 1 }
    },
    {
      name: "another text for agents on one page",
      site: handbook(
        {
          "/install": {
            type: HTML,
            headers: { etag: '"1"' },
            body: other("/install"),
            byAgent: { browser: page("/install") }
          }
        },
        (path) => ({ type: HTML, headers: { etag: '"1"' }, body: page(path) })
      ),
      earns: 0,
      facts: { same_status: 1 },
      findings: [{ proof: "/install", good: false }]
    },
    {
      name: "navigation may differ",
      site: handbook({}, (path) => ({
        type: HTML,
        headers: { etag: '"1"' },
        body: page(path),
        byAgent: { browser: page(path).replace("</nav>", "<a href=/account>Account</a></nav>") }
      })),
      earns: 4,
      facts: { likeness: 1 }
    },
    {
      name: "browsers get no answer",
      site: handbook({}, (path) => ({ body: page(path), byAgent: { browser: { fault: "reset" } } })),
      earns: "inconclusive"
    }
  ],
  ordeals: {
    // The same to all, over https, and with a charset.
    "soft 404": 3,
    "empty bodies": 3,
    "huge bodies": 2
  }
})
