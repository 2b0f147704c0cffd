import type { ContractField, ContractOperation } from "../../../engine/apispec/Contract.ts"
import { isCommonName } from "../../../engine/drift/match/CompareCall.ts"
import { calledAddressParts, type ContractIndex } from "../../../engine/drift/match/ContractIndex.ts"
import { isVersionSegment } from "../../../engine/drift/match/Templates.ts"
import type { SentField, SentFields, SentValue, ShownCall } from "../../../engine/drift/ShownCall.ts"

/** Numbers from 0 to below `most`, the same for the same seed. */
export type Random = (most: number) => number

/** The generator of Park and Miller (1988). */
export const seeded = (seed: number): Random => {
  let state = (seed % 2_147_483_646) + 1
  return (most) => {
    state = (state * 48_271) % 2_147_483_647
    return state % most
  }
}

const pick = <A>(random: Random, from: ReadonlyArray<A>): A | undefined => from[random(Math.max(1, from.length))]

/** A word that was renamed, or written wrong: a letter is lost, doubled or swapped, or a word is put before it. */
export const renamed = (word: string, random: Random): string => {
  const at = 1 + random(Math.max(1, word.length - 2))
  const [one = "", two = ""] = [word[at], word[at + 1]]
  switch (random(4)) {
    case 0:
      return word.slice(0, at) + word.slice(at + 1)
    case 1:
      return word.slice(0, at) + one + word.slice(at)
    case 2:
      return one === two ? `${word}s` : word.slice(0, at) + two + one + word.slice(at + 2)
    default:
      return `new_${word}`
  }
}

export interface Material {
  readonly call: ShownCall
  readonly operation: ContractOperation
  readonly index: ContractIndex
}

/** A call that is false by the description; `null` where this one cannot be made so. */
type Mutate = (material: Material, random: Random) => ShownCall | null

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"]

const operationsAt = ({ call, index }: Material): ReadonlyArray<ContractOperation> => {
  const { segments } = calledAddressParts(call.address)
  const found = segments.flatMap((_, from) => index.templates.find(segments.slice(from)) ?? [])
  return found.flatMap(({ entries }) => entries).flatMap((at) => index.contract.operations[at] ?? [])
}

const path: Mutate = (material, random) => {
  const { call, operation } = material
  const words = operation.path.split("/").filter((word) => /^[a-z][a-z_-]{3,}$/i.test(word) && !isVersionSegment(word))
  const word = pick(random, words)
  if (word === undefined) return null
  const address = call.address.replace(new RegExp(`/${word}(?=/|$)`), `/${renamed(word, random)}`)
  const mutated = { ...call, address }
  return operationsAt({ ...material, call: mutated }).length > 0 ? null : mutated
}

const method: Mutate = (material, random) => {
  const taken = new Set(operationsAt(material).map((operation) => operation.method))
  const other = pick(
    random,
    METHODS.filter((one) => !taken.has(one))
  )
  return other === undefined ? null : { ...material.call, method: other }
}

const host: Mutate = ({ call }, random) => {
  const url = URL.parse(call.address)
  const labels = url?.hostname.split(".") ?? []
  const name = labels.at(-2) ?? ""
  if (url === null || name.length < 4 || labels.length < 2) return null
  const wrong = [...labels.slice(0, -2), renamed(name, (most) => random(Math.min(most, 3))), ...labels.slice(-1)]
  return { ...call, address: call.address.replace(url.hostname, wrong.join(".")) }
}

const withField = (sent: SentFields, at: number, field: SentField | null): SentFields => ({
  ...sent,
  fields: sent.fields.flatMap((one, index) => (index !== at ? [one] : field === null ? [] : [field]))
})

/** Changes one of the fields of a call that pass, in the query or on the first level of its body. */
const changed = (
  { call, index, operation }: Material,
  random: Random,
  places: ReadonlyArray<"query" | "body">,
  change: (sent: SentField, declared: ContractField) => SentField | null | undefined
): ShownCall | null => {
  const { parameters, shapes } = index.contract
  const body = call.body._tag === "Json" && call.body.value._tag === "Object" ? call.body.value.sent : null
  const json = operation.bodies.find(({ kind }) => kind === "json")
  const declared = {
    query: operation.parameters.flatMap((at) => parameters[at] ?? []).filter((one) => one.in === "query"),
    body: shapes[json?.shape ?? 0]?.fields ?? []
  }
  const sent = { query: call.query, body: body ?? { fields: [], open: false } }
  const ways = places.flatMap((place) =>
    sent[place].fields.flatMap((field, at) => {
      const own = declared[place].find(({ name }) => name === field.name)
      const other = own === undefined ? undefined : change(field, own)
      return other === undefined ? [] : [{ place, sent: withField(sent[place], at, other) }]
    })
  )
  const way = pick(random, ways)
  if (way === undefined) return null
  return way.place === "query"
    ? { ...call, query: way.sent }
    : { ...call, body: { _tag: "Json", value: { _tag: "Object", sent: way.sent } } }
}

const renamedField =
  (material: Material, random: Random) =>
  (sent: SentField): SentField | undefined =>
    isCommonName(sent.name, material.index.contract) || sent.name.length < 4
      ? undefined
      : { ...sent, name: renamed(sent.name, random) }

const isOpenQuery = ({ operation }: Material): boolean => operation.marks.includes("open_query")

const parameter: Mutate = (material, random) =>
  isOpenQuery(material) ? null : changed(material, random, ["query"], renamedField(material, random))

const header: Mutate = ({ call, index, operation }, random) => {
  const required = operation.parameters
    .flatMap((at) => index.contract.parameters[at] ?? [])
    .filter((one) => one.in === "header" && one.marks.includes("required") && !one.marks.includes("excused"))
    .filter(({ name }) => !isCommonName(name, index.contract))
  const own = pick(random, required)
  const at = call.headers.fields.findIndex(({ name }) => name === own?.name)
  const field = call.headers.fields[at]
  if (field === undefined) return null
  return { ...call, headers: withField(call.headers, at, { ...field, name: renamed(field.name, random) }) }
}

/** Members of a body that takes others, too, are no mistake. */
const isClosed = ({ index, operation }: Material): boolean => {
  const json = operation.bodies.find(({ kind }) => kind === "json")
  return index.contract.shapes[json?.shape ?? 0]?.closed === true
}

const field: Mutate = (material, random) =>
  isClosed(material) ? changed(material, random, ["body"], renamedField(material, random)) : null

const required: Mutate = (material, random) =>
  changed(material, random, ["query", "body"], ({ name }, { marks }) =>
    marks.includes("required") && !marks.includes("excused") && !isCommonName(name, material.index.contract)
      ? null
      : undefined
  )

const known = (value: string | number): SentValue => ({ _tag: "Known", value })

const type: Mutate = (material, random) =>
  changed(material, random, ["query", "body"], (sent, { shape }) => {
    const { types = [], values = null } = material.index.contract.shapes[shape] ?? {}
    const [only, ...others] = types.filter((one) => one !== "null")
    if (only === undefined || others.length > 0 || values !== null) return undefined
    return only === "integer" || only === "number" || only === "boolean"
      ? { ...sent, value: known("seventy of them") }
      : undefined
  })

const choice: Mutate = (material, random) =>
  changed(material, random, ["query", "body"], (sent, { shape }) => {
    const { types = [], values = null } = material.index.contract.shapes[shape] ?? {}
    return values === null || types.includes("array") ? undefined : { ...sent, value: known("seventy-first") }
  })

/** Ways to make a call false. */
export const CALL_MUTATIONS: Readonly<Record<string, Mutate>> = {
  "path segment": path,
  method,
  host,
  parameter,
  header,
  "body field": field,
  "required one dropped": required,
  type,
  enum: choice
}
