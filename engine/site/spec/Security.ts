import type { SecurityScheme, SpecSecurity } from "../ApiSpec.ts"
import { child, type Documents, type Located } from "./Documents.ts"
import { cutTo, has, isList, isObject, type Json, member, objectAt, stringAt } from "./Json.ts"
import type { Operation } from "./Operations.ts"

const SCHEMES_KEPT = 50

/** What an operation asks of its caller: names of schemes, or nothing (`security: []`, or `{}` among the choices). */
interface Requirement {
  readonly names: ReadonlySet<string>
  readonly none: boolean
}

export const securityOf = (documents: Documents, operations: ReadonlyArray<Operation>): SpecSecurity => {
  const declared = new Set(schemesOf(documents).keys())
  const general = requirementOf(member(documents.main.root, "security"))
  const requirements = operations.map(({ located }) =>
    has(located.value, "security") ? requirementOf(member(located.value, "security")) : general)
  return {
    schemes: securitySchemesOf(documents),
    securedOperations: requirements.filter((one) => one !== null && [...one.names].some((name) => declared.has(name))).length,
    undeclaredOperations: requirements.filter((one) => one !== null && [...one.names].some((name) => !declared.has(name))).length,
    saidToBeNone: requirements.length > 0 && requirements.every((one) => one !== null && one.none && one.names.size === 0),
    refusingOperations: operations.filter(({ responses }) => responses.some(({ status }) => status === "401" || status === "403")).length
  }
}

/** In document order, at most 50. */
export const securitySchemesOf = (documents: Documents): ReadonlyArray<SecurityScheme> =>
  [...schemesOf(documents).values()].slice(0, SCHEMES_KEPT)

/** `null` where nothing is said. */
const requirementOf = (security: Json | undefined): Requirement | null => {
  if (!isList(security)) return null
  const choices = security.map((choice) => Object.keys(isObject(choice) ? choice : {}))
  return { names: new Set(choices.flat()), none: choices.length === 0 || choices.some((names) => names.length === 0) }
}

const schemesOf = (documents: Documents): ReadonlyMap<string, SecurityScheme> => {
  const root: Located = { value: documents.main.root, document: documents.main, path: [] }
  const folders = [["securityDefinitions"], ["components", "securitySchemes"]]
  return new Map(folders.flatMap((folder) => {
    const holder = folder.reduce<Json>((value, key) => objectAt(value, key), root.value)
    return Object.keys(isObject(holder) ? holder : {}).map((name): readonly [string, SecurityScheme] => {
      const value = child(documents, root, ...folder, name)?.value ?? null
      return [name, {
        name,
        type: stringAt(value, "type"),
        scheme: stringAt(value, "scheme").toLowerCase(),
        place: stringAt(value, "in"),
        parameter: stringAt(value, "name"),
        description: cutTo(stringAt(value, "description"), 1_000)
      }]
    })
  }))
}
