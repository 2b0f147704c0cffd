import type { ContractOperation } from "../../apispec/Contract.ts"
import type { Page, Section } from "../../page/Page.ts"
import { shownOperations } from "../../page/PageOperations.ts"
import { type ContractIndex, lazily } from "./ContractIndex.ts"
import { calledAddressParts } from "./Hosts.ts"
import { matchCall } from "./MatchCall.ts"

/** Which operation of the description a table in a section is about; `null` where it may be any other. */
export interface SectionOperations {
  /** The only one that the section, or else the nearest heading above it, names. */
  readonly requested: (section: number) => ContractOperation | null
  /**
   * The only one that the heading above the section and what comes before it below that heading name, else the nearest heading above
   * that names any. What the section itself names may be what to call next.
   */
  readonly answered: (section: number) => ContractOperation | null
}

export const sectionOperations = (page: Page, index: ContractIndex): SectionOperations => {
  const known = new Map<number, ReadonlySet<number>>()
  const namedAt = (at: number): ReadonlySet<number> => {
    const section = page.sections[at]
    const named = known.get(at) ?? (section === undefined ? new Set() : operationsNamed(section, page, index))
    known.set(at, named)
    return named
  }
  const above = parentsOf(page.sections)
  const nearest = (from: number | undefined): number | undefined => {
    let at = from
    while (at !== undefined && namedAt(at).size === 0) at = above[at]
    return at
  }
  const only = ([first, ...others]: ReadonlyArray<number>): ContractOperation | null =>
    others.length === 0 && first !== undefined ? (index.contract.operations[first] ?? null) : null
  const onlyAt = (at: number | undefined): ContractOperation | null =>
    at === undefined ? null : only([...namedAt(at)])
  const before = lazily(() => namedBefore(page.sections.length, above, namedAt))
  return {
    requested: (section) => onlyAt(nearest(section)),
    answered: (section) => {
      const parent = above[section]
      const near = new Set([...(before()[section] ?? []), ...(parent === undefined ? [] : namedAt(parent))])
      if (near.size > 0) return only([...near])
      const top = nearest(parent)
      // On a page without levels, what comes before a heading on the way may be meant as well.
      for (let at = parent; at !== top && at !== undefined; at = above[at]) {
        if ((before()[at]?.size ?? 0) > 0) return null
      }
      return onlyAt(top)
    }
  }
}

/** Of each section the operations that those before it below the same heading name, the first two: more tell nothing further. */
const namedBefore = (
  sections: number,
  above: ReadonlyArray<number | undefined>,
  namedAt: (at: number) => ReadonlySet<number>
): ReadonlyArray<ReadonlySet<number>> => {
  const inside = new Map<number | undefined, ReadonlySet<number>>()
  return Array.from({ length: sections }, (_, section) => {
    const known = inside.get(above[section]) ?? new Set()
    const named = namedAt(section)
    for (let at: number | undefined = section; at !== undefined && named.size > 0; at = above[at]) {
      inside.set(above[at], new Set([...(inside.get(above[at]) ?? []), ...named].slice(0, 2)))
    }
    return known
  })
}

const operationsNamed = (section: Section, page: Page, index: ContractIndex): ReadonlySet<number> => {
  const shown = shownOperations([section.heading, ...section.text.split("\n")]).filter(({ method }) => method !== "")
  const context = { page: page.url, around: "" }
  return new Set(
    shown.flatMap(({ method, path }) => {
      const address = path.split(/[?#]/, 1)[0] ?? ""
      if (calledAddressParts(address).segments.length === 0) return []
      const match = matchCall({ method, address }, index, context)
      // One that the description does not have is another one all the same.
      return match._tag === "Matched" && match.operations.length === 1 ? match.operations : [-1]
    })
  )
}

/** Of each section the one above whose heading it is below. */
const parentsOf = (sections: ReadonlyArray<Section>): ReadonlyArray<number | undefined> => {
  const open: Array<number> = []
  return sections.map(({ level }, at) => {
    while (open.length > 0 && (sections[open.at(-1) ?? 0]?.level ?? 0) >= level) open.pop()
    const parent = level === 0 ? undefined : open.at(-1)
    if (level > 0) open.push(at)
    return parent
  })
}
