import type { ApiDescription, SampleApiName, SpecServer } from "../ApiSpec.ts"
import type { Documents } from "../text/Documents.ts"
import { cutTo, entriesAt, has, isObject, type Json, listAt, stringAt, wordAt } from "../text/Json.ts"

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
