import type { SecurityScheme, SpecSecurity } from "../ApiSpec.ts"
import { child, type Documents, type Located } from "../text/Documents.ts"
import { cutTo, has, isList, isObject, type Json, member, objectAt, stringAt } from "../text/Json.ts"
import type { HttpOperation } from "./SpecOperations.ts"

const SCHEMES_KEPT = 50

/** What an operation asks of its caller: schemes, or nothing (`security: []`, or `{}` among the choices). */
interface Requirement {
  readonly declared: boolean
  readonly undeclared: boolean
  readonly nothing: boolean
}

export const securityOf = (documents: Documents, operations: ReadonlyArray<HttpOperation>): SpecSecurity => {
  const requirementOf = requirementFinder(new Set(schemesOf(documents).keys()))
  const general = requirementOf(member(documents.main.root, "security"))
  const requirements = operations.map(({ located }) =>
    has(located.value, "security") ? requirementOf(member(located.value, "security")) : general
  )
  return {
    schemes: securitySchemesOf(documents),
    securedOperations: requirements.filter((one) => one?.declared === true).length,
    undeclaredOperations: requirements.filter((one) => one?.undeclared === true).length,
    saidToBeNone:
      requirements.length > 0 &&
      requirements.every((one) => one !== null && one.nothing && !one.declared && !one.undeclared),
    refusingOperations: operations.filter(({ responses }) =>
      responses.some(({ status }) => status === "401" || status === "403")
    ).length
  }
}

/** In document order, at most 50. */
export const securitySchemesOf = (documents: Documents): ReadonlyArray<SecurityScheme> =>
  [...schemesOf(documents).values()].slice(0, SCHEMES_KEPT)

/** `null` where nothing is said. What was found is kept, because operations may share one list. */
const requirementFinder = (declared: ReadonlySet<string>): ((security: Json | undefined) => Requirement | null) => {
  const known = new WeakMap<object, Requirement>()
  return (security) => {
    if (!isList(security)) return null
    const requirement = known.get(security) ?? requirementIn(security, declared)
    known.set(security, requirement)
    return requirement
  }
}

const requirementIn = (security: ReadonlyArray<Json>, declared: ReadonlySet<string>): Requirement => {
  const choices = security.map((choice) => Object.keys(isObject(choice) ? choice : {}))
  return {
    declared: choices.some((names) => names.some((name) => declared.has(name))),
    undeclared: choices.some((names) => names.some((name) => !declared.has(name))),
    nothing: choices.length === 0 || choices.some((names) => names.length === 0)
  }
}

const TOKEN_URL_CHARACTERS = 200

/** Of a flow in OpenAPI 3, of the scheme itself in Swagger 2; an implicit flow gives out tokens where it authorizes. */
const tokenUrlOf = (scheme: Json): string => {
  const flows = objectAt(scheme, "flows")
  const urls = [
    stringAt(scheme, "tokenUrl"),
    ...Object.keys(isObject(flows) ? flows : {}).map((name) => stringAt(objectAt(flows, name), "tokenUrl")),
    stringAt(objectAt(flows, "implicit"), "authorizationUrl"),
    stringAt(scheme, "flow") === "implicit" ? stringAt(scheme, "authorizationUrl") : ""
  ]
  return cutTo(urls.find((url) => url !== "") ?? "", TOKEN_URL_CHARACTERS)
}

const schemesOf = (documents: Documents): ReadonlyMap<string, SecurityScheme> => {
  const root: Located = { value: documents.main.root, document: documents.main, path: [] }
  const folders = [["securityDefinitions"], ["components", "securitySchemes"]]
  return new Map(
    folders.flatMap((folder) => {
      const holder = folder.reduce<Json>((value, key) => objectAt(value, key), root.value)
      return Object.keys(isObject(holder) ? holder : {}).map((name): readonly [string, SecurityScheme] => {
        const value = child(documents, root, ...folder, name)?.value ?? null
        return [
          name,
          {
            name,
            type: stringAt(value, "type"),
            scheme: stringAt(value, "scheme").toLowerCase(),
            place: stringAt(value, "in"),
            parameter: stringAt(value, "name"),
            tokenUrl: tokenUrlOf(value),
            description: cutTo(stringAt(value, "description"), 1_000)
          }
        ]
      })
    })
  )
}
