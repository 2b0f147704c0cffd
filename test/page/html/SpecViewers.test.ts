import { expect, it } from "vitest"
import { readViewers } from "../../../engine/page/html/SpecViewers.ts"
import { ORIGIN } from "../../site/FakeContext.ts"
import { walked } from "./Walked.ts"

const URL_OF_SPEC = `${ORIGIN}/openapi.json`

it.each([
  ["Redoc's element", "<redoc spec-url=/openapi.json></redoc>", [{ kind: "redoc", url: URL_OF_SPEC, inline: null }]],
  [
    "Redoc's call with an object",
    '<script>Redoc.init({"openapi":"3.1.0"}, {})</script>',
    [{ kind: "redoc", url: null, inline: '{"openapi":"3.1.0"}' }]
  ],
  [
    "Swagger UI with several URLs",
    "<script>SwaggerUIBundle({ urls: [{ url: \"/openapi.json\" }, { url: '/b.json' }] })</script>",
    [
      { kind: "swagger-ui", url: URL_OF_SPEC, inline: null },
      { kind: "swagger-ui", url: `${ORIGIN}/b.json`, inline: null }
    ]
  ],
  [
    "Swagger UI's script beside the page",
    "<script src=./swagger-initializer.js></script>",
    [{ kind: "swagger-ui", url: null, inline: null }]
  ],
  [
    "Stoplight's element",
    "<elements-api apiDescriptionUrl=/openapi.json></elements-api>",
    [{ kind: "stoplight", url: URL_OF_SPEC, inline: null }]
  ],
  [
    "Scalar's script",
    "<script id=api-reference data-url=/openapi.json></script>",
    [{ kind: "scalar", url: URL_OF_SPEC, inline: null }]
  ],
  ["nothing in other scripts", "<script>fetch('/openapi.json')</script>", []]
])("reads %s", (_, html, viewers) => {
  expect(readViewers(walked(html), `${ORIGIN}/docs/`)).toEqual(viewers)
})
