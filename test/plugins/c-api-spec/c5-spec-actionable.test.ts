import type { JsonObject } from "../../../engine/apispec/text/Json.ts"
import type { FakeSite } from "../../../engine/testing/FakeSite.ts"
import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { c5SpecActionable } from "../../../plugins/c-api-spec/c5-spec-actionable.ts"
import { COLLECTED, linked, openapi, operation, page, paths } from "./Descriptions.ts"

const servers = [{ url: "https://api.orders.dev/v1" }]
const problem = {
  description: "What went wrong",
  content: { "application/problem+json": { schema: { type: "object" } } }
}
const careful: JsonObject = { responses: { 200: { description: "Done" }, "4XX": problem } }
const refusing: JsonObject = { responses: { 200: { description: "Done" }, 401: { description: "Who?" } } }
const components = { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } }
const operations = paths(10, 9, careful, operation)

/** Links to a page of that title from the base page, beside the API description. */
const withPage = (title: string, text: string): FakeSite => ({
  "/": page(
    "Orders",
    `<p><a href="/openapi.json">OpenAPI description</a> <a href="/${title.toLowerCase()}">${title}</a></p>`
  ),
  [`/${title.toLowerCase()}`]: page(title, text)
})

testCriterion(c5SpecActionable, {
  cases: [
    {
      name: "server, credentials, errors and version",
      site: linked(openapi({ servers, components, security: [{ key: [] }], paths: operations })),
      earns: 2,
      facts: { absolute_server: true, security_clear: true, operations: 10, errors_described: 0.9, versioned: true },
      findings: [
        {
          says: "names its server, how to authenticate, error responses and its version",
          proof: "/openapi.json",
          good: true
        },
        { says: "It names the server https://api.orders.dev/v1." },
        { says: "It defines 1 security scheme, applied to 10 operations." },
        { says: "9 of its 10 operations have an error response with a schema." },
        { says: "Its version is 1.0." }
      ]
    },
    {
      name: "no credentials needed, and said so",
      site: linked(openapi({ servers, security: [], paths: operations })),
      earns: 2,
      findings: [{ says: "It says that no credentials are needed." }]
    },
    {
      name: "no credentials, and nothing that asks for any",
      site: linked(openapi({ servers, paths: operations })),
      earns: 2,
      findings: [
        {
          says: "It defines no security scheme, no operation returns 401 or 403, and no page documents authentication."
        }
      ]
    },
    {
      name: "no word about credentials, where a page documents them",
      site: {
        ...linked(openapi({ servers, paths: operations })),
        ...withPage("Authentication", "<p>Send your key in the header <code>X-Key</code>.</p>")
      },
      earns: 1,
      facts: { security_clear: false },
      findings: [
        {
          says: 'It defines no security scheme, but the page "Authentication" (/authentication) documents authentication.',
          proof: "/authentication",
          good: false
        }
      ]
    },
    {
      name: "no word about credentials, where a page says that none are needed",
      site: {
        ...linked(openapi({ servers, paths: operations })),
        ...withPage("Authentication", "<p>No authentication is required.</p>")
      },
      earns: 2,
      facts: { security_clear: true }
    },
    {
      name: "no word about credentials, where a page speaks to those who have none yet",
      site: {
        ...linked(openapi({ servers, paths: operations })),
        ...withPage(
          "Authentication",
          "<p>Send your key in a header. If you don't have an API key yet, create one in the dashboard.</p>"
        )
      },
      earns: 1,
      facts: { security_clear: false }
    },
    {
      name: "no word about credentials, and a page is missing that may document them",
      site: {
        ...linked(openapi({ servers, paths: operations })),
        ...withPage("Authentication", ""),
        "/authentication": { status: 503 }
      },
      earns: "inconclusive"
    },
    {
      name: "schemes that are applied to nothing",
      site: linked(openapi({ servers, components, paths: operations })),
      earns: 1,
      facts: { security_clear: false },
      findings: [{ says: "It defines 1 security scheme, but applies none.", good: false }]
    },
    {
      name: "schemes that are defined nowhere",
      site: linked(openapi({ servers, security: [{ key: [] }], paths: operations })),
      earns: 1,
      facts: { security_clear: false },
      findings: [{ says: "10 operations require a security scheme that is not defined." }]
    },
    {
      name: "401 without a scheme, and errors on too few operations",
      site: linked(openapi({ servers, paths: paths(10, 8, careful, refusing) })),
      earns: 1,
      facts: { security_clear: false, errors_described: 0.8 },
      findings: [{ says: "It defines no security scheme, but 2 operations return 401 or 403." }]
    },
    {
      name: "a placeholder for a server, and no errors",
      site: linked(openapi({ servers: [{ url: "https://api.example.com" }], paths: paths(2, 0, careful, refusing) })),
      earns: 1,
      facts: { absolute_server: false, versioned: true },
      findings: [{ says: "Its only server cannot be called as written: https://api.example.com", good: false }]
    },
    {
      name: "an empty version and nothing else",
      site: linked(openapi({ info: { title: "Orders", version: " " }, paths: paths(1, 0, careful, refusing) })),
      earns: 0,
      facts: { versioned: false },
      findings: [{ says: "It names no server." }, { says: "Its `info.version` is missing or empty." }]
    },
    COLLECTED,
    { name: "no description at all", site: { "/": page("Orders") }, earns: 0 },
    { name: "it does not answer", site: { ...linked(""), "/openapi.json": { status: 502 } }, earns: "inconclusive" }
  ]
})
