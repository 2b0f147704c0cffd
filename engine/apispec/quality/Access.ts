import type { ApiDescription, SampleApiName, SecurityScheme, SpecSecurity, SpecServer } from "../ApiSpec.ts"
import { child, type Documents, type Located } from "../text/Documents.ts"
import {
  cutTo,
  entriesAt,
  has,
  isList,
  isObject,
  type Json,
  listAt,
  member,
  objectAt,
  stringAt,
  wordAt
} from "../text/Json.ts"
import type { HttpOperation } from "./SpecOperations.ts"

const SERVERS_KEPT = 50

/** Placeholder hosts: of the reader's own server, or of none. */
const PLACEHOLDER_HOST =
  /(?:^|\.)(?:example\.(?:com|org|net|edu)|localhost|localdomain|[a-z0-9-]+\.(?:example|test|invalid|local|internal|localhost))$|^(?:example|host|hostname|server|domain)(?:\.com)?$|(?:^|[.-])(?:your|my)-?(?:own-?)?(?:domain|host|server|site|api|app|company|org|organization|instance|tenant|subdomain|account|workspace)s?(?:[.-]|$)|^(?:acme|foo|bar)\.(?:com|org|net)$/i

/** IPv4 and bracketed IPv6 literals: no name that the public would be given. */
const LITERAL_HOST = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[.*\])$/

const BRACES = /[{}<>]|%7B|%7D|%3C|%3E/i

/** A URL that a caller can use as it is: absolute, https, a host that is somebody's. */
export const isUsable = (url: string): boolean => {
  if (!/^https:\/\//i.test(url) || BRACES.test(url)) return false
  const host = URL.parse(url)?.hostname ?? ""
  return host.includes(".") && !LITERAL_HOST.test(host) && !PLACEHOLDER_HOST.test(host)
}

/** The document's servers in order; where it has none, its paths' and operations'. */
export const serversOf = (documents: Documents): ReadonlyArray<SpecServer> => {
  const { root, url } = documents.main
  if (has(root, "swagger")) return swaggerServers(root, url)
  const own = listAt(root, "servers").flatMap(serverOf)
  return dedupe(own.length > 0 ? own : nestedServers(root))
}

const serverOf = (server: Json): ReadonlyArray<SpecServer> => {
  const written = stringAt(server, "url")
  if (written === "") return []
  const values = new Map(entriesAt(server, "variables").map(([name, variable]) => [name, wordAt(variable, "default")]))
  const filled = written.replace(/\{([^{}]{1,200})\}/g, (hole, name: string) => values.get(name) || hole)
  return [
    {
      url: cutTo(filled, 500),
      description: cutTo(stringAt(server, "description"), 200),
      usable: isUsable(filled),
      ...(isTenants(server, written) ? { template: cutTo(written, 500) } : {})
    }
  ]
}

/** A host with a variable that the description gives no list of values for. */
const isTenants = (server: Json, written: string): boolean => {
  const host = /^https?:\/\/([^/?#]{1,500})/i.exec(written)?.[1] ?? ""
  return entriesAt(server, "variables").some(
    ([name, variable]) => host.includes(`{${name}}`) && listAt(variable, "enum").length === 0
  )
}

const nestedServers = (root: Json): ReadonlyArray<SpecServer> =>
  entriesAt(root, "paths").flatMap(([, item]) => [
    ...listAt(item, "servers").flatMap(serverOf),
    ...Object.values(isObject(item) ? item : {}).flatMap((operation) => listAt(operation, "servers").flatMap(serverOf))
  ])

const swaggerServers = (root: Json, base: string): ReadonlyArray<SpecServer> => {
  const host = stringAt(root, "host")
  if (host === "") return []
  const schemes = listAt(root, "schemes").filter((scheme): scheme is string => typeof scheme === "string")
  const said = schemes.length > 0 ? schemes : [new URL(base).protocol.slice(0, -1)]
  return said.slice(0, SERVERS_KEPT).map((scheme) => {
    const url = `${scheme}://${host}${stringAt(root, "basePath")}`
    return { url: cutTo(url, 500), description: "", usable: isUsable(url) }
  })
}

const dedupe = (servers: ReadonlyArray<SpecServer>): ReadonlyArray<SpecServer> =>
  [...new Map(servers.map((server) => [server.url, server])).values()].slice(0, SERVERS_KEPT)

interface SampleApi {
  /** Matches the API's name. */
  readonly name: RegExp
  /** Matches paths of the sample. */
  readonly path: RegExp
}

/** Samples that come with a tool and are often published by mistake. */
export const SAMPLE_APIS: Readonly<Record<SampleApiName, SampleApi>> = {
  pet_store: { name: /pet[ -]?store/i, path: /^\/pets?(?:$|\/)/ },
  plant_store: { name: /plant[ -]?store/i, path: /^\/plants?(?:$|\/)/ }
}

const NAMES: ReadonlyArray<SampleApiName> = ["pet_store", "plant_store"]

/** The sample that a description is: by its name *and* its paths, since a real API may share one of them. */
export const sampleApiOf = (
  { description, title }: Pick<ApiDescription, "title" | "description">,
  operations: ReadonlyArray<{ readonly path: string }>
): SampleApiName | null => {
  const said = `${title}\n${description.slice(0, 2_000)}`
  return (
    NAMES.find(
      (name) => SAMPLE_APIS[name].name.test(said) && operations.some(({ path }) => SAMPLE_APIS[name].path.test(path))
    ) ?? null
  )
}

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
