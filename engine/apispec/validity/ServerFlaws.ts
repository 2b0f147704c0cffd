import type { Documents } from "../text/Documents.ts"
import { cutTo, entriesAt, has, isObject, type Json, listAt, objectAt, stringAt, wordAt } from "../text/Json.ts"
import type { Path } from "../text/Pointer.ts"
import { type Flaw, templateNames } from "./Flaw.ts"

/** Servers of OpenAPI 3 whose URL has a variable without a value, or whose variable has a default that is not in its enum. */
export const serverFlaws = ({ main }: Documents): ReadonlyArray<Flaw> => {
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
