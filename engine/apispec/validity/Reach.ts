import { type Documents, type IndexedDocument, resolveReference } from "../text/Documents.ts"
import { METHODS } from "../quality/SpecOperations.ts"
import { type Path, pointerOf } from "../text/Pointer.ts"

/**
 * What refers to what, by parts: an operation, a path's own members, a component, a whole path item. Small enough to be
 * walked backwards from a part with an error to the operations that it touches.
 */
export interface Reach {
  /** Parts that refer to a part. */
  readonly referrers: ReadonlyMap<string, ReadonlySet<string>>
}

const COMPONENTS = new Set(["definitions", "parameters", "responses", "$defs", "schemas"])

/** How many segments of a path name the part that contains it. */
const partLength = (path: Path): number => {
  // A path's members other than operations are the path's own.
  if (path[0] === "paths") return METHODS.has(path[2] ?? "") ? 3 : path[2] === "additionalOperations" ? 4 : 2
  if (path[0] === "components") return 3
  return COMPONENTS.has(path[0] ?? "") ? 2 : 1
}

/** The part that contains a place, as a key. */
export const partOf = (document: Pick<IndexedDocument, "url">, path: Path): string =>
  `${document.url}#${pointerOf(path.slice(0, partLength(path)))}`

export const reachOf = (documents: Documents): Reach => {
  const referrers = new Map<string, Set<string>>()
  for (const document of documents.byUrl.values()) {
    for (const { path, ref } of document.references) {
      const resolution = resolveReference(documents, ref, document)
      if (resolution._tag !== "Found") continue
      const target = partOf(resolution.target.document, resolution.target.path)
      const known = referrers.get(target) ?? new Set()
      referrers.set(target, known.add(partOf(document, path)))
    }
  }
  return { referrers }
}

/** The parts and every part that leads to one of them. */
export const leadingTo = (reach: Reach, parts: ReadonlyArray<string>): ReadonlySet<string> => {
  const found = new Set(parts)
  for (const at of found) {
    for (const holder of holdersOf(at)) {
      for (const referrer of reach.referrers.get(holder) ?? []) found.add(referrer)
    }
  }
  return found
}

/** The part and everything that contains it, up to the whole file: a reference to any of these includes the part. */
const holdersOf = (part: string): ReadonlyArray<string> => {
  const hash = part.indexOf("#")
  const holders = [part]
  for (let at = part.lastIndexOf("/"); at > hash; at = part.lastIndexOf("/", at - 1)) holders.push(part.slice(0, at))
  return holders
}
