import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { d6SafeRetries } from "../../../plugins/d-content/d6-safe-retries.ts"
import { manual, plain } from "./Manual.ts"

const RETRIES = "<h2>Idempotent requests</h2><p>Send an Idempotency-Key, and repeat the request as often as you like.</p>"
const PAGES = "<h2>Pagination</h2><p>Pass the <code>cursor</code> of one page to get the next.</p>"
const EVENTS = "<h2>Webhooks</h2><p>We send a payload to your address for each order.</p>"
const SANDBOX = "<h2>Test mode</h2><p>With a test key nothing is charged, and nothing is shipped in production.</p>"
const page = (body: string) => manual({ ...plain, "/guide": { title: "Guide", body } })
const spec = (paths: object, more: object = {}) => ({ "/openapi.json": JSON.stringify({ openapi: "3.1.0", info: { title: "Orders", version: "1" }, paths, ...more }) })
const get = (...names: ReadonlyArray<string>) => ({ get: { parameters: names.map((name) => ({ name, in: "query", schema: { type: "string" } })), responses: { 200: { description: "Fine" } } } })

testCriterion(d6SafeRetries, {
  cases: [
    { name: "all four", site: page(RETRIES + PAGES + EVENTS + SANDBOX), earns: 3, facts: { retries: true, pagination: true, events: true, sandbox: true }, findings: [{ says: "The section \"Webhooks\" of /guide documents webhooks", proof: "/guide" }] },
    { name: "two", site: page(RETRIES + PAGES), earns: 2 },
    { name: "one", site: page(EVENTS), earns: 1, findings: [{ says: "1 of 4 is documented" }] },
    { name: "that there is none answers too", site: page("<h2>Pagination</h2><p>Lists are not paginated.</p><h2>Webhooks</h2><p>There are no webhooks.</p>"), earns: 2 },
    { name: "parameters of the description", site: manual(plain, spec({ "/orders": get("limit", "offset"), "/pay": get("Idempotency-Key") })), earns: 2, facts: { pagination: true, retries: true } },
    { name: "a limit alone is no paging", site: manual(plain, spec({ "/orders": get("limit") })), earns: 0 },
    { name: "webhooks and a sandbox of the description", site: manual(plain, spec({ "/orders": get() }, { webhooks: { order: { post: { responses: { 200: { description: "Fine" } } } } }, servers: [{ url: "https://sandbox.example.com" }] })), earns: 2, facts: { events: true, sandbox: true } },
    {
      name: "words that mean something else",
      site: page("<h2>httpx-retries</h2><p>Retry.</p><h2>Sandbox Explorer</h2><p>A test tool.</p><h2>Pagination</h2><p>A plugin for pretty buttons.</p><h2>Event loop</h2><p>Sends.</p><h2>stream_events(id)</h2><p>Sends.</p><p>We retry, stream, page and test a lot.</p>"),
      earns: 0
    }
  ]
})
