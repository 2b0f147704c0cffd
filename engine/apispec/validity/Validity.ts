import { ERRORS_COUNTED, ERRORS_SHOWN, type SpecError, type SpecErrorRule, type SpecValidity } from "../ApiSpec.ts"
import { type HttpOperation, METHODS } from "../quality/SpecOperations.ts"
import { type Documents, type IndexedDocument, placeKey, resolveReference } from "../text/Documents.ts"
import {
  cutTo,
  entriesAt,
  has,
  isObject,
  type Json,
  listAt,
  objectAt,
  type Path,
  pointerOf,
  stringAt,
  wordAt
} from "../text/Json.ts"
import type { StructureReport } from "./Structure.ts"

/** Everything that is wrong with a description of HTTP operations. */
export const validityOf = (
  documents: Documents,
  operations: ReadonlyArray<HttpOperation>,
  structure: StructureReport
): SpecValidity =>
  weigh(documents, operations, structure, [
    ...documentFlaws(documents, structure),
    ...operationFlaws(documents, operations),
    ...serverFlaws(documents)
  ])

/** What can be wrong with a description of any JSON format. */
export const documentValidity = (documents: Documents, structure: StructureReport): SpecValidity =>
  weigh(documents, [], structure, documentFlaws(documents, structure))

const documentFlaws = (documents: Documents, structure: StructureReport): ReadonlyArray<Flaw> => [
  ...structure.errors.map((error): Flaw => ({ rule: "structure", url: documents.main.url, ...error })),
  ...duplicateFlaws(documents),
  ...deadReferences(documents)
]

const duplicateFlaws = (documents: Documents): ReadonlyArray<Flaw> =>
  [...documents.byUrl.values()].flatMap((document) =>
    document.duplicates.map(({ path, key }): Flaw => ({
      rule: "duplicate_key",
      url: document.url,
      path: [...path, key],
      message: `\`${cutTo(key, 40)}\` occurs twice in one object`
    }))
  )

const deadReferences = (documents: Documents): ReadonlyArray<Flaw> =>
  [...documents.byUrl.values()].flatMap((document) =>
    document.references
      .filter(({ ref }) => resolveReference(documents, ref, document)._tag === "Dead")
      .map(({ path, ref }): Flaw => ({
        rule: "reference",
        url: document.url,
        path,
        message: `\`$ref: ${cutTo(ref, 80)}\` leads nowhere`
      }))
  )

const weigh = (
  documents: Documents,
  operations: ReadonlyArray<HttpOperation>,
  { bySchema, complete }: StructureReport,
  flaws: ReadonlyArray<Flaw>
): SpecValidity => {
  const counted = flaws.slice(0, ERRORS_COUNTED)
  const touches = touching(documents, operations)
  const allCounted = complete && flaws.length <= ERRORS_COUNTED
  return {
    errorCount: counted.length,
    identityErrorCount: counted.filter(({ rule }) => IDENTITY.has(rule)).length,
    errors: counted.slice(0, ERRORS_SHOWN).map((flaw): SpecError => ({
      rule: flaw.rule,
      at: placeOf(documents, flaw),
      message: flaw.message,
      operations: touches([flaw])
    })),
    // Where not all errors were looked for, the operations without one are not known.
    touchedOperations: allCounted ? touches(counted) : operations.length,
    bySchema
  }
}

/** Errors by which two operations, or a path and its parameters, cannot be told apart. */
const IDENTITY: ReadonlySet<Flaw["rule"]> = new Set(["operation_id", "identical_path", "path_parameter"])

const placeOf = (documents: Documents, flaw: Flaw): string =>
  cutTo(`${flaw.url === documents.main.url ? "" : flaw.url}#${pointerOf(flaw.path)}`, 300)

/** From errors to the number of operations that contain one or lead to one: one walk for all of them. */
const touching = (
  documents: Documents,
  operations: ReadonlyArray<HttpOperation>
): ((flaws: ReadonlyArray<Flaw>) => number) => {
  const reach = reachOf(documents)
  const byPart = new Map<string, Array<HttpOperation>>()
  for (const operation of operations) {
    for (const part of partsOf(documents, operation)) listed(byPart, part).push(operation)
  }
  return (flaws) => {
    const hit = new Set<HttpOperation>()
    for (const part of leadingTo(
      reach,
      flaws.map((flaw) => partOf(flaw, flaw.path))
    )) {
      for (const operation of byPart.get(part) ?? []) hit.add(operation)
    }
    return hit.size
  }
}

/** The document itself and those of its members that every call depends on. */
const SHARED: ReadonlyArray<Path> = [[], ["paths"], ["servers"], ["security"], ["host"], ["basePath"], ["schemes"]]

/** Its own part, those that it shares with the other operations of its path, and those that all share. */
const partsOf = ({ main }: Documents, { at, located }: HttpOperation): ReadonlyArray<string> => {
  const within = [...SHARED, at.slice(0, 2), at].map((path) => partOf(main, path))
  return [...new Set([...within, partOf(located.document, located.path)])]
}

/** Servers of OpenAPI 3 whose URL has a variable without a value, or whose variable has a default that is not in its enum. */
const serverFlaws = ({ main }: Documents): ReadonlyArray<Flaw> => {
  const { root, url } = main
  if (!has(root, "openapi")) return []
  // Version 3.0 only recommends that a default is one of the values.
  const defaultMustBeListed = !/^3(?:\.0|$)/.test(wordAt(root, "openapi"))
  return serversIn(root).flatMap(({ path, server }) => [
    ...undefinedVariables(server).map((name): Flaw => ({
      rule: "server_variable",
      url,
      path,
      message: `the server's URL has \`{${cutTo(name, 40)}}\`, which its variables do not define`
    })),
    ...(defaultMustBeListed ? unlistedDefaults(server) : []).map((name): Flaw => ({
      rule: "server_variable",
      url,
      path: [...path, "variables", name],
      message: `the default of \`${cutTo(name, 40)}\` is not one of its values`
    }))
  ])
}

interface PlacedServer {
  readonly server: Json
  readonly path: Path
}

/** Of the document, of paths and of operations. */
const serversIn = (root: Json): ReadonlyArray<PlacedServer> => [
  ...placed(root, []),
  ...entriesAt(root, "paths").flatMap(([name, item]) => [
    ...placed(item, ["paths", name]),
    ...Object.entries(isObject(item) ? item : {}).flatMap(([method, operation]) =>
      placed(operation, ["paths", name, method])
    )
  ])
]

const placed = (holder: Json, path: Path): ReadonlyArray<PlacedServer> =>
  listAt(holder, "servers").map((server, index) => ({ server, path: [...path, "servers", String(index)] }))

const undefinedVariables = (server: Json): ReadonlyArray<string> =>
  [...templateNames(stringAt(server, "url"))].filter((name) => !has(objectAt(server, "variables"), name))

const unlistedDefaults = (server: Json): ReadonlyArray<string> =>
  entriesAt(server, "variables").flatMap(([name, variable]) => {
    const values = listAt(variable, "enum").map(String)
    return values.length > 0 && has(variable, "default") && !values.includes(wordAt(variable, "default")) ? [name] : []
  })

/**
 * What refers to what, by parts: an operation, a path's own members, a component, a whole path item. Small enough to be
 * walked backwards from a part with an error to the operations that it touches.
 */
interface Reach {
  /** Parts that refer to a part. */
  readonly referrers: ReadonlyMap<string, ReadonlySet<string>>
}

const COMPONENTS = new Set(["definitions", "parameters", "responses", "$defs", "schemas"])

/** How many segments of a path name the part that contains it. */
const partLength = (path: Path): number => {
  // A path's members other than operations are the path's own.
  if (path[0] === "paths") return METHODS.has(path[2] ?? "") ? 3 : path[2] === "additionalOperations" ? 4 : 2
  if (path[0] === "components") return 3
  return COMPONENTS.has(path[0] ?? "") ? 2 : 1
}

/** The part that contains a place, as a key. */
const partOf = (document: Pick<IndexedDocument, "url">, path: Path): string =>
  `${document.url}#${pointerOf(path.slice(0, partLength(path)))}`

const reachOf = (documents: Documents): Reach => {
  const referrers = new Map<string, Set<string>>()
  for (const document of documents.byUrl.values()) {
    for (const { path, ref } of document.references) {
      const resolution = resolveReference(documents, ref, document)
      if (resolution._tag !== "Found") continue
      const target = partOf(resolution.target.document, resolution.target.path)
      const known = referrers.get(target) ?? new Set()
      referrers.set(target, known.add(partOf(document, path)))
    }
  }
  return { referrers }
}

/** The parts and every part that leads to one of them. */
const leadingTo = (reach: Reach, parts: ReadonlyArray<string>): ReadonlySet<string> => {
  const found = new Set(parts)
  for (const at of found) {
    for (const holder of holdersOf(at)) {
      for (const referrer of reach.referrers.get(holder) ?? []) found.add(referrer)
    }
  }
  return found
}

/** The part and everything that contains it, up to the whole file: a reference to any of these includes the part. */
const holdersOf = (part: string): ReadonlyArray<string> => {
  const hash = part.indexOf("#")
  const holders = [part]
  for (let at = part.lastIndexOf("/"); at > hash; at = part.lastIndexOf("/", at - 1)) holders.push(part.slice(0, at))
  return holders
}

/** What the schema cannot say about operations: ids, paths and parameters that have to differ or to match. */
const operationFlaws = (documents: Documents, operations: ReadonlyArray<HttpOperation>): ReadonlyArray<Flaw> => [
  ...repeatedIds(documents, operations),
  ...identicalPaths(documents, operations),
  ...operations.flatMap((operation) => pathParameterFlaws(documents.main.url, operation)),
  ...(has(documents.main.root, "swagger")
    ? operations.flatMap((operation) => bodyFlaws(documents.main.url, operation))
    : []),
  ...repeatedParameters(operations)
]

const repeatedIds = (documents: Documents, operations: ReadonlyArray<HttpOperation>): ReadonlyArray<Flaw> => {
  const byId = new Map<string, Array<HttpOperation>>()
  for (const operation of operations) {
    const id = stringAt(operation.located.value, "operationId")
    if (id !== "") listed(byId, id).push(operation)
  }
  return [...byId]
    .filter(([, sharing]) => sharing.length > 1)
    .flatMap(([id, sharing]) =>
      sharing.map((operation): Flaw => ({
        rule: "operation_id",
        url: documents.main.url,
        path: operation.at,
        message: `the operationId \`${cutTo(id, 60)}\` is used ${sharing.length} times`
      }))
    )
}

/** "Templated paths with the same hierarchy but different templated names MUST NOT exist as they are identical." */
const identicalPaths = (documents: Documents, operations: ReadonlyArray<HttpOperation>): ReadonlyArray<Flaw> => {
  const byPattern = new Map<string, Array<string>>()
  for (const path of new Set(operations.map((operation) => operation.path)))
    listed(byPattern, templatePattern(path)).push(path)
  return [...byPattern.values()]
    .filter((paths) => paths.length > 1)
    .flatMap((paths) =>
      paths.map((path, index): Flaw => ({
        rule: "identical_path",
        url: documents.main.url,
        path: ["paths", path],
        message: `the path is identical to \`${cutTo(paths[index === 0 ? 1 : 0] ?? "", 80)}\`: only names in braces differ`
      }))
    )
}

const pathParameterFlaws = (url: string, operation: HttpOperation): ReadonlyArray<Flaw> => {
  const templated = templateNames(operation.path)
  const known = operation.parameters.filter((parameter) => stringAt(parameter.value, "in") === "path")
  const declared = new Set(known.map((parameter) => stringAt(parameter.value, "name")))
  const missing = operation.parametersKnown ? [...templated].filter((name) => !declared.has(name)) : []
  const surplus = [...declared].filter((name) => name !== "" && !templated.has(name))
  const flaw = (message: string): Flaw => ({ rule: "path_parameter", url, path: operation.at, message })
  return [
    ...missing.map((name) => flaw(`the path has \`{${cutTo(name, 40)}}\`, which no parameter declares`)),
    ...surplus.map((name) => flaw(`the path parameter \`${cutTo(name, 40)}\` is not in the path`))
  ]
}

/** Swagger 2: "body and form parameters cannot exist together for the same operation", and "there can only be one body parameter". */
const bodyFlaws = (url: string, { at, parameters }: HttpOperation): ReadonlyArray<Flaw> => {
  const bodies = parameters.filter(({ value }) => stringAt(value, "in") === "body").length
  const hasFields = parameters.some(({ value }) => stringAt(value, "in") === "formData")
  const flaw = (message: string): Flaw => ({ rule: "parameter", url, path: at, message })
  return [
    ...(bodies > 0 && hasFields
      ? [flaw("it has parameters in `body` and in `formData`, of which a request can have only one kind")]
      : []),
    ...(bodies > 1 ? [flaw("it has more than one parameter in `body`")] : [])
  ]
}

/** A list of parameters names each once in one place; a list of a path is met again with each of its operations. */
const repeatedParameters = (operations: ReadonlyArray<HttpOperation>): ReadonlyArray<Flaw> => {
  const flaws = new Map<string, Flaw>()
  for (const { repeated } of operations) {
    for (const { document, name, path } of repeated) {
      const message = `the parameter \`${cutTo(name, 40)}\` is in one list twice`
      flaws.set(placeKey({ document, path }), { rule: "parameter", url: document.url, path, message })
    }
  }
  return [...flaws.values()]
}

/** An error before it is known which operations it affects. */
interface Flaw {
  readonly rule: SpecErrorRule
  readonly url: string
  readonly path: Path
  /** One plain clause. */
  readonly message: string
}

/** Names in braces, each once. A brace inside a name means that the template is broken, which the schema reports. */
const templateNames = (template: string): ReadonlySet<string> =>
  new Set([...template.matchAll(TEMPLATE)].map((match) => match[1] ?? ""))

/** The template with all names left out: two paths with the same pattern match the same requests. */
const templatePattern = (template: string): string => template.replace(TEMPLATE, "{}")

const TEMPLATE = /\{([^{}/]{1,200})\}/g

/** The list at `key`, created where there is none. */
const listed = <T>(lists: Map<string, Array<T>>, key: string): Array<T> => {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}
