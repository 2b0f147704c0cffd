import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { d1RunnableExamples } from "../../../plugins/d-content/d1-runnable-examples.ts"
import { code, manual, type ManualPage, plain } from "./Manual.ts"

const CURL = code("curl https://api.example.com/v1/orders -H 'Accept: application/json'", "bash")

/** Five reference pages, of which the first `showing` have `example`. */
const reference = (showing: number, example: string): Readonly<Record<string, ManualPage>> =>
  Object.fromEntries(
    ["list", "create", "fetch", "change", "delete"].map((name, index) => [
      `/reference/${name}`,
      { title: `${name} orders`, body: `<h2>Example</h2>${index < showing ? example : ""}` }
    ])
  )

const ORDERS_API = JSON.stringify({
  openapi: "3.1.0",
  info: { title: "Orders", version: "1" },
  servers: [{ url: "https://api.example.com/v1" }],
  paths: {
    "/orders": {
      get: {
        parameters: [{ name: "status", in: "query", schema: { type: "string" } }],
        responses: { 200: { description: "Orders" } }
      }
    }
  }
})

testCriterion(d1RunnableExamples, {
  cases: [
    {
      name: "curl on every reference page",
      site: manual(reference(5, CURL)),
      earns: 7,
      facts: { reference_pages: 5, runnable: 1 },
      findings: [{ says: "All 5 reference pages", good: true }]
    },
    {
      name: "a false call: no more than none at all",
      site: {
        ...manual({
          ...reference(5, CURL),
          "/reference/list": {
            title: "list orders",
            body: `<h2>Example</h2>${code("curl 'https://api.example.com/v1/orders?colour=red'", "bash")}<p><a href="/openapi.json">OpenAPI</a></p>`
          }
        }),
        "/openapi.json": ORDERS_API
      },
      earns: 0,
      facts: { runnable: 1, untrue_calls: 1 },
      findings: [
        { says: "While one is, examples earn no points.", good: false },
        { says: "All 5 reference pages", good: true },
        { says: "colour", good: false }
      ]
    },
    {
      name: "a request that a link sends, outside of code blocks",
      site: manual(
        reference(
          5,
          '<p><code>GET</code> <a href="https://api.example.com/v1/orders?status=open"><code>https://api.example.com/v1/orders?status=open</code></a></p>'
        )
      ),
      earns: 7,
      facts: { reference_pages: 5, runnable: 1 }
    },
    {
      name: "a request in text that no link sends, or that has a blank in it, does not count",
      site: manual({
        ...reference(3, "<p>GET https://api.example.com/v1/orders?status=open</p>"),
        "/reference/cancel": {
          title: "cancel orders",
          body: '<p>GET <a href="https://api.example.com/v1/orders/{id}">https://api.example.com/v1/orders/{id}</a></p>'
        }
      }),
      earns: 0,
      facts: { runnable: 0 }
    },
    {
      name: "a variable that the first block of the page sets",
      site: manual(
        reference(
          5,
          code("export API=https://api.example.com/v1", "bash") + code('curl -X POST "$API/orders" -d "{}"', "bash")
        )
      ),
      earns: 7,
      facts: { reference_pages: 5, runnable: 1 }
    },
    {
      name: "a name of the site before a full-width bar makes no page a reference page",
      site: Object.fromEntries(
        ["/", "/guide", "/news", "/terms"].map((path) => [
          path,
          `<!doctype html><html lang="ja"><head><title>注文 API｜${path === "/news" ? "オーダーズ" : "オーダーズ株式会社"}</title></head><body><nav><a href="/guide">a</a> <a href="/news">b</a> <a href="/terms">c</a></nav><main><h1>注文${path}</h1><p>このサービスは、お客さまの注文を受け付けた順に保存し、ページごとに返します。注文は明細とともに保存されます。詳しくは各ページをご覧ください。お問い合わせもお受けします。</p></main></body></html>`
        ])
      ),
      earns: 0,
      facts: { reference_pages: 0 }
    },
    {
      name: "on three of five",
      site: manual(reference(3, CURL)),
      earns: 7,
      facts: { runnable: 0.6 },
      findings: [{ says: "/reference/delete shows no request or call", good: false }]
    },
    {
      name: "on reference pages beyond the sample, which has none",
      site: manual({
        ...Object.fromEntries(
          Array.from({ length: 30 }, (_, n) => [`/guide/${10 + n}`, { title: `Guide ${n}`, body: "" }])
        ),
        ...reference(4, CURL)
      }),
      sampleSize: 3,
      earns: 7,
      facts: { reference_pages: 5, runnable: 0.8 },
      findings: [
        { says: "4 of 5 reference pages show", good: false },
        { says: "/reference/delete shows no", good: false }
      ]
    },
    {
      name: "pages of one API each, beyond the sample",
      site: manual({
        ...Object.fromEntries(
          Array.from({ length: 30 }, (_, n) => [`/guide-${10 + n}`, { title: `Guide ${n}`, body: "" }])
        ),
        "/stats-api": { title: "Stats API", body: CURL },
        "/events-api": { title: "Events API", body: CURL }
      }),
      sampleSize: 3,
      earns: 7,
      facts: { reference_pages: 2, runnable: 1 }
    },
    {
      name: "a page that only lists the reference pages is none of them",
      site: manual({
        ...reference(2, CURL),
        "/reference/": { title: "API reference", body: "<ul><li><a href=/reference/list>Listing orders</a></li></ul>" },
        "/reference/cancel": { title: "cancel orders", body: CURL }
      }),
      earns: 4,
      facts: { reference_pages: 6, runnable: 0.5 }
    },
    {
      name: "a page of the reference that consists of cards is none of them",
      site: {
        ...manual({ ...reference(3, CURL), "/reference/orders": { title: "Orders", body: "" } }),
        "/reference/orders":
          "<!doctype html><html lang=en><title>Orders | Orders Manual</title><main><h1>Orders</h1><p>All about the orders of your customers, and what became of them.</p>" +
          ["list", "get", "create"]
            .map(
              (name) =>
                `<a href="/reference/${name}"><h2>${name} orders</h2><p>How to ${name} what was ordered, page by page.</p></a>`
            )
            .join("") +
          "</main>"
      },
      earns: 7,
      facts: { reference_pages: 5, runnable: 0.6 }
    },
    {
      name: "a post of a blog is no reference page, whatever it shows",
      site: manual({
        ...reference(3, CURL),
        "/blog/how-we-stream": {
          title: "How we stream orders",
          body:
            code("GET /v1/orders/stream HTTP/1.1") + "<p>Our server answers <code>GET /v1/orders</code> at once.</p>"
        }
      }),
      earns: 7,
      facts: { reference_pages: 5, runnable: 0.6 }
    },
    { name: "on two of five", site: manual(reference(2, CURL)), earns: 4, facts: { runnable: 0.4 } },
    {
      name: "on a guide alone",
      site: manual({ ...reference(0, ""), "/guide": { title: "First steps", body: CURL } }),
      earns: 2,
      facts: { runnable: 0, runnable_pages: 1 }
    },
    {
      name: "in the full text alone",
      site: manual(reference(0, ""), {
        "/llms-full.txt": `# Orders\n\n${"All about orders.\n".repeat(80)}\n\`\`\`bash\ncurl https://api.example.com/v1/orders\n\`\`\`\n`
      }),
      earns: 2,
      facts: { runnable_pages: 1 }
    },
    {
      name: "installers are no examples",
      site: manual(reference(5, code("curl -fsSL https://example.com/install.sh | sh", "bash"))),
      earns: 0
    },
    {
      name: "data with addresses is no example",
      site: manual(reference(5, code('{"url": "https://api.example.com/v1/orders/1"}', "json"))),
      earns: 0,
      facts: { runnable_pages: 0 }
    },
    { name: "a path is no full address", site: manual(reference(5, code("curl /v1/orders", "bash"))), earns: 0 },
    {
      name: "a raw request with its host",
      site: manual(reference(5, code("GET /v1/orders HTTP/1.1\nHost: api.example.com", "http"))),
      earns: 7
    },
    {
      name: "a request line alone with a placeholder is the signature of an operation",
      site: manual(reference(5, code("GET https://api.example.com/v1/orders/:order_id"))),
      earns: 0,
      facts: { runnable_pages: 0 }
    },
    ...[
      "export default defineConfig({\n  server: { proxy: { '/api': { target: 'http://localhost:5000' } } }\n})",
      "await page.goto('http://localhost:5173/login');",
      "def receive_webhook(request):\n    return HttpResponseForbidden('Invalid token')"
    ].map((text) => ({
      name: `what sets up a build or drives a browser is no call: ${text.slice(0, 30)}`,
      site: manual(reference(5, code(text, "typescript"))),
      earns: 0,
      facts: { runnable_pages: 0 }
    })),
    {
      name: "the key of a package server is no call",
      site: manual(reference(5, code("curl https://deb.example.org/key.asc | gpg --import", "bash"))),
      earns: 0,
      facts: { runnable_pages: 0 }
    },
    {
      name: "the library of the product",
      site: manual(reference(5, code("from orders import Client\nClient().orders.list()", "python"))),
      earns: 7
    },
    {
      name: "running text is no code",
      site: manual({
        ...plain,
        "/api": { title: "API", body: "<p>Use curl https://api.example.com/v1/orders to try it.</p>" }
      }),
      earns: 0
    }
  ]
})
