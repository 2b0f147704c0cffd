import { describe, expect, it } from "vitest"
import { readViewers } from "../../../engine/page/html/SpecViewers.ts"
import { ORIGIN } from "../../site/FakeContext.ts"
import { walked } from "./Walked.ts"

const SPEC = '{"openapi":"3.1.0","info":{},"servers":[{"url":"https://api.example.com"}],"paths":{"/a":{}}}'

/** What the viewers of a page are set up to show: URLs, texts, and files of theirs that tell more. */
const shown = (html: string, url = `${ORIGIN}/docs/`): ReadonlyArray<string> =>
  readViewers(walked(html), url, url).map(
    ({ computed, configuration, inline, kind, url: named }) =>
      `${kind} ${named?.replace(ORIGIN, "") ?? inline ?? (configuration === null ? `?${computed ?? ""}` : `by ${configuration.replace(ORIGIN, "")}`)}`
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
    ...["web-components.min.js", "rapidoc-min.js", "redoc.standalone.js", "asyncapi-ui.min.js"].map(
      (viewer, at): [string, string, ReadonlyArray<string>] => [
        `from the script that starts ${viewer}`,
        `<script src=https://cdn.example.net/${viewer}></script><script src=index.js></script>`,
        [`${["stoplight", "rapidoc", "redoc", "asyncapi"][at]} by /docs/index.js`]
      ]
    ),
    [
      "from the main script of Docusaurus, where Redocusaurus shows it",
      '<script src=/runtime.js></script><script src=/assets/js/main.60fc.js></script><div class="redocusaurus"></div>',
      ["redoc by /assets/js/main.60fc.js"]
    ],
    [
      "from no other script where the viewer's element names it",
      "<script src=rapidoc-min.js></script><script src=index.js></script><rapi-doc spec-url=a.yaml></rapi-doc>",
      ["rapidoc /docs/a.yaml"]
    ],
    [
      "from an attribute that a script sets",
      script('viewer.setAttribute("spec-url", `a.json`)'),
      ["rapidoc /docs/a.json"]
    ],
    [
      "from an attribute that only a running script knows",
      script('viewer.setAttribute("spec-url", `${host}/openapi.json`)'),
      ["rapidoc ?"]
    ],
    [
      "from a property of Stoplight's element that only a running script knows",
      script("viewer.apiDescriptionUrl = `https://example.com/${branch}/a.json`"),
      ["stoplight ?"]
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
      "from the viewer of AsyncAPI's React component",
      script("AsyncApiStandalone.render({ schema: { url: './asyncapi.yaml', options: {} }, config: {} }, el)"),
      ["asyncapi /docs/asyncapi.yaml"]
    ],
    [
      "from AsyncAPI's element",
      '<asyncapi-component schemaUrl="/asyncapi.yaml"></asyncapi-component>',
      ["asyncapi /asyncapi.yaml"]
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

  it.each<[string, string, ReadonlyArray<string>]>([
    [
      "a sum of texts",
      "var v = 'v2'; SwaggerUIBundle({ url: '/specs/' + v + '.json' })",
      ["swagger-ui /specs/v2.json"]
    ],
    ["a template", "const v = 'v2'; SwaggerUIBundle({ url: `./specs/${v}.json` })", ["swagger-ui /docs/specs/v2.json"]],
    ["the page's own origin", "SwaggerUIBundle({ url: window.location.origin + '/a.json' })", ["swagger-ui /a.json"]],
    [
      "the page's own protocol and host",
      "SwaggerUIBundle({ url: `${location.protocol}//${location.host}/a.json` })",
      ["swagger-ui /a.json"]
    ],
    [
      "a URL beside the page",
      "Scalar.createApiReference('#a', { url: new URL('a.json', window.location.href).toString() })",
      ["scalar /docs/a.json"]
    ],
    [
      "a default for what the query may name",
      "const q = new URLSearchParams(location.search); SwaggerUIBundle({ url: q.get('spec') || './a.json' })",
      ["swagger-ui /docs/a.json"]
    ],
    [
      "a choice",
      "SwaggerUIBundle({ url: location.hostname === 'localhost' ? '/a.json' : '/b.json' })",
      ["swagger-ui /a.json"]
    ],
    [
      "a list of versions",
      "const all = ['v2', 'v1']; SwaggerUIBundle({ urls: all.map((v) => ({ url: '/' + v + '.json', name: v })) })",
      ["swagger-ui /v2.json", "swagger-ui /v1.json"]
    ],
    [
      "the argument of the function that starts the viewer",
      "window.onload = () => { show('/a.json') }; function show(which) { SwaggerUIBundle({ url: `${which}` }) }",
      ["swagger-ui /a.json"]
    ],
    [
      "a file that the script fetches",
      "fetch('./a.json').then((r) => r.json()).then((spec) => SwaggerUIBundle({ spec, dom_id: '#a' }))",
      ["swagger-ui by /docs/a.json"]
    ]
  ])("from what a script works out of %s", (_, code, expected) => {
    expect(shown(script(code))).toEqual(expected)
  })

  it.each<[string, string, ReadonlyArray<string>]>([
    ["nothing", "SwaggerUIBundle({ url: decide() })", ["swagger-ui ?"]],
    [
      "the host",
      "fetch('https://git.example.net/tags').then((r) => r.json()).then((tags) => SwaggerUIBundle({ urls: tags.map((tag) => ({ url: 'https://raw.example.net/notes/' + tag.name + '/spec.json' })) }))",
      ["swagger-ui ?https://raw.example.net/notes/"]
    ],
    [
      "the host, in a template",
      "SwaggerUIBundle({ url: `https://raw.example.net/${tag()}/a.json` })",
      ["swagger-ui ?https://raw.example.net/"]
    ]
  ])("is not guessed where only a running script knows it: of its URL, %s is known", (_, code, expected) => {
    expect(shown(script(code))).toEqual(expected)
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
