import type { ContractOperation, SpecContract } from "../../apispec/Contract.ts"
import type { Page, Section, Table } from "../../page/Page.ts"
import { shownOperations } from "../../page/PageOperations.ts"
import { isOfPast, listed, quoted } from "./CallFinding.ts"
import { isCommonName, operationName, operationPointer } from "./CompareCall.ts"
import { isStandInName } from "./CompareValue.ts"
import { calledAddressParts, type ContractIndex, lazily } from "./ContractIndex.ts"
import { answerFields, type KnownField, type KnownFields, lastOf, requestFields } from "./KnownFields.ts"
import { matchCall } from "./MatchCall.ts"
import {
  isNameColumn,
  isPlaceColumn,
  isRequiredColumn,
  isTypeColumn,
  kindIn,
  kindsOf,
  nameIn,
  requiredIn,
  type TableSide,
  tableSides
} from "./TableWords.ts"

/** A row of a table says something else than the description. All texts are fit to be shown. */
interface TableFinding {
  /** `unknown_field`: of an answer. */
  readonly reason: "unknown_parameter" | "unknown_field" | "wrong_type" | "required"
  /** Of what callers send, or of what they are answered. */
  readonly side: TableSide
  /** `GET /orders/{id}` */
  readonly operation: string
  readonly name: string
  readonly found: string
  readonly expected: string
  /** A JSON pointer into the description. */
  readonly pointer: string
  /** Indices into `Page.tables` and its rows. */
  readonly table: number
  readonly row: number
}

/** What the tables of a page say, compared with the description. */
interface TableComparison {
  /** Rows that were compared. */
  readonly compared: number
  readonly findings: ReadonlyArray<TableFinding>
}

const FINDINGS = 50

/** Compares the parameter and response tables of a page, each with the only operation that is named above it. */
export const compareTables = (page: Page, index: ContractIndex): TableComparison => {
  if (index.contract.operations.length === 0 || isOfPast(page.url)) return { compared: 0, findings: [] }
  const operations = sectionOperations(page, index)
  const sideOf = tableSides(page)
  const compared = page.tables.map((table, at) => {
    const nameAt = table.header.findIndex(isNameColumn)
    const side = nameAt < 0 || nameAt > 1 ? null : sideOf(table)
    if (side === null) return NOTHING
    // A caption may be in the section that names the operation; a heading is below it.
    const isBelow = side === "answer" && table.caption === ""
    const operation = isBelow ? operations.answered(table.section) : operations.requested(table.section)
    return operation === null ? NOTHING : compareTable({ table, at, nameAt, side }, operation, index.contract)
  })
  return {
    compared: compared.reduce((sum, one) => sum + one.compared, 0),
    findings: compared.flatMap(({ findings }) => findings).slice(0, FINDINGS)
  }
}

const NOTHING: TableComparison = { compared: 0, findings: [] }

/** What is said, as a clause that follows the name of the page. */
export const tableSentenceOf = ({ expected, found, name, operation, reason, side }: TableFinding): string => {
  switch (reason) {
    case "unknown_field":
      return `lists ${name} among the fields of the answer of ${operation}; the description has ${expected}`
    case "unknown_parameter":
      return `lists ${name} among the parameters of ${operation}; the description has ${expected}`
    case "wrong_type":
      return `says that ${name} ${side === "answer" ? "in the answer " : ""}of ${operation} is of type ${found}; the description wants ${expected}`
    case "required":
      return `says that ${name} of ${operation} is ${found}; the description has it as ${expected}`
  }
}

/** A table of names, and the column that has them. */
interface NamesTable {
  readonly table: Table
  /** Index into `Page.tables`. */
  readonly at: number
  readonly nameAt: number
  readonly side: TableSide
}

const compareTable = (
  { at, nameAt, side, table: { header, rows } }: NamesTable,
  operation: ContractOperation,
  contract: SpecContract
): TableComparison => {
  const placeAt = side === "answer" ? header.findIndex(isPlaceColumn) : -1
  const named = rows.map((cells) => {
    const isInBody = placeAt < 0 || /^(?:response )?body$/i.test(cells[placeAt]?.trim() ?? "")
    return isInBody ? nameIn(cells[nameAt] ?? "") : null
  })
  const names = named.filter((name) => name !== null)
  const known = knownFields(side, operation, names, contract)
  if (known === null) return NOTHING
  const found = names.filter((name) => known.byName.has(lastOf(name)))
  // With fewer names in common it may be a table of anything.
  if (found.length < 2 || found.length * 2 < names.length) return NOTHING
  const typeAt = header.findIndex(isTypeColumn)
  // In an answer, "required" may mean always there, never null, or nothing.
  const requiredAt = side === "answer" ? -1 : header.findIndex(isRequiredColumn)
  const insideFrom = firstInside(named, known, contract)
  const findings = named.flatMap((name, row): ReadonlyArray<TableFinding> => {
    if (name === null) return []
    const place = {
      side,
      operation: operationName(operation),
      pointer: `${operationPointer(operation)}${side === "answer" ? "/responses" : ""}`,
      name: quoted(name),
      table: at,
      row
    }
    const fields = known.byName.get(lastOf(name))
    if (fields === undefined) {
      const mayBeInside = known.open === "inside" && row >= insideFrom
      if (
        known.open === "anywhere" ||
        mayBeInside ||
        isStandInName(name) ||
        (side === "request" && isCommonName(name, contract))
      )
        return []
      const reason = side === "answer" ? "unknown_field" : "unknown_parameter"
      return [{ ...place, reason, found: quoted(name), expected: listed(known.names, "and") }]
    }
    const cells = rows[row] ?? []
    return [
      ...typeFindings(place, fields, cells[typeAt] ?? "", contract),
      ...requiredFindings(place, fields, cells[requiredAt] ?? "", known.tellsRequired)
    ]
  })
  return { compared: names.length, findings }
}

const knownFields = (
  side: TableSide,
  operation: ContractOperation,
  names: ReadonlyArray<string>,
  contract: SpecContract
): KnownFields | null => {
  if (side === "request") return requestFields(operation, contract)
  return operation.answer === undefined ? null : answerFields(operation.answer, names, contract)
}

/** The first row after which rows may be of what is in a list, an object or a value of any kind; that row itself where it has a path. */
const firstInside = (
  named: ReadonlyArray<string | null>,
  { byName }: KnownFields,
  { shapes }: SpecContract
): number => {
  const isHolder = ({ shape }: KnownField): boolean => {
    const types = shapes[shape]?.types ?? []
    return types.length === 0 || types.includes("object") || types.includes("array")
  }
  const first = named.findIndex(
    (name) => name === null || /[.[]/.test(name) || byName.get(lastOf(name))?.some(isHolder) === true
  )
  return first < 0 ? named.length : first
}

type Place = Pick<TableFinding, "side" | "operation" | "pointer" | "name" | "table" | "row">

/** Of fields with one name at several depths the table may mean any. */
const typeFindings = (
  place: Place,
  fields: ReadonlyArray<KnownField>,
  cell: string,
  { shapes }: SpecContract
): ReadonlyArray<TableFinding> => {
  const own = fields.map(({ shape }) => shapes[shape]?.types ?? [])
  const types = own.some((some) => some.length === 0) ? [] : [...new Set(own.flat())]
  const kind = kindIn(cell)
  const kinds = kindsOf(types)
  if (kind === null || kinds.size === 0 || kinds.has(kind)) return []
  // Lists and objects travel as text in queries.
  const isText =
    (kind === "text" && (kinds.has("list") || kinds.has("object"))) || (kind === "list" && kinds.has("text"))
  // A date may be a number of seconds.
  const isDate = /^date/i.test(cell.trim()) && kinds.has("number")
  if (isDate || (isText && place.side === "request")) return []
  return [
    {
      ...place,
      reason: "wrong_type",
      found: quoted(cell),
      expected: listed(
        types.filter((type) => type !== "null"),
        "or"
      )
    }
  ]
}

const requiredFindings = (
  place: Place,
  [field, ...others]: ReadonlyArray<KnownField>,
  cell: string,
  tellsRequired: boolean
): ReadonlyArray<TableFinding> => {
  if (field === undefined || others.length > 0) return []
  const { marks } = field
  const said = requiredIn(cell)
  const required = marks.includes("required")
  if (said === null || said === required || marks.includes("excused") || (said && !tellsRequired)) return []
  const word = (is: boolean): string => (is ? "required" : "optional")
  return [{ ...place, reason: "required", found: word(said), expected: word(required) }]
}

/** Which operation of the description a table in a section is about; `null` where it may be any other. */
interface SectionOperations {
  /** The only one that the section, or else the nearest heading above it, names. */
  readonly requested: (section: number) => ContractOperation | null
  /**
   * The only one that the heading above the section and what comes before it below that heading name, else the nearest heading above
   * that names any. What the section itself names may be what to call next.
   */
  readonly answered: (section: number) => ContractOperation | null
}

const sectionOperations = (page: Page, index: ContractIndex): SectionOperations => {
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
