import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { d6SafeRetries } from "../../../plugins/d-content/d6-safe-retries.ts"
import { manual, plain, table } from "./Manual.ts"

const RETRIES =
  "<h2>Idempotent requests</h2><p>Send an Idempotency-Key, and repeat the request as often as you like.</p>"
const PAGES = "<h2>Pagination</h2><p>Pass the <code>cursor</code> of one page to get the next.</p>"
const EVENTS = "<h2>Webhooks</h2><p>We send a payload to your address for each order.</p>"
const SANDBOX = "<h2>Test mode</h2><p>With a test key nothing is charged, and nothing is shipped in production.</p>"
const page = (body: string) => manual({ ...plain, "/guide": { title: "Guide", body } })
const spec = (paths: object, more: object = {}) => ({
  "/openapi.json": JSON.stringify({ openapi: "3.1.0", info: { title: "Orders", version: "1" }, paths, ...more })
})
const get = (...names: ReadonlyArray<string>) => ({
  get: {
    parameters: names.map((name) => ({ name, in: "query", schema: { type: "string" } })),
    responses: { 200: { description: "Fine" } }
  }
})

testCriterion(d6SafeRetries, {
  cases: [
    {
      name: "all four",
      site: page(RETRIES + PAGES + EVENTS + SANDBOX),
      earns: 3,
      facts: { retries: true, pagination: true, events: true, sandbox: true },
      findings: [{ says: 'The section "Webhooks" of /guide documents webhooks', proof: "/guide" }]
    },
    { name: "two", site: page(RETRIES + PAGES), earns: 2 },
    { name: "one", site: page(EVENTS), earns: 1, findings: [{ says: ". Documented: webhooks, events or streaming." }] },
    {
      name: "that there is none answers too",
      site: page("<h2>Pagination</h2><p>Lists are not paginated.</p><h2>Webhooks</h2><p>There are no webhooks.</p>"),
      earns: 2
    },
    {
      name: "parameters of the description",
      site: manual(plain, spec({ "/orders": get("limit", "offset"), "/pay": get("Idempotency-Key") })),
      earns: 2,
      facts: { pagination: true, retries: true }
    },
    ...[
      ["page", "limit"],
      ["offset", "limit"],
      ["cursor (optional)", "limit"],
      ["pageNum", "pageSize"],
      ["start", "rows"]
    ].map(([one = "", other = ""]) => ({
      name: `parameters ${one} and ${other} in a table`,
      site: manual({
        ...plain,
        "/orders": {
          title: "Orders",
          body: table(
            ["Parameter", "Type", "Meaning"],
            ["status", "string", "Of the order"],
            [one, "integer", "Which"],
            [other, "integer", "How many"]
          )
        }
      }),
      earns: 1,
      facts: { pagination: true }
    })),
    {
      name: "parameters in a second column and in a list of terms",
      site: manual({
        ...plain,
        "/orders": { title: "Orders", body: table(["In", "Name"], ["query", "page"], ["query", "limit"]) },
        "/lines": {
          title: "Lines",
          body: "<dl><dt>offset</dt><dd>Where to begin</dd><dt>limit</dt><dd>How many</dd></dl>"
        }
      }),
      earns: 1,
      facts: { pagination: true }
    },
    {
      name: "a limit and a page of different tables",
      site: manual({
        ...plain,
        "/orders": {
          title: "Orders",
          body:
            table(["Parameter", "Meaning"], ["page", "Where you came from"]) +
            table(["Parameter", "Meaning"], ["limit", "Of money"])
        }
      }),
      earns: 0
    },
    {
      name: "a time to begin at and a limit, or a size and where from, are no paging",
      site: manual({
        ...plain,
        "/orders": {
          title: "Orders",
          body:
            table(["Parameter", "Meaning"], ["start", "Of the time"], ["limit", "Of money"]) +
            table(["Parameter", "Meaning"], ["from", "Which harbour"], ["size", "Of the boat"])
        }
      }),
      earns: 0
    },
    {
      name: "parameters in a list of items",
      site: manual({
        ...plain,
        "/orders": {
          title: "Orders",
          body: "<ul><li><code>from</code>: integer - where the page begins, for pagination</li><li><code>limit</code>: integer - how many</li></ul>"
        }
      }),
      earns: 1,
      facts: { pagination: true }
    },
    {
      name: "events and callbacks, and a test order",
      site: manual({
        ...plain,
        "/orders": {
          title: "Orders",
          body: "<h2>Events &amp; Callbacks</h2><p>Each function is called when we send a payload.</p><h2>Test order</h2><p>Checks an order without shipping it: a test.</p>"
        }
      }),
      earns: 2,
      facts: { events: true, sandbox: true }
    },
    {
      name: "parameters and servers of a description in another language",
      site: manual(plain, {
        "/openapi.json": JSON.stringify({
          openapi: "3.1.0",
          info: {
            title: "Pedidos",
            version: "1",
            description:
              "Esta API recebe os pedidos das lojas. Cada requisição deve ser feita com uma chave, e a chave é criada no painel da sua conta."
          },
          servers: [
            { url: "https://api.pedidos.test", description: "Produção" },
            { url: "https://h.pedidos.test", description: "Servidor de Homologação" }
          ],
          paths: { "/pedidos": get("paginacao.paginaAtual", "paginacao.itensPorPagina") }
        })
      }),
      earns: 2,
      facts: { pagination: true, sandbox: true }
    },
    {
      name: "subscriptions that customers pay for",
      site: page(
        "<h2>Subscriptions</h2><p>A subscription charges a customer every month, and in the event of a failure sends a mail.</p>"
      ),
      earns: 0,
      facts: { events: false }
    },
    ...[
      "Subscribe to changes of an order, and get a message for each.",
      "A subscription sends a webhook.",
      "Each subscription has a callback URL."
    ].map((said) => ({
      name: `subscriptions: ${said}`,
      site: page(`<h2>Subscriptions</h2><p>${said}</p>`),
      earns: 1,
      facts: { events: true }
    })),
    {
      name: "push subscriptions",
      site: page("<h2>Push subscriptions</h2><p>We send a message for each order.</p>"),
      earns: 1,
      facts: { events: true }
    },
    ...[
      "<h2>Sandbox</h2><p>Run code safely in an isolated machine.</p>",
      "<h2>Sandboxes</h2><p>Each sandbox is production-ready, and runs your tests in a container of its own.</p>"
    ].map((body) => ({
      name: `no test mode: ${body}`,
      site: page(body),
      earns: 0,
      facts: { sandbox: false }
    })),
    ...[
      "Test your integration before you sell.",
      "Nothing is charged, as there is no money in it.",
      "Calls do not reach production.",
      "Send your calls to https://sandbox.example.com/v1 instead.",
      "Use it with your test keys.",
      "There is no sandbox."
    ].map((said) => ({
      name: `a sandbox: ${said}`,
      site: page(`<h2>Sandbox</h2><p>${said}</p>`),
      earns: 1,
      facts: { sandbox: true }
    })),
    {
      name: "a product that is a sandbox",
      site: {
        "/": "<!doctype html><title>Sandbox</title><main><h1>Sandbox</h1><p>A machine for each of your agents, to run what they wrote.</p><h2>Sandbox</h2><p>Leave it before you go to production.</p></main>"
      },
      earns: 0,
      facts: { sandbox: false }
    },
    { name: "a limit alone is no paging", site: manual(plain, spec({ "/orders": get("limit") })), earns: 0 },
    {
      name: "webhooks and a sandbox of the description",
      site: manual(
        plain,
        spec(
          { "/orders": get() },
          {
            webhooks: { order: { post: { responses: { 200: { description: "Fine" } } } } },
            servers: [{ url: "https://sandbox.example.com" }]
          }
        )
      ),
      earns: 2,
      facts: { events: true, sandbox: true }
    },
    {
      name: "words that mean something else",
      site: page(
        "<h2>httpx-retries</h2><p>Retry.</p><h2>Sandbox Explorer</h2><p>A test tool.</p><h2>Pagination</h2><p>A plugin for pretty buttons.</p><h2>Event loop</h2><p>Sends.</p><h2>stream_events(id)</h2><p>Sends.</p><p>We retry, stream, page and test a lot.</p>"
      ),
      earns: 0
    }
  ]
})
