import type { SpecError, SpecValidity } from "../ApiSpec.ts"
import { type Documents, resolveReference } from "../text/Documents.ts"
import { cutTo } from "../text/Json.ts"
import type { HttpOperation } from "../quality/SpecOperations.ts"
import { type Path, pointerOf } from "../text/Pointer.ts"
import { type Flaw, listed } from "./Flaw.ts"
import { ERRORS_COUNTED, ERRORS_SHOWN } from "./Limits.ts"
import { operationFlaws } from "./OperationFlaws.ts"
import { leadingTo, partOf, reachOf } from "./Reach.ts"
import { serverFlaws } from "./ServerFlaws.ts"
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
