import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { c3SpecDescribed } from "../../../plugins/c-api-spec/c3-spec-described.ts"
import { COLLECTED, DESCRIBED, linked, openapi, operation, page, paths } from "./Descriptions.ts"

const silent = { responses: { 200: { description: "Done" } } }
const parameter = (described: boolean) => ({
  name: described ? "a" : "b",
  in: "query",
  schema: { type: "string" },
  ...(described ? { description: "Which" } : {})
})
const withParameters = { ...silent, parameters: [parameter(true), parameter(false)] }
const schemas = {
  components: { schemas: { Order: { type: "object", properties: { one: DESCRIBED, two: {}, three: {}, four: {} } } } }
}

testCriterion(c3SpecDescribed, {
  cases: [
    {
      name: "operations alone, all of them described: empty groups drop out",
      site: linked(openapi()),
      earns: 6,
      facts: { operations: 1, parameters: 0, properties: 0, described_operations: 1, described: 1 },
      findings: [{ says: "describes its only operation.", proof: "/openapi.json", good: true }]
    },
    {
      name: "nine of ten",
      site: linked(openapi({ paths: paths(10, 9, operation, silent) })),
      earns: 6,
      facts: { described: 0.9 }
    },
    {
      name: "three of four",
      site: linked(openapi({ paths: paths(4, 3, operation, silent) })),
      earns: 5,
      facts: { described: 0.75 }
    },
    {
      name: "all three groups, by their weights",
      site: linked(
        openapi({ ...schemas, paths: paths(2, 1, { ...operation, parameters: withParameters.parameters }, silent) })
      ),
      earns: 1,
      facts: {
        operations: 2,
        parameters: 2,
        properties: 4,
        described_operations: 0.5,
        described_parameters: 0.5,
        described_properties: 0.25,
        described: 0.4375
      },
      findings: [{ says: "describes 1 of 2 operations, 1 of 2 parameters and 1 of 4 schema properties" }]
    },
    {
      name: "two groups, the weights scaled up",
      site: linked(openapi({ paths: paths(2, 2, { ...operation, parameters: [parameter(false)] }, silent) })),
      earns: 3,
      facts: { described_operations: 1, described_parameters: 0, described: 0.6667 }
    },
    {
      name: "a text of nine characters is none",
      site: linked(openapi({ paths: paths(1, 1, { ...silent, summary: "List them" }, silent) })),
      earns: 0,
      facts: { described_operations: 0 }
    },
    {
      name: "nothing said",
      site: linked(openapi({ paths: paths(3, 0, operation, withParameters) })),
      earns: 0,
      facts: { described_parameters: 0.5, described: 0.1667 }
    },
    COLLECTED,
    { name: "no description at all", site: { "/": page("Orders") }, earns: 0, facts: { described: 0 } },
    { name: "it does not answer", site: { ...linked(""), "/openapi.json": { status: 502 } }, earns: "inconclusive" }
  ]
})
