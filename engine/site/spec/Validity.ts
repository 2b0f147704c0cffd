import type { SpecError, SpecErrorRule, SpecValidity } from "../ApiSpec.ts"
import { type Documents, resolve } from "./Documents.ts"
import { cutTo, stringAt } from "./Json.ts"
import type { Operation } from "./Operations.ts"
import { type Path, pointerOf } from "./Pointer.ts"
import { leadingTo, partOf, reachOf } from "./Reach.ts"
import type { StructureReport } from "./Structure.ts"

/** Errors described one by one; the rest are counted. */
const ERRORS_SHOWN = 50
const ERRORS_COUNTED = 10_000

/** An error before it is known which operations it touches. */
interface Flaw {
  readonly rule: SpecErrorRule
  readonly url: string
  readonly path: Path
  readonly message: string
}

/** Everything that is wrong with a description of HTTP operations. */
export const validityOf = (
  documents: Documents,
  operations: ReadonlyArray<Operation>,
  structure: StructureReport
): SpecValidity => weigh(documents, operations, structure.bySchema, [
  ...documentFlaws(documents, structure),
  ...repeatedIds(documents, operations),
  ...operations.flatMap((operation) => pathParameterFlaws(documents.main.url, operation))
])

/** What can be wrong with a description of any JSON format. */
export const documentValidity = (documents: Documents, structure: StructureReport): SpecValidity =>
  weigh(documents, [], structure.bySchema, documentFlaws(documents, structure))

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
      message: `\`${cutTo(key, 40)}\` stands twice in one object`
    })))

const deadReferences = (documents: Documents): ReadonlyArray<Flaw> =>
  [...documents.byUrl.values()].flatMap((document) =>
    document.references
      .filter(({ ref }) => resolve(documents, ref, document)._tag === "Dead")
      .map(({ path, ref }): Flaw => ({
        rule: "reference",
        url: document.url,
        path,
        message: `\`$ref: ${cutTo(ref, 80)}\` leads nowhere`
      })))

const repeatedIds = (documents: Documents, operations: ReadonlyArray<Operation>): ReadonlyArray<Flaw> => {
  const byId = new Map<string, Array<Operation>>()
  for (const operation of operations) {
    const id = stringAt(operation.located.value, "operationId")
    if (id !== "") listed(byId, id).push(operation)
  }
  return [...byId].filter(([, sharing]) => sharing.length > 1).flatMap(([id, sharing]) =>
    sharing.map((operation): Flaw => ({
      rule: "operation_id",
      url: documents.main.url,
      path: operation.at,
      message: `the operationId \`${cutTo(id, 60)}\` is used ${sharing.length} times`
    })))
}

const listed = <T>(lists: Map<string, Array<T>>, key: string): Array<T> => {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}

/** Names in braces, each once. A brace inside a name means that the template is broken: it is left to the structure. */
const templateNames = (path: string): ReadonlySet<string> =>
  new Set([...path.matchAll(/\{([^{}/]{1,200})\}/g)].map((match) => match[1] ?? ""))

const pathParameterFlaws = (url: string, operation: Operation): ReadonlyArray<Flaw> => {
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

const weigh = (
  documents: Documents,
  operations: ReadonlyArray<Operation>,
  bySchema: boolean,
  flaws: ReadonlyArray<Flaw>
): SpecValidity => {
  const counted = flaws.slice(0, ERRORS_COUNTED)
  const touches = touching(documents, operations)
  const touched = new Set<Operation>()
  const errors = counted.map((flaw, index): SpecError | null => {
    const hit = touches(flaw)
    for (const operation of hit) touched.add(operation)
    return index < ERRORS_SHOWN ? { rule: flaw.rule, at: placeOf(documents, flaw), message: flaw.message, operations: hit.length } : null
  })
  return {
    errorCount: counted.length,
    errors: errors.filter((error) => error !== null),
    touchedOperations: touched.size,
    bySchema
  }
}

const placeOf = (documents: Documents, flaw: Flaw): string =>
  cutTo(`${flaw.url === documents.main.url ? "" : flaw.url}#${pointerOf(flaw.path)}`, 300)

/** From an error to the operations that it stands in or that lead to where it stands; each part is worked out once. */
const touching = (documents: Documents, operations: ReadonlyArray<Operation>): (flaw: Flaw) => ReadonlyArray<Operation> => {
  const reach = reachOf(documents)
  const byPart = new Map<string, Array<Operation>>()
  for (const operation of operations) {
    for (const part of partsOf(documents, operation)) listed(byPart, part).push(operation)
  }
  const known = new Map<string, ReadonlyArray<Operation>>()
  return (flaw) => {
    const part = partOf(flaw, flaw.path)
    const hit = known.get(part) ?? [...new Set([...leadingTo(reach, part)].flatMap((at) => byPart.get(at) ?? []))]
    known.set(part, hit)
    return hit
  }
}

/** The document itself and those of its members that every call depends on. */
const SHARED: ReadonlyArray<Path> = [[], ["paths"], ["servers"], ["security"], ["host"], ["basePath"], ["schemes"]]

/** Its own part, those that it shares with the other operations of its path, and those that all share. */
const partsOf = ({ main }: Documents, { at, located }: Operation): ReadonlyArray<string> => {
  const within = [...SHARED, at.slice(0, 2), at].map((path) => partOf(main, path))
  return [...new Set([...within, partOf(located.document, located.path)])]
}

