import type { ContractOperation, ContractParameter, SpecContract } from "../../apispec/Contract.ts"
import { METHODS } from "../../apispec/quality/SpecOperations.ts"
import { pointerOf } from "../../apispec/text/Json.ts"
import {
  type CallContext,
  type CallFinding,
  type FalseReason,
  isOfPast,
  listed,
  quoted,
  saysFailing,
  saysOld
} from "./CallFinding.ts"
import { matchCall, type NotCompared, type Unmatched } from "./MatchCall.ts"
import { formFaults, isStandInName, jsonFaults, textFault, type ValueFault } from "./CompareValue.ts"
import type { ContractIndex } from "./ContractIndex.ts"
import { isParameterSegment } from "./Templates.ts"
import type { ShownCall } from "../ShownCall.ts"

export type CallComparison =
  | NotCompared
  /** `operation`: `GET /orders/{id}`. */
  | { readonly _tag: "Agrees"; readonly operation: string }
  | { readonly _tag: "False"; readonly findings: ReadonlyArray<CallFinding> }

/** Compares a call that a page shows with the description. Whatever the call leaves open agrees with everything. */
export const compareCall = (call: ShownCall, index: ContractIndex, context: CallContext): CallComparison => {
  const match = matchCall(call, index, context)
  if (match._tag === "NotCompared") return match
  const compared = match._tag === "Unmatched" ? falseAddress(call, match, index) : bestOf(call, match, index)
  if (compared._tag === "Agrees") return compared
  if (match._tag === "Matched" && match.certainty === "guess") return { _tag: "NotCompared", reason: "other_api" }
  const { around, page } = context
  return isOfPast(page) || saysOld(around) || saysFailing(around)
    ? { _tag: "NotCompared", reason: "said_not_to_work" }
    : compared
}

const FINDINGS = 10

/** `GET /orders/{id}` */
export const operationName = ({ method, path }: ContractOperation): string => quoted(`${method} ${path}`)

/** Where the description has an operation. */
export const operationPointer = ({ method, path }: ContractOperation): string => {
  const key = method.toLowerCase()
  return pointerOf(["paths", path, ...(METHODS.has(key) ? [key] : ["additionalOperations", method])])
}

const callName = (method: string, path: ReadonlyArray<string>): string => quoted(`${method} /${path.join("/")}`)

const falseAddress = (call: ShownCall, match: Unmatched, { contract }: ContractIndex): CallComparison => {
  const operations = match.likely.flatMap((at) => contract.operations[at] ?? [])
  const [likely] = operations
  const methods = [...new Set(operations.map(({ method }) => method))]
  const finding: CallFinding = {
    reason: match.reason,
    call: callName(call.method, match.path),
    operation: null,
    name: "",
    found: quoted(match.found === "" ? callName(call.method, match.path) : match.found),
    expected: match.reason === "unknown_method" ? listed(methods, "and") : quoted(match.expected),
    pointer: likely === undefined ? "/paths" : operationPointer(likely),
    likely: likely === undefined ? null : operationName(likely)
  }
  return { _tag: "False", findings: [finding] }
}

/** Of repeated operations the one that the call agrees with most. */
const bestOf = (
  call: ShownCall,
  match: { readonly operations: ReadonlyArray<number>; readonly path: ReadonlyArray<string> },
  index: ContractIndex
): CallComparison => {
  const compared = match.operations.flatMap((at) => {
    const operation = index.contract.operations[at]
    return operation === undefined ? [] : [{ operation, findings: findingsOf(call, at, operation, match.path, index) }]
  })
  const [best] = compared.toSorted((one, other) => one.findings.length - other.findings.length)
  if (best === undefined) return { _tag: "NotCompared", reason: "ambiguous" }
  return best.findings.length === 0
    ? { _tag: "Agrees", operation: operationName(best.operation) }
    : { _tag: "False", findings: best.findings.slice(0, FINDINGS) }
}

/** What a part of a call has wrong, before it is told of which call. */
type Fault = Pick<CallFinding, "reason" | "name" | "found" | "expected">

const findingsOf = (
  call: ShownCall,
  at: number,
  operation: ContractOperation,
  path: ReadonlyArray<string>,
  index: ContractIndex
): ReadonlyArray<CallFinding> => {
  const parameters = operation.parameters.flatMap((one) => index.contract.parameters[one] ?? [])
  const compared: Comparison = { call, operation, parameters, index, pathNames: index.pathQueries[at] ?? new Set() }
  const faults = [
    ...(operation.marks.includes("deprecated") ? [fault("deprecated", "", "", "")] : []),
    ...pathFaults(compared, path, index.segments[at] ?? []),
    ...queryFaults(compared),
    ...headerFaults(compared),
    ...bodyFaults(compared)
  ]
  const name = operationName(operation)
  return faults.map((one) => ({
    ...one,
    call: callName(call.method, path),
    operation: name,
    pointer: operationPointer(operation),
    likely: name
  }))
}

interface Comparison {
  readonly call: ShownCall
  readonly operation: ContractOperation
  readonly parameters: ReadonlyArray<ContractParameter>
  readonly index: ContractIndex
  /** Names in the query that the operation's path has. */
  readonly pathNames: ReadonlySet<string>
}

const fault = (reason: FalseReason, name: string, found: string, expected: string): Fault => ({
  reason,
  name: quoted(name),
  found: quoted(found),
  expected
})

const fromValue = ({ expected, found, path, reason }: ValueFault): Fault =>
  fault(reason, path.join(".") || "the body", found, listed(expected, reason === "unknown_field" ? "and" : "or"))

const pathFaults = (
  { index, parameters }: Comparison,
  path: ReadonlyArray<string>,
  template: ReadonlyArray<string>
): ReadonlyArray<Fault> =>
  template.flatMap((own, at) => {
    const given = path[at]
    const parameter = parameters.find((one) => one.in === "path" && `{${one.name}}` === own)
    // A word in place of a number may be an operation that is not described.
    if (given === undefined || parameter === undefined || !isParameterSegment(own) || !/\d/.test(given)) return []
    const value = { _tag: "Known", value: decoded(given) } as const
    const wrong = textFault(value, parameter.name, index.contract.shapes[parameter.shape])
    return wrong === null ? [] : [fault(wrong.reason, parameter.name, wrong.found, listed(wrong.expected, "or"))]
  })

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Names that servers take in any query, or that are part of a key that the description leaves to its prose. */
const ANYWHERE =
  /^(?:_|callback|jsonp|format|pretty|debug|nocache|utm_\w{1,30}|(?:api|app|access|auth)[_-]?(?:key|token|id|secret)|apikey|key|token|signature|sign|sig|timestamp|nonce|\$\w{1,30}|x-\w.{0,60})$/i

/** A name that any operation may take: it says nothing that the description lacks it. */
export const isCommonName = (name: string, { credentials }: SpecContract): boolean =>
  ANYWHERE.test(name) ||
  LEFT_OUT.test(name) ||
  credentials.query.includes(name) ||
  credentials.headers.includes(name.toLowerCase())

const baseName = (name: string): string => name.split(/[[.]/, 1)[0] ?? name

const queryFaults = (comparison: Comparison): ReadonlyArray<Fault> => {
  const { call, index, parameters } = comparison
  const declared = parameters.filter((parameter) => parameter.in === "query")
  const names = declared.map(({ name }) => name)
  const values = call.query.fields.flatMap(({ name, value }) => {
    const parameter = declared.find((one) => one.name === name)
    if (parameter === undefined) return []
    const wrong = textFault(value, name, index.contract.shapes[parameter.shape])
    return [
      ...(parameter.marks.includes("deprecated") ? [fault("deprecated", name, name, "")] : []),
      ...(wrong === null ? [] : [fault(wrong.reason, name, wrong.found, listed(wrong.expected, "or"))])
    ]
  })
  const unknown = unknownNames(comparison, names).map((name) =>
    fault("unknown_parameter", name, name, listed(names, "and"))
  )
  return [...unknown, ...values, ...missingParameters(comparison, "query")]
}

/** Names of the query that the operation does not have. One that declares none leaves its query to its prose. */
const unknownNames = (
  { call, index, operation, parameters, pathNames }: Comparison,
  declared: ReadonlyArray<string>
): ReadonlyArray<string> => {
  if (declared.length === 0 || operation.marks.includes("open_query")) return []
  const known = new Set([...parameters.map(({ name }) => name), ...index.contract.credentials.query, ...pathNames])
  const bases = new Set([...known].map(baseName))
  const inBody = new Set(
    operation.bodies.flatMap(({ shape }) => index.contract.shapes[shape]?.fields.map(({ name }) => name) ?? [])
  )
  return [...new Set(call.query.fields.map(({ name }) => name))].filter(
    (name) =>
      !known.has(name) &&
      !bases.has(baseName(name)) &&
      !inBody.has(name) &&
      !ANYWHERE.test(name) &&
      !isStandInName(name)
  )
}

/** A request line and an address alone name an operation: they are not complete. */
const isComplete = ({ body, client, headers, query }: ShownCall): boolean =>
  client !== "line" && (query.fields.length > 0 || headers.fields.length > 0 || body._tag !== "None")

/** Headers that HTTP clients send by themselves, and those of credentials, which many examples leave out. */
const LEFT_OUT =
  /^(?:accept|accept-[a-z]{1,20}|content-type|content-length|content-encoding|host|user-agent|cookie|origin|referer|connection|date)$|auth|token|(?<!idempotency[_-]?)key|secret|sign|session|credential|password|nonce|timestamp/i

const missingParameters = (
  { call, index, parameters, pathNames }: Comparison,
  place: "query" | "header"
): ReadonlyArray<Fault> => {
  const sent = place === "query" ? call.query : call.headers
  if (sent.open || !isComplete(call)) return []
  const lower = (name: string): string => (place === "header" ? name.toLowerCase() : name)
  const given = new Set([...sent.fields.map(({ name }) => lower(name)), ...(place === "query" ? pathNames : [])])
  const bases = new Set([...given].map(baseName))
  const credentials = place === "query" ? index.contract.credentials.query : index.contract.credentials.headers
  return parameters
    .filter((parameter) => parameter.in === place && parameter.marks.includes("required"))
    .filter(({ marks, name }) => {
      const own = lower(name)
      if (marks.includes("excused") || given.has(own) || bases.has(baseName(own)) || credentials.includes(own))
        return false
      return place === "header" ? !LEFT_OUT.test(own) : !ANYWHERE.test(own)
    })
    .map(({ name }) => fault("missing_parameter", name, "", quoted(name)))
}

const headerFaults = (comparison: Comparison): ReadonlyArray<Fault> => {
  const { call, index, parameters } = comparison
  const values = call.headers.fields.flatMap(({ name, value }) => {
    const parameter = parameters.find((one) => one.in === "header" && one.name.toLowerCase() === name.toLowerCase())
    if (parameter === undefined || LEFT_OUT.test(name)) return []
    const wrong = textFault(value, name, index.contract.shapes[parameter.shape])
    return wrong === null ? [] : [fault(wrong.reason, parameter.name, wrong.found, listed(wrong.expected, "or"))]
  })
  // A call without any header is shortened to what it is about.
  const missing = call.headers.fields.length === 0 ? [] : missingParameters(comparison, "header")
  return [...values, ...missing]
}

/** Of several bodies that an operation takes, the one that the call agrees with most. */
const bodyFaults = ({ call: { body }, index, operation }: Comparison): ReadonlyArray<Fault> => {
  const { shapes } = index.contract
  const compared = operation.bodies.flatMap(({ kind, shape }): ReadonlyArray<ReadonlyArray<ValueFault>> => {
    if (body._tag === "Json" && kind === "json") return [jsonFaults(body.value, shape, shapes)]
    return body._tag === "Form" && kind === "form" ? [formFaults(body.sent, shape, shapes)] : []
  })
  const [best] = compared.toSorted((one, other) => one.length - other.length)
  return (best ?? []).map(fromValue)
}
