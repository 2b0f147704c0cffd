import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { scanJson } from "../../../engine/apispec/text/ReadDocument.ts"
import { described, OK, openapi, read, unparsed } from "../ReadFixture.ts"

const reasonOf = async (content: string | Uint8Array) => (await unparsed(content)).reason

describe("documents that are no description", () => {
  test.each([
    ["nothing", "", "empty"],
    ["white space", " \n\t", "empty"],
    ["a web page", "<!doctype html><title>App</title>", "html"],
    ["XML", '<?xml version="1.0"?><rss/>', "not_a_description"],
    ["prose", "There is no API description here.", "not_a_description"],
    ["JSON of another kind", '{"name":"x"}', "not_a_description"],
    ["a list", "[1,2]", "not_a_description"],
    ["JSON Schema", '{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}', "not_a_description"],
    ["a number for a version", '{"openapi":true,"paths":{}}', "not_a_description"],
    ["broken JSON", '{"openapi":"3.1.0",', "syntax"],
    ["broken YAML", "openapi: 3.1.0\ninfo: [", "syntax"]
  ])("%s", async (_, text, reason) => {
    expect(await reasonOf(text)).toBe(reason)
  })

  test.each([
    ["a merge of a number", "openapi: 3.1.0\ninfo:\n  <<: 3\n", 3],
    ["a merge of an alias of a number", "openapi: 3.1.0\nx-n: &n 3\ninfo:\n  <<: *n\n", 4],
    ["a merge of a list with a number in it", "openapi: 3.1.0\ninfo:\n  <<: [{ title: T }, 2]\n", 3],
    ["a merge of nothing", "openapi: 3.1.0\ninfo:\n  <<:\n  title: T\n", 3],
    ["an alias without an anchor", "openapi: 3.1.0\ninfo: *none\n", 2],
    ["an alias before its anchor", "openapi: 3.1.0\ninfo: *later\nx-l: &later { title: T }\n", 2]
  ])("are not valid YAML with %s, and say where", async (_, text, line) => {
    const { message, reason } = await unparsed(text)
    expect(reason).toBe("syntax")
    expect(message).toMatch(new RegExp(`^it is not valid YAML \\(line ${line}, column \\d+\\)$`))
  })

  test.each([
    ["a map in itself", "openapi: 3.1.0\ninfo: &info\n  title: T\n  x-self: *info\n", 4],
    ["a list in itself", "openapi: 3.1.0\nx-l: &l [1, [*l]]\n", 2],
    ["a part in a part of itself", "openapi: 3.1.0\nx-a: &a\n  b: &b\n    c: *b\n", 4],
    ["a merge of a map into itself", "openapi: 3.1.0\ninfo: &info\n  <<: *info\n", 3]
  ])("cannot be JSON with %s, and say where", async (_, text, line) => {
    const { message, reason } = await unparsed(text)
    expect(reason).toBe("syntax")
    expect(message).toMatch(
      new RegExp(`^an alias in it repeats a part that contains the alias \\(line ${line}, column \\d+\\)$`)
    )
  })

  test("are read with an anchor that is given again below the part of that name", async () => {
    expect(
      (await described("openapi: 3.1.0\ninfo: &x\n  title: T\n  version: '1'\n  x-v: &x V\n  x-w: *x\npaths: {}\n"))
        .validity.errorCount
    ).toBe(0)
  })

  test("say where they break", async () => {
    expect((await unparsed('{\n  "openapi": "3.1.0",\n  oops\n}')).message).toBe(
      "it is not valid JSON (line 3, column 3)"
    )
    expect((await unparsed("openapi: 3.1.0\ninfo:\n  a: b: c\n")).message).toMatch(
      /^it is not valid YAML \(line 3, column \d+\)$/
    )
  })
})

describe("documents that would bring a reader down", () => {
  test.each([
    ["JSON, 100 000 lists deep", "[".repeat(100_000), "too_deep"],
    ["JSON, closed too", "[".repeat(100_000) + "]".repeat(100_000), "too_deep"],
    ["JSON, 100 000 objects deep", '{"a":'.repeat(100_000), "too_deep"],
    ["YAML, 100 000 flow maps deep", `a: ${"{a: ".repeat(100_000)}`, "too_deep"],
    ["YAML, 100 000 sequences deep", `- ${"- ".repeat(100_000)}x`, "too_deep"],
    ["YAML, nested keys", `? ${"? ".repeat(50_000)}x`, "too_deep"],
    ["GraphQL, 50 000 lists deep", `type Query { a: ${"[".repeat(50_000)}Int${"]".repeat(50_000)} }`, "too_deep"],
    ["a key of a million characters", `{"openapi":"3.1.0","${"k".repeat(1_000_000)}":1}`, "too_large"]
  ])("%s", async (_, text, reason) => {
    expect(await reasonOf(text)).toBe(reason)
  })

  test("an alias bomb in YAML", async () => {
    const levels = Array.from(
      { length: 12 },
      (_, level) => `l${level + 1}: &l${level + 1} [${Array(10).fill(`*l${level}`).join(", ")}]`
    )
    expect(await reasonOf(`openapi: 3.0.0\nl0: &l0 [x, x]\n${levels.join("\n")}\n`)).toBe("too_many_aliases")
  })

  test("YAML beyond its limit, where JSON of that size is read", async () => {
    const filler = "x".repeat(2_000)
    expect((await unparsed(`openapi: 3.0.0\nx-filler: ${filler}\n`, { yamlBytes: 1_000 })).reason).toBe("too_large")
    expect((await read(openapi({ "x-filler": filler }), { yamlBytes: 1_000 }))._tag).toBe("ApiDescription")
  })
})

describe("documents that are", () => {
  test("JSON and YAML give the same", async () => {
    const yaml =
      "openapi: 3.1.0\ninfo: { title: Orders, version: '1.0' }\npaths:\n  /orders:\n    get:\n      responses: { '200': { description: Done } }\n"
    expect(await described(yaml)).toEqual(await described(openapi({ paths: { "/orders": { get: OK } } })))
  })

  test("two merge keys in one map, which are no duplicates", async () => {
    const spec = await described(
      "openapi: 3.0.0\nx-t: &t { title: T }\nx-v: &v { version: '1' }\ninfo:\n  <<: *t\n  <<: *v\npaths: {}\n"
    )
    expect(spec.validity.errors).toEqual([])
  })

  test("anchors that are used a thousand times, and merge keys", async () => {
    const paths = Array.from({ length: 1_000 }, (_, index) => `  /p${index}:\n    get: *get\n`)
    const spec = await described(
      `openapi: 3.0.0\ninfo: { title: T, version: '1' }\nx-get: &get { responses: { '200': { description: Done } } }\npaths:\n${paths.join("")}  /q:\n    get:\n      <<: *get\n      summary: Merged\n`
    )
    expect(spec.operationCount).toBe(1_001)
    expect(spec.operations.at(-1)).toMatchObject({ path: "/q", summary: "Merged" })
    expect(spec.validity.errorCount).toBe(0)
  })

  test("YAML tags of other types than JSON has leave the text as it is written", async () => {
    const tagged = "!!binary aGk=",
      members = `  description: ${tagged}\n  title: Orders\n  version: '1'\n  x-set: !!set { a }\n  x-at: !!timestamp 2026-01-01\n`
    for (const head of ["", "%YAML 1.1\n---\n"]) {
      const spec = await described(`${head}openapi: 3.1.0\ninfo:\n${members}paths: {}\n`)
      expect(spec.description).toBe("aGk=")
      expect(spec.validity.errorCount).toBe(0)
    }
  })

  test("a version that YAML takes for a number is checked by its schema, which wants a text", async () => {
    const paths = "paths:\n  /a:\n    get: { responses: { '200': { bad: 1 } } }\n"
    for (const version of ["3.0", "3.1", "3.2"]) {
      const spec = await described(`openapi: ${version}\ninfo: { title: T, version: '1' }\n${paths}`)
      expect(spec.formatVersion).toBe(version)
      expect(spec.validity.bySchema).toBe(true)
      expect(spec.validity.errors.map(({ at }) => at)).toEqual(
        expect.arrayContaining(["#/openapi", "#/paths/~1a/get/responses/200"])
      )
    }
  })

  test("whole versions of other formats are versions, too", async () => {
    expect((await described("asyncapi: 3.0\ninfo: { title: T, version: '1' }\n")).formatVersion).toBe("3.0")
    expect((await described("swagger: 2.0\ninfo: { title: T, version: '1' }\npaths: {}\n")).validity).toMatchObject({
      bySchema: true
    })
  })

  test("UTF-16 and a byte order mark", async () => {
    const text = JSON.stringify(openapi({ paths: { "/orders": { get: OK } } }))
    const utf16 = new Uint8Array(Buffer.from(`\uFEFF${text}`, "utf16le"))
    expect((await described(utf16)).operationCount).toBe(1)
    expect((await described(`\uFEFF${text}`)).operationCount).toBe(1)
  })

  test("keys that stand twice are errors, in JSON and YAML", async () => {
    const json =
      '{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"get":{},"get":{"responses":{"200":{"description":"Done"}}}}}}'
    const yaml =
      "openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n  /a:\n    get: {}\n    get: { responses: { '200': { description: Done } } }\n"
    for (const text of [json, yaml]) {
      const { validity } = await described(text)
      expect(validity.errors).toMatchObject([{ rule: "duplicate_key", at: "#/paths/~1a/get", operations: 1 }])
    }
  })

  test("names that objects have by birth are no members", async () => {
    const spec = await described(
      '{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"__proto__":{"get":{}}}},"components":{"schemas":{"A":{"$ref":"#/components/schemas/constructor"}}}}'
    )
    expect(spec.operationCount).toBe(0)
    expect(spec.validity.errors).toMatchObject([{ rule: "reference" }])
  })
})

describe("reading", () => {
  test("never throws, whatever the bytes are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        expect((await read(bytes))._tag).toBe("Unparsed")
      }),
      { numRuns: 300 }
    )
  })

  test("never throws, whatever JSON the members of a description are", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.jsonValue({ maxDepth: 5 }),
        fc.constantFrom("3.0.3", "3.1.0", "3.2.0", "3.9"),
        async (value, version) => {
          const members = {
            info: value,
            paths: {
              "/a": value,
              "/b/{c}": {
                get: value,
                parameters: value,
                post: { parameters: [value], responses: value, requestBody: value, security: value }
              }
            },
            components: value,
            security: value,
            servers: value,
            tags: value,
            webhooks: value
          }
          const spec = await read(openapi({ ...JSON.parse(JSON.stringify(members)), openapi: version }))
          expect(spec._tag).toBe("ApiDescription")
        }
      ),
      { numRuns: 200 }
    )
  })

  test("never throws, whatever JSON the members of other formats are", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
        const plain = JSON.parse(JSON.stringify(value ?? null))
        const heads = [
          {
            swagger: "2.0",
            paths: { "/a": { get: plain } },
            definitions: plain,
            host: plain,
            schemes: plain,
            securityDefinitions: plain
          },
          {
            asyncapi: "2.6.0",
            channels: { c: { publish: plain, parameters: plain } },
            servers: { s: plain },
            components: plain
          },
          { asyncapi: "3.0.0", channels: plain, operations: { o: plain } },
          { openrpc: "1.3.2", methods: [plain, { params: [plain], examples: plain, errors: plain }], servers: plain },
          {
            info: { schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
            item: [plain, { request: plain, response: plain, item: [plain] }],
            auth: plain,
            variable: plain
          }
        ]
        for (const head of heads) expect((await read(head))._tag).toBe("ApiDescription")
      }),
      { numRuns: 100 }
    )
  })
})

describe("scanning", () => {
  test("agrees with JSON.parse on keys, and finds the depth", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 8 }), (text) => {
        const scan = scanJson(text, 1_000)
        expect(scan.duplicates).toEqual([])
        expect(scan.depth).toBe(depthOf(JSON.parse(text)))
      })
    )
  })

  test("takes quotes and brackets inside strings for what they are", () => {
    expect(scanJson(String.raw`{"a\"":"}{[\\","a":["{"]}`, 10)).toEqual({ depth: 2, longestKey: 3, duplicates: [] })
  })
})

const depthOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
