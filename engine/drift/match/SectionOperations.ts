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
   * The only one that the nearest heading above the section names: what the section itself names may be what to call next. None if
   * a section between them names another one: on a page without levels it may be meant.
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
  const onlyAt = (at: number | undefined): ContractOperation | null => {
    if (at === undefined) return null
    const [only, ...others] = namedAt(at)
    return others.length === 0 && only !== undefined ? (index.contract.operations[only] ?? null) : null
  }
  const followers = lazily(() => followersOfOthers(page.sections, above, namedAt))
  return {
    requested: (section) => onlyAt(nearest(section)),
    answered: (section) => {
      const top = nearest(above[section])
      for (let at: number | undefined = section; at !== top && at !== undefined; at = above[at]) {
        if (followers().has(at)) return null
      }
      return onlyAt(top)
    }
  }
}

/** Sections that follow another one below the same heading which names an operation. */
const followersOfOthers = (
  sections: ReadonlyArray<Section>,
  above: ReadonlyArray<number | undefined>,
  namedAt: (at: number) => ReadonlySet<number>
): ReadonlySet<number> => {
  const followers = new Set<number>()
  const naming = new Set<number | undefined>()
  for (const at of sections.keys()) {
    if (naming.has(above[at])) followers.add(at)
    if (namedAt(at).size > 0) naming.add(above[at])
  }
  return followers
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
