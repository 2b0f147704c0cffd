import type { ContractField, ContractOperation, ContractShape, SpecContract } from "../../apispec/Contract.ts"
import type { Page, Section, Table } from "../../page/Page.ts"
import { shownOperations } from "../../page/PageOperations.ts"
import { calledAddressParts } from "./Hosts.ts"
import { listed, quoted } from "./CallFinding.ts"
import { isCommonName, operationName, operationPointer } from "./CompareCall.ts"
import { isStandInName } from "./CompareValue.ts"
import type { ContractIndex } from "./ContractIndex.ts"
import { matchCall } from "./MatchCall.ts"
import { isOfPast, saysOld } from "./SaidOfCall.ts"
import {
  isNameColumn,
  isRequiredColumn,
  isTypeColumn,
  kindIn,
  kindsOf,
  nameIn,
  requiredIn,
  saysAnswers,
  saysRequests
} from "./TableWords.ts"

/** A row of a parameter table says something else than the description. All texts are fit to be shown. */
export interface TableFinding {
  readonly reason: "unknown_parameter" | "wrong_type" | "required"
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
export interface TableComparison {
  /** Rows that were compared. */
  readonly compared: number
  readonly findings: ReadonlyArray<TableFinding>
}

const FINDINGS = 50

/** Compares the parameter tables of a page, each with the only operation that is named above it. */
export const compareTables = (page: Page, index: ContractIndex): TableComparison => {
  if (index.contract.operations.length === 0 || isOfPast(page.url)) return { compared: 0, findings: [] }
  const operations = sectionOperations(page, index)
  const compared = page.tables.map((table, at) => {
    const nameAt = table.header.findIndex(isNameColumn)
    if (nameAt < 0 || nameAt > 1 || !isOfRequest(page, table)) return NOTHING
    const operation = operations(table.section)
    return operation === null ? NOTHING : compareTable({ table, at, nameAt }, operation, index.contract)
  })
  return {
    compared: compared.reduce((sum, one) => sum + one.compared, 0),
    findings: compared.flatMap(({ findings }) => findings).slice(0, FINDINGS)
  }
}

const NOTHING: TableComparison = { compared: 0, findings: [] }

/** What is said, as a clause that follows the name of the page. */
export const tableSentenceOf = ({ expected, found, name, operation, reason }: TableFinding): string => {
  switch (reason) {
    case "unknown_parameter":
      return `lists ${name} among the parameters of ${operation}; the description has ${expected}`
    case "wrong_type":
      return `says that ${name} of ${operation} is of type ${found}; the description wants ${expected}`
    case "required":
      return `says that ${name} of ${operation} is ${found}; the description has it as ${expected}`
  }
}

/** The only operation of the description that a section, or else the nearest heading above it, names. */
const sectionOperations = (page: Page, index: ContractIndex): ((section: number) => ContractOperation | null) => {
  const known = new Map<number, ReadonlySet<number>>()
  const namedAt = (at: number): ReadonlySet<number> => {
    const section = page.sections[at]
    const named = known.get(at) ?? (section === undefined ? new Set() : operationsNamed(section, page, index))
    known.set(at, named)
    return named
  }
  const above = parentsOf(page.sections)
  return (section) => {
    for (let at: number | undefined = section; at !== undefined; at = above[at]) {
      const operations = namedAt(at)
      if (operations.size === 0) continue
      const [only] = operations
      return operations.size === 1 && only !== undefined ? (index.contract.operations[only] ?? null) : null
    }
    return null
  }
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

/** A table of what callers send, and surely not of what they are answered. */
const isOfRequest = ({ sections, tables }: Page, table: Table): boolean => {
  const section = sections[table.section]
  if (section === undefined || saysOld(`${section.heading}\n${table.caption}`)) return false
  const labels = `${section.heading}\n${table.caption}\n${table.header[0] ?? ""}`
  if (saysAnswers(`${section.heading}\n${table.caption}`)) return false
  const isOneOfSeveral = tables.filter((other) => other.section === table.section).length > 1
  if (isOneOfSeveral && table.caption === "" && saysAnswers(section.text)) return false
  return saysRequests(labels) || table.header.some(isRequiredColumn)
}

/** A table of names, and the column that has them. */
interface NamesTable {
  readonly table: Table
  /** Index into `Page.tables`. */
  readonly at: number
  readonly nameAt: number
}

const compareTable = (
  { at, nameAt, table: { header, rows } }: NamesTable,
  operation: ContractOperation,
  contract: SpecContract
): TableComparison => {
  const known = fieldsOf(operation, contract)
  const named = rows.map((cells) => nameIn(cells[nameAt] ?? ""))
  const names = named.filter((name) => name !== null)
  const found = names.filter((name) => known.byName.has(lastOf(name)))
  // With fewer names in common it may be a table of anything.
  if (found.length < 2 || found.length * 2 < names.length) return NOTHING
  const typeAt = header.findIndex(isTypeColumn)
  const requiredAt = header.findIndex(isRequiredColumn)
  const findings = named.flatMap((name, row): ReadonlyArray<TableFinding> => {
    if (name === null) return []
    const place = {
      operation: operationName(operation),
      pointer: operationPointer(operation),
      name: quoted(name),
      table: at,
      row
    }
    const fields = known.byName.get(lastOf(name))
    if (fields === undefined) {
      if (known.open || isCommonName(name, contract) || isStandInName(name)) return []
      return [{ ...place, reason: "unknown_parameter", found: quoted(name), expected: listed(known.names, "and") }]
    }
    // Of fields with one name at several depths the table may mean any.
    const [field] = fields
    if (field === undefined || fields.length > 1) return []
    const cells = rows[row] ?? []
    return [
      ...typeFindings(place, field, cells[typeAt] ?? "", contract),
      ...requiredFindings(place, field, cells[requiredAt] ?? "", known.tellsRequired)
    ]
  })
  return { compared: names.length, findings }
}

type Place = Pick<TableFinding, "operation" | "pointer" | "name" | "table" | "row">

const typeFindings = (
  place: Place,
  field: ContractField,
  cell: string,
  { shapes }: SpecContract
): ReadonlyArray<TableFinding> => {
  const types = shapes[field.shape]?.types ?? []
  const kind = kindIn(cell)
  const kinds = kindsOf(types)
  // Lists and objects travel as text in queries.
  const isText =
    (kind === "text" && (kinds.has("list") || kinds.has("object"))) || (kind === "list" && kinds.has("text"))
  if (kind === null || kinds.size === 0 || kinds.has(kind) || isText) return []
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
  { marks }: ContractField,
  cell: string,
  tellsRequired: boolean
): ReadonlyArray<TableFinding> => {
  const said = requiredIn(cell)
  const required = marks.includes("required")
  if (said === null || said === required || marks.includes("excused") || (said && !tellsRequired)) return []
  const word = (is: boolean): string => (is ? "required" : "optional")
  return [{ ...place, reason: "required", found: word(said), expected: word(required) }]
}

/** `city` of `to.city`, `items[].city` and `to[city]`. */
const lastOf = (name: string): string => name.split(/[.[\]]/).findLast((part) => part !== "") ?? name

/** All that an operation takes, by name. */
interface KnownFields {
  readonly byName: ReadonlyMap<string, ReadonlyArray<ContractField>>
  /** Those of the first level, in order. */
  readonly names: ReadonlyArray<string>
  /** There may be more. */
  readonly open: boolean
  /** It marks anything but its path as required: one that marks nothing does not say that all is optional. */
  readonly tellsRequired: boolean
}

const SHAPES = 500

const fieldsOf = (operation: ContractOperation, { parameters, shapes }: SpecContract): KnownFields => {
  const byName = new Map<string, Array<ContractField>>()
  const seen = new Set<number>()
  let open = operation.marks.includes("open_query")

  const name = (field: ContractField): void => {
    const last = lastOf(field.name)
    const fields = byName.get(last) ?? []
    fields.push(field)
    byName.set(last, fields)
  }
  const visit = (at: number, shape: ContractShape | undefined): void => {
    if (shape === undefined || seen.has(at)) return
    if (seen.size >= SHAPES) {
      open = true
      return
    }
    seen.add(at)
    if (!shape.closed && (shape.types.length === 0 || shape.types.includes("object"))) open = true
    for (const field of shape.fields) {
      name(field)
      visit(field.shape, shapes[field.shape])
    }
    if (shape.types.includes("array")) visit(shape.items, shapes[shape.items])
  }

  const own = operation.parameters.flatMap((at) => parameters[at] ?? [])
  for (const parameter of own) {
    name(parameter)
    const shape = shapes[parameter.shape]
    if (shape?.types.includes("object") === true) visit(parameter.shape, shape)
  }
  for (const { shape } of operation.bodies) visit(shape, shapes[shape])
  const body = operation.bodies.flatMap(({ shape }) => shapes[shape]?.fields ?? [])
  const marked = [...own.filter((one) => one.in !== "path"), ...body]
  return {
    byName,
    names: [...new Set([...own, ...body].map((field) => field.name))],
    open,
    tellsRequired: marked.some(({ marks }) => marks.includes("required"))
  }
}
