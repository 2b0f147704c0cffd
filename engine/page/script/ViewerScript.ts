import type { SpecViewer } from "../Page.ts"
import {
  type Expression,
  jsonText,
  readArguments,
  readValue,
  type ScriptObject,
  type ScriptValue
} from "./ScriptValue.ts"

/** What a viewer is told to show; URLs as written. */
export interface Shown {
  readonly kind: SpecViewer["kind"]
  readonly url: string | null
  readonly inline: string | null
  readonly configuration: string | null
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
    ...argumentsOf(scope, ["SwaggerUIBundle", "SwaggerUI"], 0).flatMap((value) =>
      configured(scope, "swagger-ui", value)
    ),
    ...documents("swagger-ui", [scope.resolved(memberOf(scope.given("options"), "swaggerDoc"))]),
    ...argumentsOf(scope, ["createApiReference"], 1).flatMap((value) => scalar(scope, value)),
    ...argumentsOf(scope, ["Redoc.init"], 0).flatMap((value) => redoc(value)),
    ...(code.includes("__redoc_state") ? redocState(scope) : []),
    ...stoplight(scope),
    ...argumentsOf(scope, ["loadSpec"], 0).flatMap((value) => documents("rapidoc", [value]))
  ]
  return eachOnce([...byViewers, ...documents("script", heldBy(code))]).slice(0, MAX_SHOWN)
}

/** Scripts without any of these are those of almost all pages. */
const MENTIONS =
  /SwaggerUI|swaggerDoc|createApiReference|Redoc\.init|__redoc_state|apiDescription|loadSpec|\{\s{0,20}["']?(?:openapi|swagger|asyncapi|__schema)["']?\s{0,20}:/

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

/** Configuration of a viewer as a JSON file or an attribute has it. */
export const shownByConfiguration = (kind: Kind, text: string): ReadonlyArray<Shown> =>
  text.length > MAX_CHARACTERS ? [] : configured(makeScope(text), kind, readValue(text, 0))

const argumentsOf = (
  scope: ScriptScope,
  names: ReadonlyArray<string>,
  index: number
): ReadonlyArray<ScriptValue | undefined> =>
  names.flatMap((name) => scope.calls(name).map((given) => scope.resolved(given[index])))

const nothingShown = (kind: Kind): Shown => ({ kind, url: null, inline: null, configuration: null })

/**
 * `{ url, urls: [{ url }], configUrl, spec, content, sources: [{ url }] }`: the documents and URLs that its own members name, never
 * those inside a description. A viewer that tells nothing is one all the same.
 */
const configured = (scope: ScriptScope, kind: Kind, configuration: ScriptValue | undefined): ReadonlyArray<Shown> => {
  const at = (key: string): ScriptValue | undefined => scope.resolved(memberOf(configuration, key))
  const inSpec = (key: string): ScriptValue | undefined => scope.resolved(memberOf(at("spec"), key))
  const lists = [...itemsOf(at("urls")), ...itemsOf(at("sources"))].map((item) => scope.resolved(item))
  const urls = [
    ...[at("url"), at("swaggerUrl"), inSpec("url")],
    ...lists.map((item) => scope.resolved(memberOf(item, "url")))
  ].flatMap(written)
  const held = [
    ...(written(inSpec("url")).length > 0 ? [] : [at("spec")]),
    ...[at("swaggerDoc"), at("content"), inSpec("content")],
    ...lists.map((item) => scope.resolved(memberOf(item, "content")))
  ]
  const shown = [
    ...documents(kind, held),
    ...urls.map((url) => ({ ...nothingShown(kind), url })),
    ...written(at("configUrl")).map((url) => ({ ...nothingShown(kind), configuration: url }))
  ]
  return shown.length > 0 ? shown : [nothingShown(kind)]
}

/** One configuration, or one for each description. */
const scalar = (scope: ScriptScope, value: ScriptValue | undefined): ReadonlyArray<Shown> => {
  const several = itemsOf(value)
  return (several.length > 0 ? several : [value]).flatMap((one) => configured(scope, "scalar", scope.resolved(one)))
}

const redoc = (value: ScriptValue | undefined): ReadonlyArray<Shown> => {
  const [url] = written(value)
  if (url !== undefined) return [{ ...nothingShown("redoc"), url }]
  const held = documents("redoc", [value])
  return held.length > 0 ? held : [nothingShown("redoc")]
}

/** What `redocly build-docs` leaves in the page: `__redoc_state = { "spec": { "data": { … } } }`. */
const redocState = (scope: ScriptScope): ReadonlyArray<Shown> => {
  const held = documents("redoc", [memberOf(memberOf(scope.given("__redoc_state"), "spec"), "data")])
  return held.length > 0 ? held : [nothingShown("redoc")]
}

/** Properties of Stoplight's element. */
const stoplight = (scope: ScriptScope): ReadonlyArray<Shown> => [
  ...documents("stoplight", [scope.given("apiDescriptionDocument")]),
  ...written(scope.given("apiDescriptionUrl")).map((url) => ({ ...nothingShown("stoplight"), url }))
]

const itemsOf = (value: ScriptValue | undefined): ReadonlyArray<ScriptValue> =>
  typeof value === "object" && value !== null && value._tag === "List" ? value.items : []

const written = (value: ScriptValue | undefined): ReadonlyArray<string> =>
  typeof value === "string" && value.trim() !== "" ? [value] : []

/** Objects, and texts that are JSON, YAML or a schema in themselves. */
const documents = (kind: Kind, values: ReadonlyArray<ScriptValue | undefined>): ReadonlyArray<Shown> =>
  values.flatMap((value) => {
    if (typeof value === "string") return value.trim() === "" ? [] : [{ ...nothingShown(kind), inline: value }]
    return isObject(value) && value.members.size > 0 ? [{ ...nothingShown(kind), inline: jsonText(value) }] : []
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
  return all.filter(({ configuration, inline, url }) => {
    const key = inline ?? JSON.stringify([url, configuration])
    const isNew = !known.has(key)
    known.add(key)
    return isNew
  })
}

/** A script whose names can be followed to their values. */
interface ScriptScope {
  readonly code: string
  /** A value, or what a name, a path of names or `JSON.parse("…")` comes to; an expression if that is not written out. */
  readonly resolved: (value: ScriptValue | undefined) => ScriptValue | undefined
  /** What a name is given, as `name = …` or `x.name = …`; `undefined` if that is nothing that is written out. */
  readonly given: (name: string) => ScriptValue | undefined
  /** The arguments of the first calls of a function. */
  readonly calls: (name: string) => ReadonlyArray<ReadonlyArray<ScriptValue>>
}

/** Names that lead to names. */
const HOPS = 4
/** Values that one name is given, and calls of one function, that are read. */
const TRIES = 4
/** All that is read to follow names, as a multiple of the script's length. */
const REREADING = 8

const PATH = /^(?:window\.|globalThis\.|self\.)?([\w$]{1,100})((?:\.[\w$]{1,100}){0,5})$/
const PARSED = /^JSON\.parse\(\s{0,20}(?=["'`])/
const ASSIGNED = /\s{0,20}=(?![=>])/y
const CALLED = /\s{0,20}\(/y

const makeScope = (code: string): ScriptScope => {
  const known = new Map<string, ScriptValue | undefined>()
  let left = REREADING * code.length

  const given = (name: string): ScriptValue | undefined => valueOf(name, HOPS)
  const valueOf = (name: string, hops: number): ScriptValue | undefined => {
    if (!known.has(name)) {
      known.set(name, undefined)
      known.set(name, firstWritten(name, hops))
    }
    return known.get(name)
  }
  const firstWritten = (name: string, hops: number): ScriptValue | undefined => {
    for (const at of placesOf(code, name, ASSIGNED)) {
      left -= code.length - at
      if (left < 0) return undefined
      const value = follow(readValue(code, at), hops - 1)
      if (!isExpression(value)) return value
    }
    return undefined
  }
  const follow = (value: ScriptValue | undefined, hops: number): ScriptValue | undefined => {
    if (!isExpression(value) || hops < 0) return value
    const parsed = PARSED.exec(value.source)
    if (parsed !== null) return parsedText(code, value.at + parsed[0].length) ?? value
    const [, name, path = ""] = PATH.exec(value.source) ?? []
    if (name === undefined) return value
    let found = valueOf(name, hops)
    for (const key of path.split(".").slice(1)) found = follow(memberOf(found, key), hops - 1)
    return found ?? value
  }
  return {
    code,
    given,
    resolved: (value) => follow(value, HOPS),
    calls: (name) => placesOf(code, name, CALLED).map((at) => readArguments(code, at - 1))
  }
}

const parsedText = (code: string, at: number): ScriptValue | undefined => {
  const text = readValue(code, at)
  return typeof text === "string" ? readValue(text, 0) : undefined
}

const isExpression = (value: ScriptValue | undefined): value is Expression =>
  typeof value === "object" && value !== null && value._tag === "Expression"

const isObject = (value: ScriptValue | undefined): value is ScriptObject =>
  typeof value === "object" && value !== null && value._tag === "Object"

const memberOf = (value: ScriptValue | undefined, key: string): ScriptValue | undefined =>
  isObject(value) ? value.members.get(key) : undefined

/** Where the first places end at which `after` follows the name as a word of its own. */
const placesOf = (code: string, name: string, after: RegExp): ReadonlyArray<number> => {
  const places: Array<number> = []
  for (let at = code.indexOf(name); at >= 0 && places.length < TRIES; at = code.indexOf(name, at + name.length)) {
    after.lastIndex = at + name.length
    if (!/[\w$]/.test(code[at - 1] ?? "") && after.test(code)) places.push(after.lastIndex)
  }
  return places
}
