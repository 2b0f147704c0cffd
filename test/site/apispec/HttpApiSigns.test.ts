import { describe, expect, it } from "vitest"
import type { FakeSite } from "../../../engine/testing/FakeSite.ts"
import { auditFakeSite } from "../../golden/AuditFakeSite.ts"

const TEXT =
  "Everything that the product does, in as many words as it takes to be a page and not a stub, and in one more sentence of the same kind."

const page = (title: string, more = ""): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${TEXT}</p>${more}</main></body></html>`

const code = (...lines: ReadonlyArray<string>): string => `<pre><code>${lines.join("\n")}</code></pre>`

const curl = (url: string): string => code(`curl -X POST ${url} -H 'X-Key: k'`)

const statuses = (...codes: ReadonlyArray<number>): string =>
  `<table><tr><th>Status</th><th>Meaning</th></tr>${codes.map((status) => `<tr><td>${status}</td><td>What it means for a letter</td></tr>`).join("")}</table>`

interface Case {
  readonly name: string
  readonly url?: string
  readonly more?: string
  readonly title?: string
  readonly others?: FakeSite
}

const isWithoutApi = async ({
  more = "",
  others = {},
  title = "Quill",
  url = "https://quill.dev"
}: Case): Promise<boolean> => {
  const { pathname } = new URL(url)
  const { reliability } = await auditFakeSite({ url, site: { [pathname]: page(title, more), ...others } })
  return reliability.flags.includes("no_http_api")
}

describe("a site without an HTTP API", () => {
  const libraries: ReadonlyArray<Case> = [
    {
      name: "a library that requests others in its examples",
      more: code(
        "GET https://httpbin.org/get",
        "GET https://httpbin.org/ip",
        "POST https://httpbin.org/post",
        "DELETE https://api.elsewhere.org/users/1"
      )
    },
    { name: "a fix of one path in the release notes", more: "<p>Encodes GET /test^path as GET /test%5Epath.</p>" },
    {
      name: "downloads",
      more: code(
        "curl -sSL https://quill.dev/install.sh | sh",
        "curl -O https://quill.dev/a.tar.gz",
        "curl https://quill.dev/b.tar.gz"
      )
    },
    {
      name: "URLs of others with a key, and a page of the product with one",
      more: code("https://api.elsewhere.org/v1/users?api_key=k", "https://quill.dev/download?token=t")
    },
    { name: "one call of another product", more: curl("https://api.elsewhere.org/v1/users") },
    { name: "the reference of a library", title: "API reference" },
    {
      name: "a host called api that holds the reference of a library",
      url: "https://api.quill.dev",
      title: "Quill Framework API",
      more: code("Quill.write('letter')", "config.host = 'https://api.quill.dev'")
    },
    {
      name: "a host called api and a route of an application in an example",
      url: "https://api.quill.dev",
      more: code("get '/letters'  # GET /letters")
    },
    {
      name: "a host called api that mentions two statuses of others",
      url: "https://api.quill.dev",
      more: statuses(200, 404, 503)
    },
    {
      name: "a host called api whose versions are those of a library",
      url: "https://api.quill.dev/v7.1",
      more: code("see https://api.quill.dev/v7.1.3/classes/Quill.html")
    },
    {
      name: "client code of a client library that calls its own site and servers of tests",
      more: code(
        "import quill",
        "quill.post('https://www.quill.dev/', headers=h)",
        "quill.get('http://localhost:8000/a')"
      ),
      others: {
        "/b": page("B", code("r = quill.get('http://localhost:8000/b')", "quill.get('http://localhost:8000/c')"))
      }
    },
    {
      name: "client code that calls others",
      more: code("import requests", "r = requests.get('https://api.elsewhere.org/v1/users', headers=h)")
    },
    {
      name: "client code that reads a file or a page of its own",
      more: code("fetch('https://quill.dev/data.json')", "fetch('https://cdn.quill.dev/a.js')")
    },
    {
      name: "routes of an application",
      more: code("app.get('/letters', list)", "app.post('/letters', add)", 'router.DELETE("/letters/:id", drop)')
    },
    { name: "a guide to the API of others", title: "Calling a REST API with Quill" },
    {
      name: "a page of a library's reference in a folder api",
      more: '<a href="/api/letters">Letters</a>',
      others: { "/api/letters": page("API of letters", code("Quill.letters('/letters')")) }
    },
    {
      name: "a part of a library that it calls an API",
      more: '<a href="/composition-api/">x</a>',
      others: { "/composition-api/": page("Composition") }
    },
    { name: "two endpoints of a server for metrics", more: "<p>Endpoint: /metrics</p><p>Endpoint: /health</p>" },
    { name: "paths of files", more: "<p>Path: /etc/quill</p><p>Path: /var/quill</p><p>Log: /var/log</p>" },
    { name: "a folder of generated reference", url: "https://quill.dev/apidocs" },
    {
      name: "a stub that says that it is not the product's API",
      more: '<a href="/openapi.json">OpenAPI</a>',
      others: {
        "/openapi.json": JSON.stringify({
          openapi: "3.1.0",
          info: {
            title: "Quill",
            version: "1",
            description: "Quill is not an HTTP API. This document exists for discovery only."
          },
          paths: { "/": { get: { responses: { 200: { description: "Website" } } } } }
        })
      }
    }
  ]
  it.each(libraries)("is known by what does not suggest one: $name", async (one) => {
    expect(await isWithoutApi(one)).toBe(true)
  })

  const services: ReadonlyArray<Case> = [
    { name: "three operations of its own", more: code("GET /orders", "POST /orders", "GET /orders/{id}") },
    {
      name: "operations at full URLs of the site",
      more: code(
        "GET https://api.quill.dev/orders",
        "POST https://api.quill.dev/orders",
        "GET https://api.quill.dev/orders/7"
      )
    },
    {
      name: "three calls of a server that its users run",
      more: [1, 2, 3].map((id) => curl(`http://localhost:8080/v1/jobs/${id}`)).join("")
    },
    ...[
      "http://localhost:8080",
      "http://10.0.0.5",
      "https://{tenant}.quill.cloud",
      "https://&lt;tenant&gt;.quill.cloud",
      "http://$HOST:80",
      "{{base}}"
    ].map((host) => ({
      name: `three operations on a server of the user's, ${host}`,
      more: code(`GET ${host}/orders`, `POST ${host}/orders`, `DELETE ${host}/orders/7`)
    })),
    ...[
      ["Python", "import requests as rq", "ROOT = 'https://api.quill.dev'", "rq.get(ROOT + '/orders', headers=h)"],
      ["JavaScript", "const a = await fetch('https://pay.quill.dev/orders', { headers: { Authorization: key } })"],
      ["Go", 'req, err := http.NewRequest("POST", "https://api.quill.dev/orders", body)'],
      ["Java", 'HttpRequest.newBuilder().uri(URI.create("https://quill.dev/api/orders")).build()'],
      ["PHP", "$ch = curl_init('https://quill.dev/v2/orders');"],
      ["Ruby", "Net::HTTP.get(URI('https://rest.quill.dev/orders'))"],
      ["C#", 'var client = new HttpClient { BaseAddress = new Uri("https://api.quill.dev") };']
    ].map(([name = "", ...lines]) => ({ name: `client code in ${name}`, more: code(...lines) })),
    { name: "a call of a domain that is called like the product", more: curl("https://api.quill.com/v1/orders") },
    {
      name: "three paths of a user's server in client code",
      more: code(
        "import requests",
        "B = 1",
        "requests.get('http://localhost:80/a')",
        "requests.get(f'{BASE}/b')",
        "requests.get('http://quill/c')"
      )
    },
    ...[
      "Endpoint",
      "Endpunkt",
      "Punto de acceso",
      "Point de terminaison",
      "エンドポイント",
      "엔드포인트",
      "Ponto de extremidade",
      "Эндпоинт",
      "终结点"
    ].map((label) => ({
      name: `endpoints without methods, each called ${label}`,
      more: ["/new_order", "/orders", "/drop_order"].map((path) => `<p>${label}: <code>${path}</code></p>`).join("")
    })),
    {
      name: "calls on a page that is read for a topic only",
      more: '<a href="/zz/authentication/">Authentication</a>',
      others: { "/zz/authentication/": page("Authentication", curl("https://rest.quill.dev/orders")) }
    },
    {
      name: "the folder of a page",
      more: '<a href="/docs/restful-api/orders/">Orders</a>',
      others: { "/docs/restful-api/orders/": page("Orders") }
    },
    {
      name: "a page in a folder api with an operation and its response",
      more: '<a href="/docs/api/orders">Orders</a>',
      others: { "/docs/api/orders": page("Orders", code("GET /orders") + code('{ "orders": [] }')) }
    },
    {
      name: "a later title that names the kind of API and a table of its statuses",
      more: '<a href="/errors">Errors</a>',
      others: { "/errors": page("Errors of the REST API", statuses(401, 403, 404)) }
    },
    { name: "one call of the site itself", more: curl("https://api.quill.dev/v1/orders") },
    { name: "the name of the host", url: "https://api-docs.quill.dev" },
    {
      name: "a host called api and one call",
      url: "https://api.quill.dev",
      more: curl("https://sandbox.elsewhere.org/letters")
    },
    {
      name: "a host called api and an operation of a version",
      url: "https://api.quill.dev",
      more: code("GET /v1/letters")
    },
    {
      name: "a host called api and a URL of a version in client code",
      url: "https://api.quill.dev",
      more: code("requests.get('https://api.quill.dev/v2/letters')")
    },
    {
      name: "a host called api and an operation with its response",
      url: "https://api.quill.dev",
      more: code("GET /letters") + code('{ "letters": [] }')
    },
    {
      name: "a host called api and an operation with its status codes",
      url: "https://api.quill.dev",
      more: `${code("GET /letters")}${statuses(404)}`
    },
    {
      name: "a title that names an API and a table of its statuses",
      title: "注文API | Quill",
      more: statuses(200, 400, 401, 429)
    },
    {
      name: "a title that names an API and a link that says its kind",
      title: "注文API | Quill",
      more: '<a href="https://elsewhere.org/reference">REST API リファレンス</a>'
    },
    {
      name: "a host called api and an operation with the status line of its response",
      url: "https://api.quill.dev",
      more: code("GET /letters") + code("HTTP/1.1 200 OK")
    },
    {
      name: "a URL of the product's API with a signature in its query",
      more: code("https://api.quill.dev/letters?AccessKeyId=K1&Signature=s")
    },
    { name: "the name of the folder", url: "https://quill.dev/user-api-doc" },
    {
      name: "the title, in Japanese, and one call",
      title: "注文API | Quill",
      more: curl("https://sandbox.elsewhere.org/orders")
    },
    { name: "a kind of API in the title", title: "GraphQL API overview" },
    { name: "the schema of a GraphQL API in the title", title: "Graphql schema documentation" }
  ]
  it.each(services)("is not what suggests one: $name", async (one) => {
    expect(await isWithoutApi(one)).toBe(false)
  })

  it.each<Case>([
    { name: "a page of the sample", more: '<a href="/letters">Letters</a>', others: { "/letters": { status: 503 } } },
    {
      name: "a well-known URL of API descriptions",
      others: { "/openapi.json": { status: 429, headers: { "retry-after": "600" } } }
    }
  ])("is not told where we could not read $name", async (one) => {
    expect(await isWithoutApi(one)).toBe(false)
  })
})
