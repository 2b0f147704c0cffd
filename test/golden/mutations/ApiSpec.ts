import type { FakeSite } from "../../../engine/testing/FakeSite.ts"
import {
  all,
  inAnswers,
  inDescription,
  inFile,
  inHtml,
  inPages,
  withAnswers,
  without,
  withHeaders,
  withoutMembers
} from "./Break.ts"
import { petStore } from "../hostile/PetStore.ts"
import type { Mutation } from "./Mutation.ts"

/** Nothing on the site says where the description is. */
const unannounced = all(
  inPages((response) => withHeaders(response, { link: '</llms.txt>; rel="llms-txt"' })),
  inHtml((html) => html.replace(/ *<link rel="service-desc".*\n/, "")),
  inFile("/llms.txt", (text) => text.replace(/^- \[API description\].*\n/m, "")),
  inFile("/.well-known/api-catalog", (json) => json.replace(/"service-desc": \[[^\]]*\],/, ""))
)

const moved = (site: FakeSite): FakeSite => ({
  ...without("/openapi.json")(site),
  "/assets/contract-7c1.json": site["/openapi.json"] ?? ""
})

const inViewerOnly = inHtml((html, place) =>
  place === "/v2/reference/harbours"
    ? html.replace("</main>", '<redoc spec-url="/assets/contract-7c1.json"></redoc></main>')
    : html
)

const NOT_READ = "what cannot be read cannot be judged"

/** Responses of kind 4xx, 5xx and `default` that every operation has. */
const ERROR_RESPONSES = /,"(?:4\d\d|default)":\{"\$ref":"#\/components\/responses\/Problem"\}/g

export const apiSpecMutations: ReadonlyArray<Mutation> = [
  {
    name: "there is no API description",
    breaks: inAnswers(all(unannounced, without("/openapi.json"))),
    costs: "C1",
    alsoMayCost: { C2: NOT_READ, C3: NOT_READ, C4: NOT_READ, C5: NOT_READ }
  },
  {
    name: "the API description is known to a viewer only",
    breaks: inAnswers(all(unannounced, moved, inViewerOnly)),
    costs: "C1"
  },
  {
    name: "the API description breaks off",
    breaks: inAnswers(inFile("/openapi.json", (json) => json.slice(0, json.length / 2))),
    costs: "C2",
    alsoMayCost: { C1: "it does not parse", C3: NOT_READ, C4: NOT_READ, C5: NOT_READ }
  },
  {
    name: "references of the API description lead nowhere",
    breaks: inDescription((json) => json.replaceAll('schemas/Booking"', 'schemas/Reservation"')),
    costs: "C2"
  },
  {
    name: "operations share an id",
    breaks: inDescription((json) => json.replaceAll(/"operationId":"get\w+"/g, '"operationId":"get"')),
    costs: "C2"
  },
  {
    name: "path parameters are not declared",
    breaks: inDescription((json) => json.replaceAll(/"in":"path"/g, '"in":"query"')),
    costs: "C2",
    alsoMayCost: { D1: "calls lack what the description asks for in their query" }
  },
  {
    name: "the API description describes nothing",
    breaks: inDescription((json) => json.replaceAll(/"(?:description|summary)":"[^"]*"/g, '"description":""')),
    costs: "C3"
  },
  {
    name: "the API description has no examples",
    breaks: inDescription(withoutMembers("example", "examples")),
    costs: "C4"
  },
  {
    name: "the API description has no types and bounds",
    breaks: inDescription(
      withoutMembers(
        "type",
        "pattern",
        "format",
        "enum",
        "minimum",
        "maximum",
        "minLength",
        "maxLength",
        "default",
        "example",
        "examples"
      )
    ),
    costs: "C4",
    alsoMayCost: { C2: "a security scheme without a type is invalid", C5: "the `default` answers go with it" }
  },
  {
    name: "the API description names no server that can be called",
    breaks: inDescription((json) =>
      json.replaceAll(/https:\/\/(?:api|sandbox)\.moorling-api\.com\/v2/g, "https://example.com")
    ),
    costs: "C5"
  },
  {
    name: "operations do not say how they fail",
    breaks: inDescription((json) => json.replaceAll(ERROR_RESPONSES, "")),
    costs: "C5"
  },
  {
    name: "the API description requires a security scheme that it does not declare",
    breaks: inDescription(withoutMembers("securitySchemes")),
    costs: "C5"
  },
  {
    name: "the API description has an empty version",
    breaks: inDescription((json) => json.replace('"version":"2.14.0"', '"version":" "')),
    costs: "C5"
  },
  {
    name: "the API description is the example that a generator came with",
    breaks: inAnswers(withAnswers({ "/openapi.json": JSON.stringify(petStore) })),
    costs: "C1",
    alsoMayCost: { C2: NOT_READ, C3: NOT_READ, C4: NOT_READ, C5: NOT_READ }
  }
]
