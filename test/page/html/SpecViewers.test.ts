import { describe, expect, it } from "vitest"
import { readViewers } from "../../../engine/page/html/SpecViewers.ts"
import { ORIGIN } from "../../site/FakeContext.ts"
import { walked } from "./Walked.ts"

const SPEC = '{"openapi":"3.1.0","info":{},"servers":[{"url":"https://api.example.com"}],"paths":{"/a":{}}}'

/** What the viewers of a page are set up to show: URLs, texts, and files of theirs that tell more. */
const shown = (html: string, url = `${ORIGIN}/docs/`): ReadonlyArray<string> =>
  readViewers(walked(html), url, url).map(
    ({ configuration, inline, kind, url: named }) =>
      `${kind} ${named?.replace(ORIGIN, "") ?? inline ?? (configuration === null ? "?" : `by ${configuration.replace(ORIGIN, "")}`)}`
  )

const script = (code: string): string => `<script>${code}</script>`

describe("the description that a viewer shows is read", () => {
  it.each<[string, string, ReadonlyArray<string>]>([
    ["from Redoc's element", "<redoc spec-url=/openapi.json></redoc>", ["redoc /openapi.json"]],
    ["from RapiDoc's element", "<rapi-doc spec-url=a.yaml></rapi-doc>", ["rapidoc /docs/a.yaml"]],
    [
      "from Stoplight's element",
      "<elements-api apiDescriptionUrl=/openapi.json></elements-api>",
      ["stoplight /openapi.json"]
    ],
    [
      "from Stoplight's property",
      script(`document.querySelector("x").apiDescriptionDocument = ${SPEC};`),
      [`stoplight ${SPEC}`]
    ],
    ["from Redoc's call with a URL", script("Redoc.init(\n 'a.json', {})"), ["redoc /docs/a.json"]],
    ["from Redoc's call with an object", script(`Redoc.init(${SPEC}, {})`), [`redoc ${SPEC}`]],
    [
      "from what Redoc leaves in a built page",
      script(`const __redoc_state = {"menu":{"data":1},"spec":{"data":${SPEC}}};`),
      [`redoc ${SPEC}`]
    ],
    [
      "from several URLs of Swagger UI",
      script('SwaggerUIBundle({ urls: [{ url: \'/a.json\' }, { "url": "/b.json" }] })'),
      ["swagger-ui /a.json", "swagger-ui /b.json"]
    ],
    [
      "from a schema that a script of GraphiQL builds",
      `<div id="graphiql"></div>${script("const sdl = `type Query { note: String }`; draw({ schema: buildSchema(sdl) })")}`,
      ["script type Query { note: String }"]
    ],
    [
      "from a script of its own type beside Voyager",
      `<script src="https://cdn.example.net/graphql-voyager/dist/voyager.js"></script><script type="application/graphql">schema { query: Q }</script>`,
      ["script schema { query: Q }"]
    ],
    [
      "from no query of a GraphQL viewer, and from no schema on another page",
      `<div id="graphiql"></div>${script("parse(`query { note }`); const typeDefs = `type Note { id: ID }`")}`,
      []
    ],
    ["from no schema of a page without a viewer", script("buildSchema(`type Query { note: String }`)"), []],
    [
      "from a name that is given a URL",
      script("const where = '/a.json'; SwaggerUIBundle({ url: where })"),
      ["swagger-ui /a.json"]
    ],
    [
      "from JSON in a string",
      script(`var c = JSON.parse('{"urls":[{"url":"a\\u002ejson"}]}'); SwaggerUIBundle(c)`),
      ["swagger-ui /docs/a.json"]
    ],
    [
      "from a configuration file",
      script("SwaggerUIBundle({ url: '', \"configUrl\": '/v3/conf' })"),
      ["swagger-ui by /v3/conf"]
    ],
    [
      "from a description inside, whose servers are no descriptions",
      script(`SwaggerUIBundle({ spec: ${SPEC} })`),
      [`swagger-ui ${SPEC}`]
    ],
    [
      "from a name that is given a description",
      script(`const spec = ${SPEC};\nSwaggerUIBundle({ spec, dom_id: "#a" })`),
      [`swagger-ui ${SPEC}`]
    ],
    [
      "from the options of a server's package",
      script(`let options = { "swaggerDoc": ${SPEC} }; let s = options.swaggerDoc; SwaggerUIBundle({ spec: s })`),
      [`swagger-ui ${SPEC}`]
    ],
    [
      "from a script beside the page",
      "<script src=./swagger-initializer.js></script>",
      ["swagger-ui by /docs/swagger-initializer.js"]
    ],
    [
      "from the script that starts the viewer",
      "<script src=./swagger-ui-bundle.js></script><script src=index.js></script>",
      ["swagger-ui by /docs/index.js"]
    ],
    ["from Scalar's script", "<script id=api-reference data-url=/openapi.json></script>", ["scalar /openapi.json"]],
    [
      "from Scalar's attribute",
      `<script id=api-reference data-configuration="{theme: 'a', url: '/a.json'}"></script>`,
      ["scalar /a.json"]
    ],
    [
      "from Scalar's sources",
      script(
        "Scalar.createApiReference('#a', { sources: [{ url: '/a.json' }, { content: 'openapi: 3.1.0' }], proxyUrl: 'https://p.example' })"
      ),
      ["scalar openapi: 3.1.0", "scalar /a.json"]
    ],
    [
      "from a script that holds one for a viewer that we do not know",
      script(`start({ theme: "a", doc: ${SPEC} })`),
      [`script ${SPEC}`]
    ],
    [
      "from the result of an introspection",
      script('GraphQLVoyager.init(el, { introspection: { data: {"__schema":{"types":[]}} } })'),
      ['script {"__schema":{"types":[]}}']
    ]
  ])("%s", (_, html, expected) => {
    expect(shown(html)).toEqual(expected)
  })

  it("from the query of a viewer's own URL", () => {
    const html = script("SwaggerUIBundle({ dom_id: '#a' })")
    expect(shown(html, `${ORIGIN}/ui/?url=/a.json`)).toEqual(["swagger-ui ?", "swagger-ui /a.json"])
    expect(shown("<p>None</p>", `${ORIGIN}/ui/?url=/a.json`)).toEqual([])
  })
})

it.each([
  ["that fetches a file", "fetch('/openapi.json')"],
  ["that holds a description without operations", "const form = { openapi: '3.1.0', info: {}, paths: {} }"],
  ["that holds a description as text of an example", `const example = ${JSON.stringify(SPEC)}`],
  ["that speaks of a schema", "const q = '{ __schema { types { name } } }'"]
])("a script %s shows none", (_, code) => {
  expect(shown(script(code))).toEqual([])
})
