import type { ContractOperation, ContractShape } from "../../../engine/apispec/Contract.ts"
import { isCommonName } from "../../../engine/drift/match/CompareCall.ts"
import type { ContractIndex } from "../../../engine/drift/match/ContractIndex.ts"
import { compareTables } from "../../../engine/drift/match/Tables.ts"
import { readPage } from "../../../engine/page/read/ReadPage.ts"
import { answerOf } from "../../site/FakeContext.ts"
import { type Random, renamed } from "./Mutations.ts"

interface Row {
  readonly name: string
  readonly type: string
  readonly required: boolean
}

/** A parameter table of an operation as a page would show it. */
const rowsOf = (operation: ContractOperation, { contract }: ContractIndex): ReadonlyArray<Row> =>
  operation.parameters
    .flatMap((at) => contract.parameters[at] ?? [])
    .filter((one) => one.in === "query" && !one.marks.includes("excused") && !isCommonName(one.name, contract))
    .map(({ marks, name, shape }) => ({
      name,
      type: typeOf(contract.shapes[shape]),
      required: marks.includes("required")
    }))

const typeOf = (shape: ContractShape | undefined): string => shape?.types.find((type) => type !== "null") ?? ""

const isFalse = ({ method, path }: ContractOperation, rows: ReadonlyArray<Row>, index: ContractIndex): boolean => {
  const cells = rows.map(({ name, required, type }) => `| ${name} | ${type} | ${required ? "yes" : "no"} |`)
  const table = ["| Parameter | Type | Required |", "|---|---|---|", ...cells].join("\n")
  const words = "What it does, and what a caller may say of it, is told here.\n\n".repeat(4)
  const body = `# Reference\n\n${words}## Call\n\n\`${method} ${path}\`\n\n### Query parameters\n\n${table}\n`
  const page = readPage({ answer: answerOf("https://docs.example.com/reference.md", { body, type: "text/markdown" }) })
  return compareTables(page, index).findings.length > 0
}

const OTHER: Readonly<Record<string, string>> = {
  integer: "boolean",
  number: "boolean",
  boolean: "integer",
  string: "boolean"
}

const changed = (row: Row, random: Random, way: number): Row => {
  if (way === 0) return { ...row, name: renamed(row.name, random) }
  return way === 1 ? { ...row, required: !row.required } : { ...row, type: OTHER[row.type] ?? row.type }
}

/** Whether a row that was made false is told; `null` where the table cannot be made false. */
export const isTableTold = (operation: ContractOperation, index: ContractIndex, random: Random): boolean | null => {
  const rows = rowsOf(operation, index)
  // A table of one or two names may be of anything.
  if (rows.length < 3 || operation.marks.includes("open_query") || isFalse(operation, rows, index)) return null
  const at = random(rows.length)
  const row = rows[at]
  const tellsRequired = rows.some(({ required }) => required)
  const ways = [0, ...(tellsRequired ? [1] : []), ...(row !== undefined && row.type in OTHER ? [2] : [])]
  const other = row === undefined ? undefined : changed(row, random, ways[random(ways.length)] ?? 0)
  return other === undefined ? null : isFalse(operation, rows.with(at, other), index)
}
