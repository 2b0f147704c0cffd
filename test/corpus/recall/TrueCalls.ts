import type { ContractField, ContractOperation, ContractShape } from "../../../engine/apispec/Contract.ts"
import type { ContractIndex } from "../../../engine/drift/match/ContractIndex.ts"
import { isParameterSegment } from "../../../engine/drift/match/Templates.ts"
import type { SentFields, SentValue, ShownCall } from "../../../engine/drift/ShownCall.ts"

type Shapes = ReadonlyArray<ContractShape>

const known = (value: string | number | boolean): SentValue => ({ _tag: "Known", value })

const VALUES = { integer: 7, number: 2.5, boolean: true } as const

/** Levels of a value, and optional fields of an object. */
const DEPTH = 3
const OPTIONAL = 4

/** A value that a shape takes. */
const valueOf = (shape: ContractShape | undefined, shapes: Shapes, depth: number): SentValue => {
  const listed = shape?.values?.find((value) => value !== null) ?? null
  if (listed !== null) return known(listed)
  const type = shape?.types.find((one) => one !== "null")
  if (type === "integer" || type === "number" || type === "boolean") return known(VALUES[type])
  if (type === "object") return { _tag: "Object", sent: objectOf(shape, shapes, depth) }
  if (type !== "array") return known("blue seven")
  const items = depth < DEPTH ? [valueOf(shapes[shape?.items ?? 0], shapes, depth + 1)] : []
  return { _tag: "List", items, open: false }
}

const objectOf = (shape: ContractShape | undefined, shapes: Shapes, depth = 0): SentFields => {
  const fields = (shape?.fields ?? []).filter(({ marks }) => !marks.includes("deprecated"))
  const isRequired = ({ marks }: ContractField): boolean => marks.includes("required")
  const optional = depth < DEPTH ? fields.filter((field) => !isRequired(field)).slice(0, OPTIONAL) : []
  return fieldsOf([...fields.filter(isRequired), ...optional], shapes, depth)
}

const fieldsOf = (fields: ReadonlyArray<ContractField>, shapes: Shapes, depth = 0): SentFields => ({
  open: false,
  fields: fields.map(({ name, shape }) => ({ name, value: valueOf(shapes[shape], shapes, depth + 1) }))
})

/** A call as a page would show it, with all that the operation takes, by what the description says of it. */
export const trueCall = (operation: ContractOperation, { contract, url }: ContractIndex): ShownCall => {
  const { shapes } = contract
  const server = contract.servers[(operation.servers ?? contract.commonServers)[0] ?? 0]
  const base = URL.parse((server?.url ?? "").replaceAll(/\{[^{}]*\}/g, "v1"), url)?.href ?? url
  const path = operation.path.split(/[?#]/, 1)[0] ?? ""
  const declared = operation.parameters.flatMap((at) => contract.parameters[at] ?? [])
  const given = path
    .split("/")
    .map((segment) => (isParameterSegment(segment) ? pathValue(segment, declared, shapes) : segment))
  const sent = (place: "query" | "header"): SentFields =>
    fieldsOf(
      declared.filter((one) => one.in === place && !one.marks.includes("deprecated")),
      shapes
    )
  const json = operation.bodies.find(({ kind }) => kind === "json")
  return {
    client: "curl",
    method: operation.method,
    address: base.replace(/\/$/, "") + given.join("/"),
    query: sent("query"),
    headers: { open: false, fields: [{ name: "Authorization", value: { _tag: "Open" } }, ...sent("header").fields] },
    body: json === undefined ? { _tag: "None" } : { _tag: "Json", value: valueOf(shapes[json.shape], shapes, 0) },
    line: 0
  }
}

const pathValue = (
  segment: string,
  declared: ReadonlyArray<ContractField & { readonly in: string }>,
  shapes: Shapes
): string => {
  const field = declared.find((one) => one.in === "path" && `{${one.name}}` === segment)
  const value = field === undefined ? null : valueOf(shapes[field.shape], shapes, 0)
  return value?._tag === "Known" && typeof value.value !== "string" ? String(value.value) : segment
}
