import { has, type Json, entriesAt, listAt, stringAt, cutTo } from "../text/Json.ts"
import type { ContractServer } from "../Contract.ts"

const SERVERS_KEPT = 50
const VALUES_KEPT = 50
const URL_CHARACTERS = 500

export interface ServerTable {
  /** Indices of the servers that a document, path or operation declares; `null` where it declares none. */
  readonly serversAt: (holder: Json) => ReadonlyArray<number> | null
  readonly servers: ReadonlyArray<ContractServer>
}

/** The servers of one description: equal ones are kept once. */
export const serverTable = (): ServerTable => {
  const servers: Array<ContractServer> = []
  const byText = new Map<string, number>()
  const add = (server: ContractServer): ReadonlyArray<number> => {
    const text = JSON.stringify(server)
    const before = byText.get(text)
    if (before !== undefined) return [before]
    if (servers.length >= SERVERS_KEPT) return []
    byText.set(text, servers.length)
    servers.push(server)
    return [servers.length - 1]
  }
  const declaredBy = (holder: Json): ReadonlyArray<ContractServer> =>
    has(holder, "swagger") ? swaggerServer(holder) : listAt(holder, "servers").slice(0, SERVERS_KEPT).flatMap(serverOf)
  return {
    serversAt: (holder) => {
      const own = declaredBy(holder).flatMap(add)
      return own.length === 0 ? null : own
    },
    servers
  }
}

const serverOf = (server: Json): ReadonlyArray<ContractServer> => {
  const url = stringAt(server, "url")
  if (url === "") return []
  const variables = entriesAt(server, "variables")
    .slice(0, VALUES_KEPT)
    .map(([name, variable]) => ({
      name,
      values: listAt(variable, "enum")
        .filter((value) => typeof value === "string" || typeof value === "number")
        .map(String)
        .slice(0, VALUES_KEPT)
    }))
  return [{ url: cutTo(url, URL_CHARACTERS), variables }]
}

/** Swagger 2 has one server; without a host it is the one that has the description. */
const swaggerServer = (root: Json): ReadonlyArray<ContractServer> => {
  const host = stringAt(root, "host")
  const basePath = stringAt(root, "basePath")
  if (host === "" && basePath === "") return []
  const url = host === "" ? basePath : `https://${host}${basePath}`
  return [{ url: cutTo(url, URL_CHARACTERS), variables: [] }]
}
