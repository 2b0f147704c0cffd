import type { SpecViewer } from "../Page.ts"
import { isExpression, isObject, makeScope, memberOf, type ScriptScope } from "./ScriptScope.ts"
import { type Expression, jsonText, readValue, type ScriptValue } from "./ScriptValue.ts"

/** What a viewer is told to show; URLs as written. */
export interface Shown {
  readonly kind: SpecViewer["kind"]
  readonly url: string | null
  readonly inline: string | null
  readonly configuration: string | null
  readonly computed: string | null
}

type Kind = SpecViewer["kind"]

/** Longest script that is read, in characters. */
const MAX_CHARACTERS = 20 * 1024 * 1024

/** Descriptions that one script names or holds. */
const MAX_SHOWN = 20

/** What the viewers in a script are told to show, and the descriptions that it holds. */
export const shownByScript = (code: string): ReadonlyArray<Shown> => {
  if (code.length > MAX_CHARACTERS || !MENTIONS.test(code)) return []
  const scope = makeScope(code)
  const byViewers = [
    ...argumentsOf(scope, ["SwaggerUIBundle", "SwaggerUI", "SwaggerUi"], 0).flatMap((value) =>
      configured(scope, "swagger-ui", value)
    ),
    ...documents("swagger-ui", [scope.resolved(memberOf(scope.given("options"), "swaggerDoc"))]),
    ...argumentsOf(scope, ["createApiReference"], 1).flatMap((value) => scalar(scope, value)),
    ...argumentsOf(scope, ["Redoc.init"], 0).flatMap((value) => shownAs(scope, "redoc", value)),
    ...argumentsOf(scope, ["AsyncApiStandalone.render", "AsyncApiStandalone.hydrate"], 0).flatMap((value) =>
      asyncApi(scope, value)
    ),
    ...(code.includes("__redoc_state") ? redocState(scope) : []),
    ...stoplight(scope),
    ...byAttribute(scope),
    ...argumentsOf(scope, ["loadSpec"], 0).flatMap((value) => documents("rapidoc", [value]))
  ]
  return eachOnce([...byViewers, ...documents("script", heldBy(code))].map(beside(code))).slice(0, MAX_SHOWN)
}

/** What a script fetches with a URL that is written out. */
const FETCHES =
  /(?<![\w$])(?:fetch|getJSON|axios(?:\.get)?|\$\.get|\.open\(\s{0,5}["']GET["'],)\(?\s{0,5}["'`]([^"'`\s${}]{1,500})["'`]/

/** A viewer that tells nothing may show what its script fetches: a description, or a file that names one. */
const beside = (code: string): ((shown: Shown) => Shown) => {
  const [, fetched = null] = FETCHES.exec(code) ?? []
  return (shown) => (shown.computed === "" && fetched !== null ? { ...shown, configuration: fetched } : shown)
}

/** Scripts without any of these are those of almost all pages. */
const MENTIONS =
  /SwaggerU[Ii]|swaggerDoc|createApiReference|Redoc\.init|AsyncApiStandalone|__redoc_state|apiDescription|spec-url|loadSpec|\{\s{0,20}["']?(?:openapi|swagger|asyncapi|__schema)["']?\s{0,20}:/

/** Schemas that a script of a GraphQL viewer builds from text. */
export const schemasInScript = (code: string): ReadonlyArray<Shown> => {
  if (code.length > MAX_CHARACTERS || !BUILDS_SCHEMA.test(code)) return []
  const scope = makeScope(code)
  const texts = [...argumentsOf(scope, ["buildSchema", "parse"], 0), scope.given("typeDefs")].filter(
    (value) => typeof value === "string" && SCHEMA.test(value)
  )
  return eachOnce(documents("script", texts)).slice(0, MAX_SHOWN)
}

const BUILDS_SCHEMA = /\bbuildSchema\b|\btypeDefs\b|\bbuildASTSchema\b/

/** A query or a part of a schema has none of these. */
const SCHEMA =
  /(?:^|[\n}])\s{0,20}(?:schema|(?:extend\s{1,5})?type\s{1,5}(?:Query|Mutation|Subscription))\b[^{\n]{0,200}\{/

/** Configuration of a viewer as an attribute has it. */
export const shownByConfiguration = (kind: Kind, text: string): ReadonlyArray<Shown> =>
  text.length > MAX_CHARACTERS ? [] : configured(makeScope(text), kind, readValue(text, 0))

/** A description, by its first member. */
const DESCRIPTION =
  /^\s{0,1000}(?:\{\s{0,1000}|(?:#[^\n]{0,1000}\n\s{0,1000}|---\s{1,100}){0,20})["']?(?:openapi|swagger|asyncapi)["']?\s{0,20}:/

/** The files that Redocusaurus writes, as the main script of the site names them from two folders above its own. */
const REDOCUSAURUS = /"url":"(redocusaurus\/[^"\\]{1,300})"/g

/** What a file at `url` says that a viewer takes its configuration from: a script, JSON, or the description itself. */
export const shownByFile = (text: string, url: string): ReadonlyArray<Shown> => {
  if (/^\s*</.test(text)) return []
  if (DESCRIPTION.test(text)) return [shownAt("swagger-ui", url)]
  if (/^\s*\{/.test(text)) return shownByConfiguration("swagger-ui", text)
  if (/^\s*\[/.test(text)) return shownByConfiguration("swagger-ui", `{"urls":${text}}`)
  const built = [...text.matchAll(REDOCUSAURUS).take(MAX_SHOWN)].map(([, path = ""]) =>
    shownAt("redoc", new URL(`../../${path}`, url).href)
  )
  if (built.length > 0) return built
  const shown = shownByScript(text)
  return shown.length > 0 ? shown : [computedShown("swagger-ui")]
}

const argumentsOf = (
  scope: ScriptScope,
  names: ReadonlyArray<string>,
  index: number
): ReadonlyArray<ScriptValue | undefined> =>
  names.flatMap((name) => scope.calls(name).map((given) => scope.resolved(given[index])))

/** A viewer of which only a running script knows what it shows. */
const computedShown = (kind: Kind, begins = ""): Shown => ({
  kind,
  url: null,
  inline: null,
  configuration: null,
  computed: begins
})

const shownAt = (kind: Kind, url: string): Shown => ({ ...computedShown(kind), url, computed: null })

/**
 * `{ url, urls: [{ url }], configUrl, spec, content, sources: [{ url }] }`: the documents and URLs that its own members name, never
 * those inside a description. A viewer that tells nothing is one all the same.
 */
const configured = (scope: ScriptScope, kind: Kind, configuration: ScriptValue | undefined): ReadonlyArray<Shown> => {
  const at = (key: string): ScriptValue | undefined => scope.resolved(memberOf(configuration, key))
  const inSpec = (key: string): ScriptValue | undefined => scope.resolved(memberOf(at("spec"), key))
  const lists = [at("urls"), at("sources")]
  const items = lists.flatMap(itemsOf).map((item) => scope.resolved(item))
  const urls = [at("url"), at("swaggerUrl"), inSpec("url"), ...items.map((item) => memberOf(item, "url"))]
  const held = [
    ...(given(inSpec("url")) ? [] : [at("spec")]),
    ...[at("swaggerDoc"), at("content"), inSpec("content")],
    ...items.map((item) => scope.resolved(memberOf(item, "content")))
  ]
  const shown = [
    ...documents(kind, held),
    ...urls.flatMap((value) => addresses(scope, kind, value)),
    ...lists.flatMap((value) => (isExpression(value) ? mapped(scope, kind, value) : [])),
    ...addresses(scope, kind, at("configUrl")).map(({ url, ...rest }) => ({ ...rest, url: null, configuration: url }))
  ]
  return shown.length > 0 ? shown : [computedShown(kind)]
}

const given = (value: ScriptValue | undefined): boolean => written(value).length > 0

/** The URL that a value is, or comes to. */
const addresses = (scope: ScriptScope, kind: Kind, value: ScriptValue | undefined): ReadonlyArray<Shown> => {
  if (!isExpression(value)) return written(value).map((url) => shownAt(kind, url))
  const { text, whole } = scope.text(value)
  return [whole && text !== "" ? shownAt(kind, text) : computedShown(kind, text)]
}

const MAPS = /^([\w$.]{1,100})\s{0,20}\.map\(\s{0,20}(?:function\s{0,20})?\(?\s{0,20}([\w$]{1,100})/
const URL_MEMBER = /(?<![\w$])["']?url["']?\s{0,20}:/

/** `versions.map((version) => ({ url: "/" + version + ".json" }))`: a URL for each item that is written out. */
const mapped = (scope: ScriptScope, kind: Kind, { at, source }: Expression): ReadonlyArray<Shown> => {
  const member = URL_MEMBER.exec(source)
  if (member === null) return [computedShown(kind)]
  const url = readValue(scope.code, at + member.index + member[0].length)
  const [, list = "", parameter = ""] = MAPS.exec(source) ?? []
  const items = itemsOf(scope.resolved({ _tag: "Expression", source: list, at }))
  return items.length === 0
    ? addresses(scope, kind, url)
    : items.slice(0, MAX_SHOWN).flatMap((item) => addresses(scope.with(parameter, item), kind, url))
}

/** One configuration, or one for each description. */
const scalar = (scope: ScriptScope, value: ScriptValue | undefined): ReadonlyArray<Shown> => {
  const several = itemsOf(value)
  return (several.length > 0 ? several : [value]).flatMap((one) => configured(scope, "scalar", scope.resolved(one)))
}

/** A URL, or the document itself. */
const shownAs = (scope: ScriptScope, kind: Kind, value: ScriptValue | undefined): ReadonlyArray<Shown> => {
  const named = typeof value === "object" ? [] : written(value).map((url) => shownAt(kind, url))
  const shown = [...named, ...(typeof value === "string" ? [] : documents(kind, [value]))]
  return shown.length > 0
    ? shown
    : addresses(scope, kind, value ?? null).concat(isExpression(value) ? [] : [computedShown(kind)])
}

/** `{ schema: { url } }`, or the document as text or object. */
const asyncApi = (scope: ScriptScope, value: ScriptValue | undefined): ReadonlyArray<Shown> => {
  const schema = scope.resolved(memberOf(value, "schema"))
  const url = scope.resolved(memberOf(schema, "url"))
  if (url !== undefined) return addresses(scope, "asyncapi", url)
  const held = documents("asyncapi", [schema])
  return held.length > 0 ? held : [computedShown("asyncapi")]
}

/** What `redocly build-docs` leaves in the page: `__redoc_state = { "spec": { "data": { … } } }`. */
const redocState = (scope: ScriptScope): ReadonlyArray<Shown> => {
  const held = documents("redoc", [memberOf(memberOf(scope.given("__redoc_state"), "spec"), "data")])
  return held.length > 0 ? held : [computedShown("redoc")]
}

const SETS_ADDRESS = /\.apiDescriptionUrl\s{0,20}=(?!=)/

/** Properties of Stoplight's element. */
const stoplight = (scope: ScriptScope): ReadonlyArray<Shown> => {
  const shown = [
    ...documents("stoplight", [scope.given("apiDescriptionDocument")]),
    ...written(scope.given("apiDescriptionUrl")).map((url) => shownAt("stoplight", url))
  ]
  return shown.length === 0 && SETS_ADDRESS.test(scope.code) ? [computedShown("stoplight")] : shown
}

/** Attributes of the elements of viewers, in lower case. */
const ATTRIBUTES: ReadonlyMap<string, Kind> = new Map([
  ["spec-url", "rapidoc"],
  ["apidescriptionurl", "stoplight"]
])

/** `viewer.setAttribute("spec-url", "openapi.json")` */
const byAttribute = (scope: ScriptScope): ReadonlyArray<Shown> =>
  scope.calls("setAttribute").flatMap(([name, value]) => {
    const kind = typeof name === "string" ? ATTRIBUTES.get(name.toLowerCase()) : undefined
    return kind === undefined ? [] : addresses(scope, kind, scope.resolved(value))
  })

const itemsOf = (value: ScriptValue | undefined): ReadonlyArray<ScriptValue> =>
  typeof value === "object" && value !== null && value._tag === "List" ? value.items : []

const written = (value: ScriptValue | undefined): ReadonlyArray<string> =>
  typeof value === "string" && value.trim() !== "" ? [value] : []

/** Objects, and texts that are JSON, YAML or a schema in themselves. */
const documents = (kind: Kind, values: ReadonlyArray<ScriptValue | undefined>): ReadonlyArray<Shown> =>
  values.flatMap((value) => {
    const holding = (inline: string): ReadonlyArray<Shown> => [{ ...computedShown(kind), inline, computed: null }]
    if (typeof value === "string") return value.trim() === "" ? [] : holding(value)
    return isObject(value) && value.members.size > 0 ? holding(jsonText(value)) : []
  })

const HELD = /\{\s{0,20}["']?(?:openapi|swagger|asyncapi|__schema)["']?\s{0,20}:/g
/** Places in one script that are tried. */
const MAX_HELD = 5

/** Objects that are descriptions by their members, wherever the script has them: for a viewer that we do not know. */
const heldBy = (code: string): ReadonlyArray<ScriptValue> => {
  const held: Array<ScriptValue> = []
  HELD.lastIndex = 0
  for (let match = HELD.exec(code), tried = 0; match !== null && tried < MAX_HELD; match = HELD.exec(code), tried++) {
    const value = readValue(code, match.index)
    if (isObject(value)) {
      held.push(value)
      HELD.lastIndex = match.index + value.text.length
    }
  }
  return held.filter(isDescription)
}

/** With operations: a form's example or a stub of one page has none. */
const isDescription = (value: ScriptValue): boolean =>
  memberOf(memberOf(value, "__schema"), "types") !== undefined ||
  (memberOf(value, "info") !== undefined &&
    ["paths", "webhooks", "channels"].some((key) => {
      const part = memberOf(value, key)
      return isObject(part) && part.members.size > 0
    }))

const eachOnce = (all: ReadonlyArray<Shown>): ReadonlyArray<Shown> => {
  const known = new Set<string>()
  return all.filter(({ computed, configuration, inline, url }) => {
    const key = inline ?? JSON.stringify([url, configuration, computed])
    const isNew = !known.has(key)
    known.add(key)
    return isNew
  })
}
