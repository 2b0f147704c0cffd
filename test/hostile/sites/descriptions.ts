import { type HostileSites, nested, originOf, pages, pathOf, send, withFile } from "../HostileSite.ts"

const json = (text: (origin: string) => string) => withFile("/openapi.json", "application/json", text)
const yaml = (text: string) => withFile("/openapi.yaml", "application/yaml", () => text)
const graphql = (text: string) => withFile("/schema.graphql", "application/graphql", () => text)
const HEAD = '"openapi":"3.1.0","info":{"title":"T","version":"1"}'
const numbered = (count: number, one: (index: number) => string, between = ","): string =>
  Array.from({ length: count }, (_, index) => one(index)).join(between)

/** Operations whose schemas all refer to the next, and the last to the first. */
const web = (size: number): string =>
  `{${HEAD},"paths":{${numbered(size, (index) => `"/a${index}":{"post":{"requestBody":{"content":{"application/json":{"schema":{"$ref":"#/components/schemas/S${index}"}}}},"responses":{"200":{"$ref":"#/components/responses/R"}}}}`)}},"components":{"responses":{"R":{"description":"x"}},"schemas":{${numbered(size, (index) => `"S${index}":{"allOf":[{"$ref":"#/components/schemas/S${(index + 1) % size}"},{"$ref":"#/components/schemas/S${(index * 7 + 1) % size}"}],"properties":{"a":{"$ref":"#/components/schemas/S${(index * 3) % size}"}}}`)}}}`

/** Channels whose messages all choose among a hundred references, each of which leads into one circle. */
const messageCircle = (channels: number): string =>
  `{"asyncapi":"2.6.0","info":{"title":"T","version":"1"},"channels":{${numbered(channels, (index) => `"c${index}":{"publish":{"message":{"$ref":"#/components/messages/M"}}}`)}},"components":{"messages":{"M":{"oneOf":[${numbered(100, () => '{"$ref":"#/components/messages/X0"}')}]},${numbered(40, (index) => `"X${index}":{"$ref":"#/components/messages/X${(index + 1) % 40}"}`)}}}}`

/** Where a description is looked for that no page announces. */
const USUAL: ReadonlySet<string> = new Set([
  "/openapi.json",
  "/openapi.yaml",
  "/swagger.json",
  "/v3/api-docs",
  "/api/openapi.json"
])

const plain = pages()

/** API descriptions: JSON, YAML, OpenAPI, AsyncAPI, OpenRPC, Postman and GraphQL. */
export const descriptionSites: HostileSites = {
  "json-deep": {
    attacks: "A description nests 500,000 lists.",
    listener: json(() => `{${HEAD},"x":${nested("[", "]", 500_000)}}`)
  },
  "json-deep-objects": {
    attacks: "A description nests 200,000 objects.",
    listener: json(() => `{${HEAD},"x":${nested('{"a":', "}", 200_000, "1")}}`)
  },
  "json-keys": {
    attacks: "An object of a description has a million keys, many of them twice.",
    listener: json(() => `{${HEAD},"x":{${numbered(800_000, (index) => `"k${index % 500_000}":0`)}}}`)
  },
  "json-key": {
    attacks: "A key of a description has five megabytes.",
    listener: json(() => `{${HEAD},"${"k".repeat(5_000_000)}":1}`)
  },
  "json-numbers": {
    attacks: "A description holds numbers of a million digits.",
    listener: json(() => `{${HEAD},"x":[${`${"9".repeat(1_000_000)}e9,`.repeat(5)}0]}`)
  },
  "json-prototype": {
    attacks: "A description has `__proto__` and `constructor` as keys, paths and schema names.",
    listener: json(
      () =>
        `{${HEAD},"__proto__":{"paths":1},"paths":{"__proto__":{"get":{"responses":{"200":{"$ref":"#/__proto__/constructor"}}}},"constructor":{"get":{}}},"components":{"schemas":{"__proto__":{"$ref":"#/components/schemas/__proto__"}}}}`
    )
  },
  "openapi-ref-circle": {
    attacks: "References lead in circles, through 3,000 schemas that refer to three others each.",
    listener: json(() => web(3_000))
  },
  "openapi-ref-chain": {
    attacks: "A reference leads through a chain of 50,000 references.",
    listener: json(
      () =>
        `{${HEAD},"paths":{"/a":{"$ref":"#/x/0"}},"x":{${numbered(50_000, (index) => `"${index}":{"$ref":"#/x/${index + 1}"}`)}}}`
    )
  },
  "openapi-ref-files": {
    attacks: "References lead to 2,000 files that refer to each other.",
    listener: (request, response) =>
      pathOf(request).endsWith(".json")
        ? send(
            response,
            `{${HEAD},"paths":{${numbered(2_000, (index) => `"/a${index}":{"$ref":"f${index}.json#/paths/~1a${index}"}`)}}}`,
            "application/json"
          )
        : plain(request, response)
  },
  "openapi-operations": {
    attacks: "A description has 60,000 operations with the same responses.",
    listener: json(
      () =>
        `{${HEAD},"paths":{${numbered(60_000, (index) => `"/a/${index}/{id}":{"get":{"responses":{"200":{"description":"ok"}}}}`)}}}`
    )
  },
  "openapi-wrong": {
    attacks: "Every one of 40,000 operations breaks the structure in several ways.",
    listener: json(
      () =>
        `{${HEAD},"paths":{${numbered(40_000, (index) => `"/a${index}":{"get":{"parameters":[1,{"in":3}],"responses":[],"tags":{}}}`)}}}`
    )
  },
  "openapi-alternatives": {
    attacks: "Schemas choose among alternatives that choose among alternatives, twenty levels deep.",
    listener: json(
      () =>
        `{${HEAD},"paths":{"/a":{"get":{"responses":{"200":{"description":"x","content":{"application/json":{"schema":{"$ref":"#/components/schemas/S0"}}}}}}}},"components":{"schemas":{${numbered(24, (index) => `"S${index}":{"oneOf":[${numbered(8, () => `{"$ref":"#/components/schemas/S${index + 1}"}`)}]}`)}}}}`
    )
  },
  "openapi-pattern": {
    attacks: "Schemas have patterns that backtrack for ever, with examples that they would be tried on.",
    listener: json(
      () =>
        `{${HEAD},"paths":{"/a":{"get":{"parameters":[{"name":"p","in":"query","schema":{"type":"string","pattern":"^(a+)+$"},"example":"${"a".repeat(5_000)}!"}],"responses":{"200":{"description":"${"(a+)+$".repeat(10_000)}"}}}}}}`
    )
  },
  "openapi-servers": {
    attacks: "A description has 50,000 servers with variables in their URLs.",
    listener: json(
      () =>
        `{${HEAD},"servers":[${numbered(50_000, () => `{"url":"https://{a}.{b}.example.com/${"{c}".repeat(20)}","variables":{"a":{"default":"x"}}}`)}],"paths":{}}`
    )
  },
  "openapi-description": {
    attacks: "The description's own text is ten megabytes of Markdown beginnings.",
    listener: json(
      () =>
        `{"openapi":"3.1.0","info":{"title":"${"T".repeat(1_000_000)}","version":"1","description":"${"![".repeat(4_000_000)}"},"paths":{}}`
    )
  },
  "openapi-many": {
    attacks: "Pages name 3,000 descriptions, each of which is one.",
    listener: (request, response) =>
      pathOf(request).startsWith("/api/")
        ? send(response, web(50), "application/json")
        : pages(
            () => "",
            numbered(3_000, (index) => `<a href="/api/${index}/openapi.json">OpenAPI ${index}</a>`, " ")
          )(request, response)
  },
  "yaml-aliases": {
    attacks: "YAML aliases multiply nine times a level, thirty levels deep.",
    listener: yaml(
      [
        "openapi: 3.1.0",
        "a0: &a0 [x,x,x,x,x,x,x,x,x]",
        ...Array.from(
          { length: 30 },
          (_, index) => `a${index + 1}: &a${index + 1} [${Array(9).fill(`*a${index}`).join(",")}]`
        )
      ].join("\n")
    )
  },
  "yaml-merges": {
    attacks: "YAML merge keys merge what was merged before, 5,000 times.",
    listener: yaml(
      `openapi: 3.1.0\n${numbered(5_000, (index) => `m${index}: &m${index}\n  k${index}: 1\n${index === 0 ? "" : `  <<: *m${index - 1}\n`}`, "")}`
    )
  },
  "yaml-deep": {
    attacks: "YAML nests 100,000 flow lists that do not close.",
    listener: yaml(`openapi: 3.1.0\nx: ${"[".repeat(100_000)}`)
  },
  "yaml-indent": {
    attacks: "YAML goes in by a column on each of 20,000 lines.",
    listener: yaml(
      `openapi: 3.1.0\n${Array.from({ length: 2_000 }, (_, index) => `${" ".repeat(index)}a:\n`).join("")}`
    )
  },
  "yaml-scalars": {
    attacks: "YAML is block and quoted scalars of megabytes, folded line by line.",
    listener: yaml(`openapi: 3.1.0\nx: >-\n${"  a\n\n".repeat(400_000)}y: "${"a\\n ".repeat(300_000)}"\n`)
  },
  "yaml-keys": {
    attacks: "A YAML map has 100,000 keys, each a list or map itself.",
    listener: yaml(`openapi: 3.1.0\n${"? [a, {b: c}]\n: d\n".repeat(100_000)}`)
  },
  "yaml-numbers": {
    attacks: "YAML holds numbers and dates of thousands of digits and underscores.",
    listener: yaml(
      `openapi: 3.1.0\nx:\n${`  - ${"1_".repeat(20_000)}\n  - 2026-11-21T${"0".repeat(20_000)}\n`.repeat(20)}`
    )
  },
  "yaml-errors": {
    attacks: "Every line of a YAML document is wrong.",
    listener: yaml(`openapi: 3.1.0\n${"a: b: c: - ]\n\t- &x *x !y\n".repeat(50_000)}`)
  },
  "graphql-deep": {
    attacks: "GraphQL types nest lists and values 100,000 deep.",
    listener: graphql(
      `type Query { a: ${"[".repeat(100_000)}Int${"]".repeat(100_000)} }\ntype A { b(c: [Int] = ${"[".repeat(100_000)}): Int }`
    )
  },
  "graphql-types": {
    attacks: "A GraphQL schema has 50,000 types and as many fields of the root.",
    listener: graphql(
      `type Query {\n${numbered(50_000, (index) => `a${index}(b: E${index}): T${index}`, "\n")}\n}\n${numbered(50_000, (index) => `type T${index} { a: T${index + 1} }`, "\n")}`
    )
  },
  "graphql-errors": {
    attacks: "A GraphQL schema defines the same type 30,000 times, and each definition with the same fields.",
    listener: graphql("type Query { a: Int a: Int }\n".repeat(30_000))
  },
  "graphql-interfaces": {
    attacks: "GraphQL interfaces implement each other, 2,000 of them.",
    listener: graphql(
      `type Query { a: Int }\n${numbered(2_000, (index) => `interface I${index} implements ${numbered(20, (other) => `I${(index + other) % 2_000}`, " & ")} { a: Int }`, "\n")}`
    )
  },
  asyncapi: {
    attacks: "An AsyncAPI document has 30,000 channels whose messages choose among each other.",
    listener: withFile(
      "/asyncapi.json",
      "application/json",
      () =>
        `{"asyncapi":"3.0.0","info":{"title":"T","version":"1"},"channels":{${numbered(30_000, (index) => `"c${index}":{"messages":{"m":{"payload":{"oneOf":[{"$ref":"#/channels/c${(index + 1) % 30_000}/messages/m/payload"}]}}}}`)}}}`
    )
  },
  "asyncapi-circles": {
    attacks: "At every usual URL is an AsyncAPI document with 20,000 channels whose messages lead in a circle.",
    listener: (request, response) =>
      USUAL.has(pathOf(request)) ? send(response, messageCircle(20_000), "application/json") : plain(request, response)
  },
  postman: {
    attacks: "A Postman collection nests 5,000 folders, and has 50,000 requests beside them.",
    listener: withFile(
      "/postman.json",
      "application/json",
      () =>
        `{"info":{"name":"P","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"item":[${nested('{"item":[', "]}", 100)},${numbered(50_000, () => '{"name":"n","request":{"method":"GET","url":"https://a/:b?c=d"}}')}]}`
    )
  },
  openrpc: {
    attacks: "An OpenRPC document has 30,000 methods whose parameters refer to each other.",
    listener: withFile(
      "/openrpc.json",
      "application/json",
      () =>
        `{"openrpc":"1.3.2","info":{"title":"T","version":"1"},"methods":[${numbered(30_000, (index) => `{"name":"m${index}","params":[{"$ref":"#/methods/${(index + 1) % 30_000}/params/0"}],"result":{"name":"r","schema":{}}}`)}]}`
    )
  },
  "description-in-page": {
    attacks: "Every page carries a description of a megabyte in a script, and names itself as one.",
    listener: (request, response) =>
      pages(() => `<script>SwaggerUIBundle({ spec: ${web(300)}, url: "${originOf(request)}/" })</script>`)(
        request,
        response
      )
  }
}
