import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { c2SpecValid } from "../../../plugins/c-api-spec/c2-spec-valid.ts"
import { COLLECTED, linked, openapi, operation, page, paths, STUB } from "./Descriptions.ts"

const broken = { ...operation, responses: { 200: { $ref: "#/components/responses/Gone" } } }

testCriterion(c2SpecValid, {
  cases: [
    {
      name: "sound",
      site: linked(openapi()),
      earns: 3,
      facts: { parsed: true, operations: 1, errors: 0, faulty_operations: 0, faulty: 0 },
      findings: [
        {
          says: "The OpenAPI 3.1.0 description at /openapi.json follows the schema of its version",
          proof: "/openapi.json",
          good: true
        }
      ]
    },
    {
      name: "an error in the only operation",
      site: linked(openapi({ paths: paths(1, 1, broken, operation) })),
      earns: 2,
      facts: { errors: 1, faulty_operations: 1, faulty: 1 },
      findings: [
        { says: "has 1 error, which affects its only operation", good: false },
        {
          says: "At #/paths/~1p0/get/responses/200: `$ref: #/components/responses/Gone` leads nowhere (affects 1 operation)",
          proof: "/openapi.json"
        }
      ]
    },
    {
      name: "errors in two of 200 operations",
      site: linked(openapi({ paths: paths(200, 2, broken, operation) })),
      earns: 2,
      facts: { faulty: 0.01 }
    },
    {
      name: "errors in three of 200",
      site: linked(openapi({ paths: paths(200, 3, broken, operation) })),
      earns: 1,
      facts: { faulty: 0.015 }
    },
    {
      name: "an error in what all operations use",
      site: linked(
        openapi({
          paths: paths(3, 3, { responses: { 200: { $ref: "#/components/responses/Done" } } }, operation),
          components: {
            responses: {
              Done: {
                description: "Done",
                content: { "application/json": { schema: { $ref: "#/components/schemas/Gone" } } }
              }
            }
          }
        })
      ),
      earns: 1,
      facts: { errors: 1, faulty_operations: 3 }
    },
    {
      name: "an error that no operation has to do with",
      site: linked(openapi({ info: { title: "Orders" } })),
      earns: 2,
      facts: { errors: 1, faulty_operations: 0 },
      findings: [{ says: "At #/info: `version` is missing" }]
    },
    {
      name: "an unquoted version in YAML, with errors",
      site: {
        "/": page("Orders", '<a href="/openapi.yaml">OpenAPI</a>'),
        "/openapi.yaml":
          "openapi: 3.0\ninfo: { title: T, version: '1' }\npaths:\n  /a:\n    get: { responses: { '200': {} } }\n  /b:\n    get: { responses: { '200': { oops: 1 } } }\n"
      },
      earns: 1,
      facts: { operations: 2, errors: 3, faulty_operations: 2 },
      findings: [{ says: "The OpenAPI 3.0 description at /openapi.yaml has 3 errors" }]
    },
    {
      name: "paths that are identical but for a name",
      site: linked(
        openapi({
          paths: Object.fromEntries(
            ["id", "key"].map((name) => [
              `/orders/{${name}}`,
              { get: { ...operation, parameters: [{ name, in: "path", required: true, schema: { type: "string" } }] } }
            ])
          )
        })
      ),
      earns: 1,
      facts: { errors: 2, faulty_operations: 2 },
      findings: [
        { says: "has 2 errors" },
        { says: "At #/paths/~1orders~1{id}: the path is identical to `/orders/{key}`: only names in braces differ" }
      ]
    },
    {
      name: "more errors than are counted",
      site: linked(
        openapi({
          components: {
            schemas: {
              A: {
                properties: Object.fromEntries(
                  Array.from({ length: 1_500 }, (_, index) => [`p${index}`, { type: "strng" }])
                )
              }
            }
          }
        })
      ),
      earns: 2,
      facts: { errors: 1_000, faulty_operations: 1 },
      findings: [{ says: "has 1,000 errors or more, which affect its only operation" }]
    },
    {
      name: "references to files on the site are followed, to files off it left alone",
      site: {
        ...linked(
          openapi({
            paths: { "/orders": { $ref: "spec/orders.yaml" }, "/away": { $ref: "https://elsewhere.org/away.json" } }
          })
        ),
        "/spec/orders.yaml":
          "get:\n  responses:\n    '200': { $ref: 'answers.yaml#/done' }\n    '404': { $ref: 'gone.yaml' }\n",
        "/spec/answers.yaml": "done: { description: Done }\n"
      },
      earns: 2,
      facts: { operations: 1, errors: 1, faulty_operations: 1 },
      findings: [{ says: "`$ref: gone.yaml` leads nowhere" }]
    },
    {
      name: "broken beyond reading",
      site: linked('{ "openapi": "3.1.0", '),
      earns: 0,
      facts: { parsed: false },
      findings: [{ says: "/openapi.json cannot be read as an API description: ", good: false }]
    },
    {
      name: "a placeholder",
      site: linked(openapi({ paths: {} })),
      earns: 0,
      facts: { parsed: false },
      findings: [{ says: "has neither operations nor webhooks, so we do not judge it", proof: "/openapi.json" }]
    },
    { name: "it does not answer", site: { ...linked(""), "/openapi.json": { status: 502 } }, earns: "inconclusive" },
    COLLECTED,
    {
      name: "a stub that says that it is not the product's API",
      site: linked(openapi(STUB)),
      earns: 0,
      facts: { parsed: false },
      findings: [
        {
          says: "The OpenAPI 3.1.0 description at /openapi.json says that it is not the product's API, so we do not judge it.",
          proof: "/openapi.json"
        }
      ]
    },
    { name: "no description at all", site: { "/": page("Orders") }, earns: 0 }
  ]
})
