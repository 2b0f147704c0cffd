import { lettersApart } from "../../text/LettersApart.ts"
import { isPlaceholder } from "../ShownCall.ts"
import { type ContractIndex, kinKeys } from "./ContractIndex.ts"
import { isParameterSegment, isVersionSegment } from "./Templates.ts"

export interface Nearest {
  /** Index into `contract.operations`. */
  readonly operation: number
  /** So near that the call can hardly mean anything else. */
  readonly close: boolean
  /** Only one word differs, by a letter or two, or by what is put before or after it. */
  readonly misspelt: boolean
}

const CANDIDATES = 40
const SEGMENTS = 8
const WORD = 30

/** Up to this share of its letters a word may differ from the one that is meant. */
const ALIKE = 0.5
/** Segments by which a path may differ from the one that is meant, in all. */
const CLOSE = 1
const OTHER_METHOD = 0.1

/** The operation that a path most likely means: the one that differs in one word that is alike, or else of those that begin alike, or else have a like segment, the one at the least distance. */
export const nearestOf = (index: ContractIndex, path: ReadonlyArray<string>, method: string): Nearest | null =>
  misspeltOf(index, path, method) ?? likestOf(index, path, method)

const misspeltOf = (index: ContractIndex, path: ReadonlyArray<string>, method: string): Nearest | null => {
  if (path.length > SEGMENTS) return null
  const found = path.flatMap((given, at) => {
    if (isPlaceholder(given)) return []
    // A word that the description has there is the right one, unless it is nearly another.
    const isKnown = index.templates.beginsWith(path.slice(0, at + 1))
    return (index.templates.findBut(path, at) ?? [])
      .flatMap(({ entries }) => entries)
      .map((operation) => {
        const own = index.segments[operation]?.[at] ?? ""
        const other = index.contract.operations[operation]?.method === method ? 0 : OTHER_METHOD
        return { operation, given, own, distance: costOf(given, own) + other }
      })
      .filter(({ own }) => !isKnown || isMisspelt(given, own))
  })
  const [best] = found.toSorted((one, another) => one.distance - another.distance || one.operation - another.operation)
  if (best === undefined || best.distance > ALIKE + OTHER_METHOD) return null
  return { operation: best.operation, close: true, misspelt: isMisspelt(best.given, best.own) }
}

/** Letters by which a word that is written wrong differs. */
const LETTERS = 2
const SHORTEST = 4

const isMisspelt = (given: string, own: string): boolean => {
  const [one, other] = [given.toLowerCase(), own.toLowerCase()]
  if (Math.min(one.length, other.length) < SHORTEST) return false
  return one.includes(other) || other.includes(one) || lettersApart(one, other) <= LETTERS
}

const likestOf = (index: ContractIndex, path: ReadonlyArray<string>, method: string): Nearest | null => {
  const some = candidatesOf(index, path)
  const alike = some.filter((operation) => index.segments[operation]?.[0] === path[0])
  const candidates = alike.length > 0 ? alike : some
  const scored = candidates.map((operation) => {
    const template = index.segments[operation] ?? []
    const other = index.contract.operations[operation]?.method === method ? 0 : OTHER_METHOD
    return { operation, distance: distanceOf(path, template) + other, shared: sharedWords(path, template) }
  })
  const best = scored.toSorted(
    (one, another) =>
      one.distance - another.distance || another.shared - one.shared || one.operation - another.operation
  )[0]
  if (best === undefined) return null
  const template = index.segments[best.operation] ?? []
  const isAlike = best.distance <= CLOSE + OTHER_METHOD && (best.shared > 0 || hasAlikeWord(path, template))
  return { operation: best.operation, close: isAlike && path.length <= SEGMENTS, misspelt: false }
}

/** Operations that share most with the words of the path. */
const candidatesOf = (index: ContractIndex, path: ReadonlyArray<string>): ReadonlyArray<number> => {
  const kin = index.kin()
  const shared = new Map<number, number>()
  for (const key of new Set(path.slice(0, SEGMENTS).flatMap(kinKeys))) {
    for (const operation of kin.get(key) ?? []) shared.set(operation, (shared.get(operation) ?? 0) + 1)
  }
  return [...shared]
    .toSorted(([one, most], [other, more]) => more - most || one - other)
    .slice(0, CANDIDATES)
    .map(([operation]) => operation)
}

const sharedWords = (path: ReadonlyArray<string>, template: ReadonlyArray<string>): number =>
  path.filter((segment, at) => segment === template[at] && !isParameterSegment(segment) && !isVersionSegment(segment))
    .length

const hasAlikeWord = (path: ReadonlyArray<string>, template: ReadonlyArray<string>): boolean =>
  path.some((segment, at) => {
    const own = template[at]
    return own !== undefined && !isParameterSegment(own) && costOf(segment, own) <= ALIKE
  })

/** 0 for what fits, up to 1. */
const costOf = (segment: string, own: string): number => {
  if (segment === own || isParameterSegment(own)) return 0
  const [one, other] = [segment.toLowerCase().slice(0, WORD), own.toLowerCase().slice(0, WORD)]
  const letters = lettersApart(one, other) / Math.max(one.length, other.length, 1)
  return letters <= ALIKE ? letters : 1
}

/** Edit distance over segments. */
const distanceOf = (path: ReadonlyArray<string>, template: ReadonlyArray<string>): number => {
  const [one, other] = [path.slice(0, SEGMENTS), template.slice(0, SEGMENTS)]
  let before = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [row, given] of one.entries()) {
    const now = [row + 1]
    for (const [column, own] of other.entries()) {
      const replaced = (before[column] ?? 0) + costOf(given, own)
      now.push(Math.min(replaced, (before[column + 1] ?? 0) + 1, (now[column] ?? 0) + 1))
    }
    before = now
  }
  return before.at(-1) ?? 0
}
