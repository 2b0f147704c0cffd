import { it as effect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import * as Schema from "effect/Schema"
import { reportDigest, signingKeyOf, signReport } from "../../../engine/audit/signature/ReportSignature.ts"
import type { Criterion } from "../../../engine/plugin/Criterion.ts"
import type { FactFields } from "../../../engine/plugin/Fact.ts"
import { criterionEntryOf, runCriterion } from "../../../engine/testing/CriterionRun.ts"
import type { FakeSite } from "../../../engine/testing/FakeSite.ts"
import { c1SpecFound } from "../../../plugins/c-api-spec/c1-spec-found.ts"
import { c2SpecValid } from "../../../plugins/c-api-spec/c2-spec-valid.ts"
import { c3SpecDescribed } from "../../../plugins/c-api-spec/c3-spec-described.ts"
import { c4SpecExamples } from "../../../plugins/c-api-spec/c4-spec-examples.ts"
import { c5SpecActionable } from "../../../plugins/c-api-spec/c5-spec-actionable.ts"
import { exampleOf } from "../../../server/api/Examples.ts"
import { CONTRACT_VERSION, contractDocument, contractJson, contractYaml } from "../../../server/api/Contract.ts"
import { isJsonObject, type JsonObject } from "../../../engine/text/JsonText.ts"
import { adminDocument } from "../../../server/admin/AdminRoutes.ts"
import { additionsOnly } from "./AdditionsOnly.ts"
import { invalidExamples } from "./InvalidExamples.ts"

const document = contractDocument({ baseUrl: "https://docgauge.dev" })

/** Keys of every object, in the order in which they stand. */
const keys = (value: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) return value.map(keys)
  return isJsonObject(value) ? Object.entries(value).map(([key, member]) => [key, keys(member)]) : []
}

const members = (value: unknown, ...path: ReadonlyArray<string>): JsonObject =>
  path.reduce<JsonObject>(
    (one, key) => {
      const member = one[key]
      return isJsonObject(member) ? member : {}
    },
    isJsonObject(value) ? value : {}
  )

const SignedExample = Schema.Struct({
  run_id: Schema.String,
  base_url: Schema.String,
  started_at: Schema.String,
  report: Schema.Json,
  signature: Schema.String
})

const operations = Object.entries(members(document, "paths")).flatMap(([path, item]) =>
  Object.entries(isJsonObject(item) ? item : {}).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation: isJsonObject(operation) ? operation : {}
  }))
)

describe("the contract document", () => {
  it("is OpenAPI 3.1 in the version of the specification", () => {
    expect(document["openapi"]).toBe("3.1.0")
    expect(members(document, "info")["version"]).toBe("v2.34.0")
    expect(CONTRACT_VERSION).toBe("v2.34.0")
  })

  it("lists production and local development", () => {
    expect(document["servers"]).toEqual([
      { url: "https://docgauge.dev", description: "Production" },
      { url: "http://localhost:8080", description: "Local development" }
    ])
  })

  it("is the same in JSON and YAML, with keys in the same order", () => {
    const [json, yaml]: ReadonlyArray<unknown> = [JSON.parse(contractJson(document)), parse(contractYaml(document))]
    expect(yaml).toEqual(json)
    expect(keys(yaml)).toEqual(keys(json))
  })

  it("omits the legacy path and operations for operators", () => {
    const paths = Object.keys(members(document, "paths"))
    expect(paths).not.toContain("/audit/{id}")
    expect(paths).not.toContain("/healthz")
  })

  it("describes all operations, parameters and headers, with an example for each parameter and header", () => {
    const bare = operations.flatMap(({ name, operation }) => {
      const parameters = Array.isArray(operation["parameters"]) ? operation["parameters"].filter(isJsonObject) : []
      const headers = Object.values(members(operation, "responses"))
        .flatMap((response) => Object.values(members(response, "headers")))
        .filter(isJsonObject)
      return [...parameters, ...headers]
        .filter((one) => one["description"] === undefined || one["example"] === undefined)
        .map((one) => `${name}: ${JSON.stringify(one)}`)
    })
    expect(bare).toEqual([])
    expect(
      operations.filter(({ operation }) => operation["description"] === undefined || operation["summary"] === undefined)
    ).toEqual([])
  })

  it("says of each cause of an error which request it follows, where operations share the error", () => {
    const describedAs = (id: string, status: string) =>
      members(operations.find(({ operation }) => operation["operationId"] === id)?.operation, "responses", status)[
        "description"
      ]
    for (const id of ["getRun", "getHistory", "getDiff", "getArchive", "getSites", "getDashboard"]) {
      expect(describedAs(id, "404"), id).toBe(
        "There is no such run, archive, site or dashboard, or no webhook with that secret (`not_found`). In a comparison without `code`: the site has no earlier finished run. Of a new webhook without `code`: this service has none."
      )
    }
    for (const id of ["submitAudit", "getHistory", "browseTop", "getDashboard"]) {
      expect(describedAs(id, "400"), id).toBe(
        "The request is malformed (no `code`). When submitting, with a `code`: `base_url` cannot be audited. Permanent: change the request."
      )
    }
    for (const id of ["submitAudit", "getRun", "getDiff"]) {
      expect(describedAs(id, "422"), id).toBe(
        "When submitting: the site could not be audited (`audit_failed`), or it cannot be reached (no `code`). In a comparison: the run is not finished (`not_done`), or the baseline is not another finished run of the same site (no `code`). Of a webhook: its site has five already, or it is disabled (no `code`)."
      )
    }
  })

  it("has an example for every JSON body", () => {
    const bare = operations.flatMap(({ name, operation }) =>
      Object.entries(members(operation, "responses")).flatMap(([status, response]) => {
        const json = members(response, "content", "application/json")
        return Object.keys(json).length > 0 && json["example"] === undefined ? [`${name} ${status}`] : []
      })
    )
    expect(bare).toEqual([])
  })

  it("shows the signature of its own example, by the key of 32 zero bytes", async () => {
    const run = exampleOf({ $ref: "#/components/schemas/Run" }, "application/json")
    const { base_url, report, run_id, signature, started_at } = Schema.decodeUnknownSync(SignedExample)(run)
    const claims = {
      iss: "http://localhost:8080",
      run_id,
      base_url,
      started_at,
      report_sha256: reportDigest(report) ?? ""
    }
    expect(await signReport(await signingKeyOf(new Uint8Array(32)), claims)).toBe(signature)
  })

  it("has only examples that are valid by their own schemas, as the admin document has", () => {
    expect(invalidExamples(document)).toEqual([])
    expect(invalidExamples(adminDocument("https://docgauge.dev"))).toEqual([])
  })

  it("declares /openapi.yaml with the type that YAML parsers return", () => {
    const yaml = members(document, "paths", "/openapi.yaml", "get", "responses", "200", "content", "application/yaml")
    expect(yaml["schema"]).toMatchObject({ type: "object" })
    expect(parse(contractYaml(document), { version: "1.1" })).toEqual(JSON.parse(contractJson(document)))
  })

  it("quotes timestamps in YAML, which parsers of YAML 1.1 would read as dates", () => {
    expect(contractYaml(document)).toContain('"2026-11-21T10:14:03.512874Z"')
    expect(contractYaml(document).match(/: \d{4}-\d\d-\d\d.*/g) ?? []).toEqual([])
  })

  it("declares parameters with their real types, not as text", () => {
    const limit = members(document, "paths", "/api/public/audit/{id}/history", "get")["parameters"]
    expect(limit).toContainEqual(
      expect.objectContaining({ name: "limit", schema: { type: "integer", minimum: 1, maximum: 100, default: 20 } })
    )
  })

  it("changes only by additions to the last released one", () => {
    const released: unknown = JSON.parse(readFileSync(new URL("released/openapi.json", import.meta.url), "utf8"))
    const corrections = [
      // A form says `true` as JSON does, and a run always had exactly one of its forms: no message changed.
      '/paths//audit/post/requestBody/content/application/x-www-form-urlencoded/schema/$ref: "#/components/schemas/AuditRequest_1" became "#/components/schemas/AuditRequest"',
      // No parser of YAML ever made a string of that document.
      '/paths//openapi.yaml/get/responses/200/content/application/yaml/schema/type: "string" became "object"',
      "/components/schemas/AuditRequest_1 is gone",
      "/components/schemas/Run/anyOf is gone"
    ]
    expect(additionsOnly(released, JSON.parse(contractJson(document)))).toEqual(corrections)
  })

  it("has no copies of types, and tells the forms of a run apart by its status", () => {
    const schemas = members(document, "components", "schemas")
    expect(Object.keys(schemas).filter((name) => /\d$/.test(name))).toEqual([])
    const referred = JSON.stringify(document).match(/(?<=#\/components\/schemas\/)\w+/g) ?? []
    expect([...new Set(referred)].filter((name) => !(name in schemas))).toEqual([])
    const { discriminator, oneOf } = members(schemas, "Run")
    expect(oneOf).toHaveLength(3)
    const statusesOf = (name: string) => members(schemas, name, "properties", "status")
    const { mapping, propertyName } = isJsonObject(discriminator) ? discriminator : {}
    expect(propertyName).toBe("status")
    for (const [status, reference] of Object.entries(isJsonObject(mapping) ? mapping : {}))
      expect(JSON.stringify(statusesOf(String(reference).split("/").at(-1) ?? ""))).toContain(`"${status}"`)
    expect(Object.keys(isJsonObject(mapping) ? mapping : {})).toEqual(["pending", "running", "error", "done"])
  })

  it("has the fields of its limit in every response of an operation that can answer 429", () => {
    const lacking = operations.flatMap(({ name, operation }) => {
      const responses = members(operation, "responses")
      return "429" in responses
        ? Object.entries(responses).flatMap(([status, response]) =>
            ["RateLimit", "RateLimit-Policy"].every((field) => field in members(response, "headers"))
              ? []
              : [`${name} ${status}`]
          )
        : []
    })
    expect(lacking).toEqual([])
    expect(members(document, "paths", "/openapi.json", "get", "responses", "200", "headers")).not.toHaveProperty(
      "RateLimit"
    )
  })
})

describe("the check that only additions happened", () => {
  const before = {
    paths: {
      "/a": {
        get: { parameters: [{ name: "q", in: "query", required: false }], responses: { 200: { description: "Done" } } }
      }
    },
    required: ["x"],
    enum: ["a"]
  }

  it("takes new members, statuses and optional parameters", () => {
    const after = structuredClone(before)
    expect(additionsOnly(before, { ...after, more: 1, enum: ["a", "b"] })).toEqual([])
    after.paths["/a"].get.parameters.push({ name: "r", in: "query", required: false })
    expect(additionsOnly(before, after)).toEqual([])
  })

  it("refuses removals, changes, and new required parameters", () => {
    expect(additionsOnly(before, { ...before, paths: {} })).toEqual(["/paths//a is gone"])
    expect(additionsOnly(before, { ...before, enum: ["b"] })).toEqual(['/enum: "a" is gone'])
    expect(additionsOnly(before, { ...before, required: [] })).toEqual(['/required: "x" is gone'])
    const after = structuredClone(before)
    after.paths["/a"].get.parameters.push({ name: "r", in: "query", required: true })
    expect(additionsOnly(before, after)).toEqual(["/paths//a/get/parameters: r is new and required"])
  })

  it("refuses a new requirement for what clients send", () => {
    const request = { AuditRequest: { required: ["base_url"] } }
    expect(additionsOnly(request, { AuditRequest: { required: ["base_url", "reason"] } })).toEqual([
      '/AuditRequest/required: "reason" is new and required'
    ])
  })

  it("permits changes of wording", () => {
    const after = structuredClone(before)
    after.paths["/a"].get.responses[200].description = "It is done"
    expect(additionsOnly(before, after)).toEqual([])
  })
})

describe("our own criteria on it", () => {
  const site: FakeSite = {
    "/": '<!doctype html><html lang="en"><title>docgauge</title><main><h1>docgauge</h1><p>Audits documentation sites, and says what to fix. <a href="/openapi.json">OpenAPI</a></p></main></html>',
    "/openapi.json": contractJson(document),
    "/openapi.yaml": contractYaml(document)
  }

  const full = <Fields extends FactFields, Params extends Schema.Struct.Fields>(
    criterion: Criterion<Fields, Params>,
    points: number
  ) =>
    effect.effect(`${criterion.id} gives ${points} of ${points} points`, () =>
      Effect.gen(function* () {
        const entry = criterionEntryOf(criterion)
        const { facts, findings } = yield* runCriterion(criterion, entry.id, entry.params, { site })
        expect(facts === null ? 0 : entry.earns(facts), JSON.stringify(findings.map(({ message }) => message))).toBe(
          points
        )
      })
    )

  full(c1SpecFound, 4)
  full(c2SpecValid, 3)
  full(c3SpecDescribed, 6)
  full(c4SpecExamples, 8)
  full(c5SpecActionable, 2)
})
