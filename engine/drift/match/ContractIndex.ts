import type { ContractOperation, SpecContract } from "../../apispec/Contract.ts"
import { type ServerBase, basesOf } from "./Hosts.ts"
import { isParameterSegment, segmentsOf, type Templates, templatesOf } from "./Templates.ts"
import { isVersionSegment } from "./VersionSegment.ts"

/** A contract made ready to look calls up: work for a call does not grow with the number of operations. */
export interface ContractIndex {
  readonly contract: SpecContract
  /** URL of the description: relative servers count from there. */
  readonly url: string
  /** Those with the longest base path first. */
  readonly bases: ReadonlyArray<ServerBase>
  /** Entries are indices into `contract.operations`. */
  readonly templates: Templates
  /** Of each operation's path. */
  readonly segments: ReadonlyArray<ReadonlyArray<string>>
  /** Names in the query part that some descriptions write into a path. */
  readonly pathQueries: ReadonlyArray<ReadonlySet<string>>
  /** Versions that base paths and templates have. */
  readonly versions: ReadonlyArray<string>
  /** Operations that have a word like this one, by `kinKeys`. */
  readonly kin: () => ReadonlyMap<string, ReadonlyArray<number>>
}

/** Operations that are kept for one key and words of one operation, and versions. */
const KIN = 20
const VERSIONS = 10

/** Some descriptions tell operations of one path apart by a query or fragment in the path. */
const withoutQuery = (path: string): string => path.split(/[?#]/, 1)[0] ?? ""

const queryNames = (path: string): ReadonlySet<string> => {
  const at = path.indexOf("?")
  const pairs = at < 0 ? [] : (path.slice(at + 1).split("#", 1)[0] ?? "").split("&")
  return new Set(pairs.map((pair) => pair.split("=", 1)[0] ?? "").filter((name) => name !== ""))
}

export const indexContract = (contract: SpecContract, url: string): ContractIndex => {
  const segments = contract.operations.map(({ path }) => segmentsOf(withoutQuery(path)))
  const bases = basesOf(contract.servers, url)
  const words = segments.flat().filter((segment) => !isParameterSegment(segment))
  const versions = [...bases.flatMap((base) => base.segments), ...words].filter(isVersionSegment)
  return {
    contract,
    url,
    bases: bases.toSorted((one, other) => other.segments.length - one.segments.length),
    templates: templatesOf(segments.map((own, entry) => ({ segments: own, entry }))),
    segments,
    pathQueries: contract.operations.map(({ path }) => queryNames(path)),
    versions: [...new Set(versions)].slice(0, VERSIONS),
    // Most sites have no false path.
    kin: lazily(() => kinOf(segments))
  }
}

/** Letters of a word that are looked at for what it is like. */
const LETTERS = 30

/** Every three letters in a row, which words that are alike share; of a short word the word itself. */
export const kinKeys = (segment: string): ReadonlyArray<string> => {
  const word = segment
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .slice(0, LETTERS)
  return word.length < 3 ? [word] : Array.from({ length: word.length - 2 }, (_, at) => word.slice(at, at + 3))
}

const kinOf = (segments: ContractIndex["segments"]): ReadonlyMap<string, ReadonlyArray<number>> => {
  const kin = new Map<string, Array<number>>()
  for (const [operation, own] of segments.entries()) {
    const words = own.filter((segment) => !isParameterSegment(segment)).slice(0, KIN)
    for (const key of new Set(words.flatMap(kinKeys))) {
      const some = kin.get(key) ?? []
      if (some.length < KIN) some.push(operation)
      kin.set(key, some)
    }
  }
  return kin
}

/** Made when it is first asked for. */
export const lazily = <A>(make: () => A): (() => A) => {
  let made: { readonly value: A } | null = null
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** Whether an operation is on a server: one without servers of its own is on the common ones, or on any if there are none. */
export const isOnServer = ({ contract }: ContractIndex, { servers }: ContractOperation, server: number): boolean => {
  const own = servers ?? contract.commonServers
  return own.length === 0 || server < 0 || own.includes(server)
}
