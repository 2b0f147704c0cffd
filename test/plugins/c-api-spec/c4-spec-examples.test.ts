import type { JsonObject } from "../../../engine/apispec/text/Json.ts"
import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { c4SpecExamples } from "../../../plugins/c-api-spec/c4-spec-examples.ts"
import { COLLECTED, DESCRIBED, linked, openapi, page, paths } from "./Descriptions.ts"

const answer = (media: JsonObject): JsonObject => ({
  responses: { 200: { description: "Done", content: { "application/json": media } } }
})
const shown = answer({ example: { id: 1 } })
const bare = answer({ schema: { $ref: "#/components/schemas/Bare" } })
const withSchemas = (properties: JsonObject, operations: JsonObject): string =>
  openapi({
    paths: operations,
    components: { schemas: { Bare: { type: "object" }, Order: { type: "object", properties } } }
  })

/** Operations whose answers have an amount, of which the first `count` are shown with none. */
const amounts = (count: number): JsonObject => ({
  A: {
    type: "object",
    properties: Object.fromEntries(
      Array.from({ length: 8 }, (_, index) => [`a${index}`, { type: "integer", default: index < count ? "none" : 5 }])
    )
  }
})
const shownAmount = answer({ schema: { type: "object", required: ["amount"] }, example: { total: 5 } })

testCriterion(c4SpecExamples, {
  cases: [
    {
      name: "examples, types and bounds on everything",
      site: linked(withSchemas({ a: DESCRIBED }, paths(2, 2, shown, bare))),
      earns: 8,
      facts: { operations: 2, with_examples: 1, fields: 1, typed: 1, constrainable: 1, constrained: 1, exemplified: 1 },
      findings: [
        {
          says: "has complete examples on all 2 operations with a body; types on its only parameter or property;",
          proof: "/openapi.json",
          good: true
        }
      ]
    },
    {
      name: "the shares by their weights",
      site: linked(withSchemas({ a: DESCRIBED, b: { type: "string" }, c: {} }, paths(2, 1, shown, bare))),
      earns: 4,
      facts: { with_examples: 0.5, typed: 0.6667, constrained: 0.5, exemplified: 0.525, unexemplified: 0.175 }
    },
    {
      name: "types and no examples",
      site: linked(withSchemas({ a: { type: "string" }, b: { type: "boolean" } }, paths(1, 0, shown, bare))),
      earns: 2,
      facts: { with_examples: 0, typed: 1, constrained: 0, exemplified: 0.15, unexemplified: 0.15 }
    },
    {
      name: "a little",
      site: linked(withSchemas({ a: { type: "string" }, b: {} }, paths(1, 0, shown, bare))),
      earns: 2,
      facts: { exemplified: 0.075 }
    },
    {
      name: "nothing that could be exemplified",
      site: linked(openapi()),
      earns: 0,
      facts: { operations: 0, fields: 0, constrainable: 0, exemplified: 0, compared: 0, agreeing: 0, untrue: 0 },
      findings: [{ says: "declares no body, parameter or property", good: false }]
    },
    {
      name: "two of three operations with examples, and types on everything",
      site: linked(withSchemas({ a: DESCRIBED }, paths(3, 2, shown, bare))),
      earns: 6,
      facts: { with_examples: 0.6667, exemplified: 0.7667 }
    },
    {
      name: "a false example: no more than none at all",
      site: linked(withSchemas({ a: DESCRIBED }, { ...paths(3, 3, shown, bare), "/amounts": { get: shownAmount } })),
      earns: 2,
      facts: { with_examples: 1, exemplified: 1, unexemplified: 0.3, untrue: 1 }
    },
    {
      name: "examples that their schemas refuse, each with its place",
      site: linked(openapi({ paths: { "/orders": { get: shownAmount } } })),
      earns: 0,
      facts: { compared: 1, agreeing: 0, untrue: 1, with_examples: 1 },
      findings: [
        { says: "has examples on its only operation with a body", good: true },
        {
          says: "The example of GET /orders at #/paths/~1orders/get/responses/200/content/application~1json/example lacks amount, which its schema requires.",
          proof: "/openapi.json",
          good: false
        }
      ]
    },
    {
      name: "one more false value than are named",
      site: linked(openapi({ components: { schemas: amounts(6) } })),
      earns: 2,
      facts: { compared: 8, agreeing: 2, untrue: 6 },
      findings: [
        {
          says: 'The default at #/components/schemas/A/properties/a0/default says "none" for a0, and its schema wants an integer.',
          good: false
        },
        { says: "… and 1 more value that its schema refuses.", good: false }
      ]
    },
    {
      name: "three more than are named",
      site: linked(openapi({ components: { schemas: amounts(8) } })),
      earns: 2,
      facts: { compared: 8, agreeing: 0, untrue: 8 },
      findings: [{ says: "… and 3 more values that their schemas refuse.", good: false }]
    },
    COLLECTED,
    { name: "no description at all", site: { "/": page("Orders") }, earns: 0, facts: { exemplified: 0 } },
    { name: "it does not answer", site: { ...linked(""), "/openapi.json": { status: 502 } }, earns: "inconclusive" }
  ]
})
