import { normalise } from "../../evidence/Address.ts"
import { attribute, contentOf, type Element } from "../dom/HtmlTree.ts"
import { objectAfter } from "./InlineObject.ts"
import type { SpecViewer } from "../Page.ts"
import type { DomWalk } from "../dom/DomWalk.ts"

type Kind = SpecViewer["kind"]

const MAX_VIEWERS = 20

/** Elements that show a description, and the attributes that name it or hold it. */
const ELEMENTS: ReadonlyArray<readonly [element: string, kind: Kind, address: string, document: string | null]> = [
  ["redoc", "redoc", "spec-url", null],
  ["rapi-doc", "rapidoc", "spec-url", null],
  ["rapi-doc-mini", "rapidoc", "spec-url", null],
  ["elements-api", "stoplight", "apidescriptionurl", "apidescriptiondocument"],
  ["api-reference", "scalar", "spec-url", null]
]

/** The API description viewers in a page, and what each is set up to show. */
export const readViewers = (walk: DomWalk, base: string): ReadonlyArray<SpecViewer> => {
  const byElement = ELEMENTS.flatMap(([name, kind, address, document]) =>
    (walk.byName.get(name) ?? []).map((element) =>
      viewer(kind, attribute(element, address), document === null ? null : attribute(element, document), base)
    )
  )
  const byScript = (walk.byName.get("script") ?? []).flatMap((script) => viewersInScript(script, base))
  return [...byElement, ...byScript].slice(0, MAX_VIEWERS)
}

const viewer = (kind: Kind, address: string | null, inline: string | null, base: string): SpecViewer => ({
  kind,
  url: address === null || address.trim() === "" ? null : normalise(address, base),
  inline: inline === null || inline.trim() === "" ? null : inline
})

const viewersInScript = (script: Element, base: string): ReadonlyArray<SpecViewer> => {
  if (attribute(script, "id") === "api-reference") return [scalarScript(script, base)]
  const source = attribute(script, "src")
  // Swagger UI's own page keeps its configuration in this script of the same folder.
  if (source !== null)
    return /(?:^|\/)swagger-initializer\.js(?:$|\?)/.test(source) ? [viewer("swagger-ui", null, null, base)] : []
  const code = contentOf(script)
  return [
    ...(code.includes("SwaggerUI") ? swaggerUi(code, base) : []),
    ...(code.includes("Redoc.init") ? redocInit(code, base) : []),
    ...(code.includes("__redoc_state") ? redocState(code, base) : []),
    ...(code.includes("Scalar.createApiReference") ? scalarCall(code, base) : [])
  ]
}

const URL_KEY = /["']?\burl["']?\s*:\s*(["'`])([^"'`\n]{1,2000})\1/g

/** `SwaggerUIBundle({ url, urls: [{ url }], spec })`. */
const swaggerUi = (code: string, base: string): ReadonlyArray<SpecViewer> => {
  const at = code.search(/SwaggerUI(?:Bundle)?\s*\(/)
  if (at < 0) return []
  const from = code.slice(at, at + 20_000)
  const addresses = [...from.matchAll(URL_KEY)].flatMap((match) => (match[2] === undefined ? [] : [match[2]]))
  if (addresses.length > 0) return addresses.map((address) => viewer("swagger-ui", address, null, base))
  return [viewer("swagger-ui", null, objectAfter(code, /["']?\bspec["']?\s*:\s*/g, at), base)]
}

/** `Redoc.init("openapi.yaml", …)` or `Redoc.init({ … }, …)`. */
const redocInit = (code: string, base: string): ReadonlyArray<SpecViewer> => {
  const address = /Redoc\.init\(\s*(["'`])([^"'`\n]{1,2000})\1/.exec(code)?.[2]
  return [
    viewer("redoc", address ?? null, address === undefined ? objectAfter(code, /Redoc\.init\(\s*/g, 0) : null, base)
  ]
}

/** What `redocly build-docs` leaves in the page: `__redoc_state = { "spec": { "data": { … } } }`. */
const redocState = (code: string, base: string): ReadonlyArray<SpecViewer> => {
  const state = code.indexOf("__redoc_state")
  const spec = code.indexOf('"spec"', state)
  return [viewer("redoc", null, spec < 0 ? null : objectAfter(code, /"data"\s*:\s*/g, spec), base)]
}

const scalarScript = (script: Element, base: string): SpecViewer => {
  const configuration = attribute(script, "data-configuration") ?? ""
  const address = attribute(script, "data-url") ?? /"url"\s*:\s*"([^"]{1,2000})"/.exec(configuration)?.[1] ?? null
  return viewer("scalar", address, attribute(script, "src") === null ? contentOf(script) : null, base)
}

const scalarCall = (code: string, base: string): ReadonlyArray<SpecViewer> => {
  const at = code.indexOf("Scalar.createApiReference")
  const addresses = [...code.slice(at, at + 20_000).matchAll(URL_KEY)].flatMap((match) =>
    match[2] === undefined ? [] : [match[2]]
  )
  if (addresses.length > 0) return addresses.map((address) => viewer("scalar", address, null, base))
  return [viewer("scalar", null, objectAfter(code, /["']?\bcontent["']?\s*:\s*/g, at), base)]
}
