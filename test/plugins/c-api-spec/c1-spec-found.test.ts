import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { c1SpecFound } from "../../../plugins/c-api-spec/c1-spec-found.ts"
import { linked, openapi, operation, page, STUB } from "./Descriptions.ts"

const petStore = openapi({
  info: { title: "Swagger Petstore", version: "1" },
  paths: { "/pet/{id}": { get: operation } }
})
const plantStore = openapi({
  info: { title: "OpenAPI Plant Store", version: "1" },
  paths: { "/plants": { get: operation }, "/plants/{id}": { delete: operation } }
})
const swagger = JSON.stringify({
  swagger: "2.0",
  info: { title: "Orders", version: "1" },
  paths: { "/orders": { get: operation } }
})
const postman = JSON.stringify({
  info: { name: "Orders", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
  item: [{ name: "List", request: "https://api.orders.dev/orders" }]
})
const link = (href: string, text = "OpenAPI") => page("Orders", `<p><a href="${href}">${text}</a></p>`)

testCriterion(c1SpecFound, {
  cases: [
    {
      name: "linked from a page",
      site: linked(openapi()),
      earns: 4,
      facts: { kind: "openapi", found_by: "announced", placeholder: false, off_site: false },
      findings: [
        {
          says: "The OpenAPI 3.1.0 description at /openapi.json lists 1 operation. It is linked from /.",
          proof: "/openapi.json",
          good: true
        }
      ]
    },
    {
      name: "YAML under any name that says what it is",
      site: {
        "/": link("/files/orders-api-spec.yml", "Download"),
        "/files/orders-api-spec.yml":
          "openapi: 3.0.3\ninfo: { title: T, version: '1' }\npaths:\n  /a:\n    get: { responses: { '200': { description: Done } } }\n"
      },
      earns: 4,
      findings: [{ says: "OpenAPI 3.0.3 description at /files/orders-api-spec.yml" }]
    },
    {
      name: "announced by a Link header",
      site: {
        "/": { body: page("Orders"), headers: { link: '</spec/v1>; rel="service-desc"' } },
        "/spec/v1": { body: openapi(), type: "application/json" }
      },
      earns: 4,
      facts: { found_by: "announced" },
      findings: [{ says: "announced by a Link header of /", proof: "/spec/v1" }]
    },
    {
      name: "named in llms.txt, as a link",
      site: {
        "/": page("Orders"),
        "/llms.txt": "# Orders\n\n## API\n\n- [OpenAPI](/v2/openapi.json): everything\n",
        "/v2/openapi.json": openapi()
      },
      earns: 4,
      findings: [{ says: "named in /llms.txt", proof: "/v2/openapi.json" }]
    },
    {
      name: "named in llms.txt, as bare text",
      site: {
        "/": page("Orders"),
        "/llms.txt": "# Orders\n\nThe contract is at https://docs.example.com/v2/openapi.json.\n",
        "/v2/openapi.json": openapi()
      },
      earns: 4
    },
    {
      name: "listed in the catalog",
      site: {
        "/": page("Orders"),
        "/.well-known/api-catalog": JSON.stringify({
          linkset: [{ anchor: "https://api.example.com/", "service-desc": [{ href: "/described" }] }]
        }),
        "/described": { body: openapi(), type: "application/json" }
      },
      earns: 4,
      findings: [{ says: "listed in /.well-known/api-catalog", proof: "/described" }]
    },
    {
      name: "at a well-known address that nothing leads to",
      site: {
        "/": page("Orders"),
        "/openapi.yaml":
          "openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n  /a:\n    get: { responses: { '200': { description: Done } } }\n"
      },
      earns: 4,
      facts: { found_by: "well_known" },
      findings: [{ says: "at a well-known URL; no page links to it", proof: "/openapi.yaml" }]
    },
    {
      name: "at a well-known address below the audited one",
      url: "/docs/",
      site: { "/docs/": page("Orders"), "/docs/openapi.json": openapi() },
      earns: 4,
      findings: [{ proof: "/docs/openapi.json" }]
    },
    {
      name: "OpenAPI below Swagger's address and beside a worse one: the better wins",
      site: { "/": link("/swagger.json", "Swagger"), "/swagger.json": swagger, "/openapi.json": openapi() },
      earns: 4,
      facts: { kind: "openapi", found_by: "well_known" },
      findings: [{ says: "/swagger.json is another API description: Swagger 2.0, 1 operation", proof: "/swagger.json" }]
    },
    {
      name: "of two of one kind, the one with more operations",
      site: {
        "/": page("Orders", '<a href="/a-openapi.json">one</a> <a href="/b-openapi.json">two</a>'),
        "/a-openapi.json": openapi(),
        "/b-openapi.json": openapi({ paths: { "/a": { get: operation, post: operation } } })
      },
      earns: 4,
      findings: [
        { says: "at /b-openapi.json lists 2 operations", proof: "/b-openapi.json" },
        { says: "/a-openapi.json is another API description" }
      ]
    },
    {
      name: "of two with as many operations, the richer one",
      site: {
        "/": page("Orders", '<a href="/a-openapi.json">one</a> <a href="/b-openapi.json">two</a>'),
        "/a-openapi.json": openapi({ paths: { "/orders": { get: { responses: { 200: { description: "Done" } } } } } }),
        "/b-openapi.json": openapi()
      },
      earns: 4,
      findings: [
        { says: "at /b-openapi.json lists 1 operation" },
        { says: "/a-openapi.json is another API description" }
      ]
    },
    {
      name: "of releases and what is in development, the newest release",
      site: {
        "/": page(
          "Orders",
          ["develop", "6.9", "6.10"].map((name) => `<a href="/orders-${name}.json">OpenAPI</a>`).join(" ")
        ),
        "/orders-develop.json": openapi({ paths: { "/a": { get: operation, post: operation } } }),
        "/orders-6.9.json": openapi({ paths: { "/a": { get: operation, post: operation } } }),
        "/orders-6.10.json": openapi()
      },
      earns: 4,
      findings: [{ says: "at /orders-6.10.json lists 1 operation" }]
    },
    {
      name: "of two versions that say as much, the higher one",
      site: {
        "/": page("Orders", '<a href="/9.0/openapi.json">9.0</a> <a href="/10.0/openapi.json">10.0</a>'),
        "/9.0/openapi.json": openapi(),
        "/10.0/openapi.json": openapi()
      },
      earns: 4,
      findings: [{ says: "at /10.0/openapi.json lists 1 operation" }]
    },
    {
      name: "inside a page, and the same announced: the announced one",
      site: {
        "/": page(
          "Orders",
          `<script id="api-reference" type="application/json">${openapi()}</script><a href="/openapi.json">OpenAPI</a>`
        ),
        "/openapi.json": openapi()
      },
      earns: 4,
      facts: { found_by: "announced" }
    },
    {
      name: "only in a viewer's configuration",
      site: {
        "/": page("Orders", '<redoc spec-url="/files/contract.json"></redoc>'),
        "/files/contract.json": openapi()
      },
      earns: 3,
      facts: { kind: "openapi", found_by: "viewer" },
      findings: [{ says: "named only in a viewer's configuration on /", proof: "/files/contract.json" }]
    },
    {
      name: "in the script beside Swagger UI's page, its sample aside",
      site: {
        "/": page("Orders", '<div id="swagger-ui"></div><script src="./swagger-initializer.js"></script>'),
        "/swagger-initializer.js":
          'window.ui = SwaggerUIBundle({ urls: [{ url: "https://petstore.swagger.io/v2/swagger.json" }, { url: "/files/contract.json", name: "Orders" }] })',
        "/files/contract.json": openapi()
      },
      earns: 3,
      facts: { found_by: "viewer" }
    },
    {
      name: "at a URL that a viewer's script puts together",
      site: {
        "/": page(
          "Orders",
          "<script>const v = 'v2'; SwaggerUIBundle({ url: `${location.origin}/files/${v}.json` })</script>"
        ),
        "/files/v2.json": openapi()
      },
      earns: 3,
      facts: { found_by: "viewer" }
    },
    {
      name: "in a file that a viewer's script fetches",
      site: {
        "/": page(
          "Orders",
          "<script>fetch('files/contract.json').then((r) => r.json()).then((spec) => SwaggerUIBundle({ spec }))</script>"
        ),
        "/files/contract.json": openapi()
      },
      earns: 3,
      facts: { found_by: "viewer" },
      findings: [{ says: "named only in a viewer's configuration on /", proof: "/files/contract.json" }]
    },
    {
      name: "in a list of versions that a viewer's script fetches",
      site: {
        "/": page(
          "Orders",
          "<script>fetch('/versions.json').then((r) => r.json()).then((urls) => SwaggerUIBundle({ urls }))</script>"
        ),
        "/versions.json": '[{ "url": "/files/contract.json", "name": "v2" }]',
        "/files/contract.json": openapi()
      },
      earns: 3,
      facts: { found_by: "viewer" }
    },
    {
      name: "at a URL that only the viewer's running script knows",
      site: { "/": page("Orders", "<script>decide().then((url) => SwaggerUIBundle({ url }))</script>") },
      earns: "inconclusive",
      findings: [{ says: "/ shows an API description whose URL only its scripts know, and we run none.", proof: "/" }]
    },
    {
      name: "at such a URL, beside a file that the script fetches for something else, and that is missing",
      site: {
        "/": page(
          "Orders",
          "<script>fetch('/greeting.json'); decide().then((url) => SwaggerUIBundle({ url }))</script>"
        )
      },
      earns: "inconclusive",
      findings: [{ says: "/ shows an API description whose URL only its scripts know, and we run none.", proof: "/" }]
    },
    {
      name: "at such a URL, but one elsewhere is announced",
      site: {
        "/": page("Orders", `<script>SwaggerUIBundle({ url: decide() })</script><a href="/openapi.json">OpenAPI</a>`),
        "/openapi.json": openapi()
      },
      earns: 4
    },
    {
      name: "on another site, at a URL of which only the beginning is written out",
      site: {
        "/": page(
          "Orders",
          "<script>fetch('https://git.example.net/tags').then((r) => r.json()).then((tags) => SwaggerUIBundle({ urls: tags.map((tag) => ({ url: 'https://raw.example.net/orders/' + tag.name + '/spec.json' })) }))</script>"
        )
      },
      earns: 1,
      facts: { kind: "none", off_site: true },
      findings: [
        { says: "/ names an API description on another site, raw.example.net, which we do not fetch", proof: "/" }
      ]
    },
    {
      name: "inside a page",
      site: { "/": page("Orders", `<script id="api-reference" type="application/json">${openapi()}</script>`) },
      earns: 3,
      facts: { kind: "openapi", found_by: "inline" },
      findings: [
        {
          says: "The OpenAPI 3.1.0 description inside / lists 1 operation. It is part of / and not a file of its own.",
          proof: "/"
        }
      ]
    },
    {
      name: "Swagger 2",
      site: { "/": link("/swagger.json"), "/swagger.json": swagger },
      earns: 3,
      facts: { kind: "swagger" }
    },
    {
      name: "a GraphQL schema",
      site: { "/": link("/schema.graphql", "Schema"), "/schema.graphql": "type Query { orders: [String] }" },
      earns: 3,
      facts: { kind: "graphql" }
    },
    {
      name: "only a Postman collection",
      site: { "/": link("/orders.postman_collection.json", "Postman"), "/orders.postman_collection.json": postman },
      earns: 1,
      facts: { kind: "postman", found_by: "announced" }
    },
    {
      name: "the pet store",
      site: linked(petStore),
      earns: 1,
      facts: { kind: "openapi", placeholder: true },
      findings: [{ says: "is the Petstore sample, not this product's API", good: false }]
    },
    {
      name: "the pet store, on a site about it",
      site: { ...linked(petStore), "/": page("Petstore API", '<a href="/openapi.json">OpenAPI</a>') },
      earns: 4,
      facts: { placeholder: false }
    },
    {
      name: "the plant store of Mintlify's starter",
      site: linked(plantStore),
      earns: 1,
      facts: { kind: "openapi", placeholder: true },
      findings: [{ says: "is the Plant Store sample, not this product's API", good: false }]
    },
    {
      name: "the plant store, on a site about it",
      site: { ...linked(plantStore), "/": page("Plant Store API", '<a href="/openapi.json">OpenAPI</a>') },
      earns: 4,
      facts: { placeholder: false }
    },
    {
      name: "the plant store, on a site about the pet store",
      site: { ...linked(plantStore), "/": page("Petstore API", '<a href="/openapi.json">OpenAPI</a>') },
      earns: 1,
      facts: { placeholder: true }
    },
    {
      name: "one without operations",
      site: linked(openapi({ paths: {} })),
      earns: 1,
      facts: { placeholder: true },
      findings: [{ says: "has neither operations nor webhooks", good: false }]
    },
    {
      name: "a stub that says that it is not the product's API",
      site: linked(openapi(STUB)),
      earns: 0,
      facts: { kind: "none", found_by: "none", placeholder: false },
      findings: [
        {
          says: "The OpenAPI 3.1.0 description at /openapi.json says that it is not the product's API, and no other was found.",
          proof: "/openapi.json",
          good: false
        }
      ]
    },
    {
      name: "a stub that says that there is no API",
      site: linked(
        openapi({
          ...STUB,
          info: {
            title: "Orders",
            version: "1.0",
            description: "Orders is a command-line tool; there is no public HTTP API."
          }
        })
      ),
      earns: 0,
      facts: { kind: "none" }
    },
    {
      name: "a small description that says what its API does not do",
      site: linked(
        openapi({
          info: {
            title: "Orders API",
            version: "1.0",
            description: "This API does not cancel orders, and no API key is needed."
          }
        })
      ),
      earns: 4,
      facts: { kind: "openapi" }
    },
    {
      name: "a description with parameters that says what it does not run",
      site: linked(
        openapi({
          ...STUB,
          paths: {
            "/orders": {
              get: { ...operation, parameters: [{ name: "page", in: "query", schema: { type: "integer" } }] }
            }
          }
        })
      ),
      earns: 4,
      facts: { kind: "openapi" }
    },
    {
      name: "of many, some that are not read",
      site: {
        "/": page(
          "Orders",
          ["a", "b", "c", "d", "e", "f"].map((name) => `<a href="/${name}-openapi.json">${name}</a>`).join(" ")
        ),
        "/a-openapi.json": openapi()
      },
      earns: 4,
      facts: { unread: 1 },
      findings: [
        {
          says: "The site names 1 further API description, which we did not read: what we say of the API description is said of the best one that we read."
        }
      ]
    },
    {
      name: "named off the site, where nothing is fetched",
      site: {
        "/": link("https://raw.elsewhere.org/orders/openapi.json", "OpenAPI description"),
        "https://raw.elsewhere.org/orders/openapi.json": openapi()
      },
      earns: 1,
      facts: { kind: "none", off_site: true },
      findings: [{ says: "names an API description on another site, raw.elsewhere.org", proof: "/", good: false }]
    },
    {
      name: "a collection that a button opens in Postman",
      site: { "/": link("https://app.getpostman.com/run-collection/12345-ab-cd", "Run in Postman") },
      earns: 1,
      facts: { kind: "none", off_site: true },
      findings: [
        {
          says: "/ names a Postman collection on another site, app.getpostman.com, which we do not fetch.",
          proof: "/",
          good: false
        }
      ]
    },
    {
      name: "other people's descriptions are not the site's",
      site: {
        "/": page(
          "Orders",
          '<a href="https://petstore.swagger.io/v2/swagger.json">Swagger</a> <a href="https://files.elsewhere.org/openapi.json">a file</a>'
        )
      },
      earns: 0,
      facts: { off_site: false }
    },
    {
      name: "web pages, configuration and broken files are none",
      site: {
        "/": page("Orders", '<a href="/openapi.json">OpenAPI</a> <a href="/package.json">package</a>'),
        "/openapi.json": '{ "openapi": "3.1.0", ',
        "/openapi.yaml": page("App"),
        "/swagger.json": '{ "name": "orders" }'
      },
      earns: 0,
      facts: { kind: "none", found_by: "none" },
      findings: [
        {
          says: "We found no API description that can be read: /openapi.json, announced as one, cannot be read",
          good: false
        },
        { says: "/openapi.json cannot be read as an API description: it is not valid JSON", proof: "/openapi.json" },
        { says: "/swagger.json cannot be read as an API description: it is no API description", proof: "/swagger.json" }
      ]
    },
    {
      name: "a broken file that no page names is there all the same",
      site: { "/": page("Orders"), "/swagger.json": '{ "openapi": "3.1.0", ' },
      earns: 0,
      findings: [
        {
          says: "We found no API description that can be read: /swagger.json cannot be read: it is not valid JSON (line 1, column 23), and there is none at /openapi.json, /openapi.yaml, /v3/api-docs, /api/openapi.json or other common URLs.",
          proof: "/swagger.json"
        }
      ]
    },
    {
      name: "a link that is dead",
      site: { "/": link("/api/openapi.json") },
      earns: 0,
      findings: [
        { says: "/api/openapi.json, announced as an API description, returned 404", proof: "/api/openapi.json" }
      ]
    },
    {
      name: "a viewer's configuration that names a dead URL on another host of the site, by its host",
      site: { "/": page("Orders", '<redoc spec-url="https://www.example.com/files/contract.json"></redoc>') },
      earns: 0,
      findings: [
        {
          says: "We found no API description: www.example.com/files/contract.json, named in a viewer's configuration on /, returned 404",
          good: false
        },
        { says: "www.example.com/files/contract.json, named in a viewer's configuration on /, returned 404" }
      ]
    },
    {
      name: "a site that answers everything with one description has none at the usual addresses",
      site: { "/": page("Orders"), "*": { body: openapi(), type: "application/json" } },
      earns: 0
    },
    {
      name: "what is announced does not answer",
      site: { "/": link("/openapi.json"), "/openapi.json": { status: 503 } },
      earns: "inconclusive",
      findings: [{ says: "could not read /openapi.json", proof: "/openapi.json" }]
    },
    {
      name: "what is announced is longer than may be fetched",
      site: { "/": link("/openapi.json"), "/openapi.json": openapi({ "x-filler": "x".repeat(5_000) }) },
      limits: { documentBytes: 4_000 },
      earns: "inconclusive"
    }
  ]
})
