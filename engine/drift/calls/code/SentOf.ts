import type { SentBody, SentField, SentFields, SentValue, ShownCall } from "../../ShownCall.ts"
import { addressParts, CAPITAL_SERVER, isName, joined, OPEN, sentText } from "../values/Fields.ts"
import { bodyOfText } from "./BodyText.ts"
import { addressText, type CodeRequest, type CodeValue, type Dict } from "./CodeValue.ts"
import { sentValue } from "./SentValues.ts"

/** What a value is in a query, header or form, where all is text. */
const asText = (value: CodeValue): SentValue => {
  if (value._tag === "Literal" && value.value !== null) return { _tag: "Known", value: String(value.value) }
  if (value._tag === "List")
    return { _tag: "List", items: value.items.slice(0, 100).map(asText), open: value.open || value.items.length > 100 }
  return value._tag === "Text" ? sentText(value.text) : OPEN
}

const sentFields = ({ entries, open }: Dict): SentFields => {
  const fields = entries
    .filter(([name]) => isName(name))
    .map(([name, value]): SentField => ({ name, value: asText(value) }))
  return joined({ fields: [], open: open || fields.length < entries.length }, { fields, open: false })
}

const METHOD = /^[A-Z]{3,10}$/

/** An address with a host, a path, or either after a name that holds its beginning. */
const ADDRESS =
  /^(?:https?:\/\/[^\s/?#]|\/(?!\/)|\{[\w.-]{1,60}\}[/.:]|\{\w{0,40}(?:url|base|host|api|root|server|endpoint)\w{0,20}\}\w)[^\s?#]*(?:[?#]|$)/i
const LONGEST_ADDRESS = 2_000

/** The call that a request of a program makes; `null` where its method or address is not known. */
export const callOf = (request: CodeRequest): ShownCall | null => {
  const { body, bodyForm, client, line } = request
  const method = request.method?.toUpperCase() ?? ""
  const written = addressText(request.address)
  if (written === null || written.length > LONGEST_ADDRESS || !METHOD.test(method)) return null
  if (!ADDRESS.test(written) && !CAPITAL_SERVER.test(written)) return null
  const { address, query } = addressParts(written)
  const headers = sentFields(request.headers)
  return {
    client,
    method,
    address,
    query: joined(query, sentFields(request.query)),
    headers,
    body: body === null ? { _tag: "None" } : bodyOf(body, bodyForm, contentType(headers)),
    line
  }
}

const contentType = ({ fields }: SentFields): string | null => {
  const value = fields.find(({ name }) => name.toLowerCase() === "content-type")?.value
  return value?._tag === "Known" ? String(value.value) : null
}

const bodyOf = (body: CodeValue, form: CodeRequest["bodyForm"], type: string | null): SentBody => {
  if (body._tag === "Text") return bodyOfText(body.text, type)
  if (body._tag === "Form") return { _tag: "Form", sent: sentFields(body.sent) }
  if (body._tag === "Dict" && form === "form") return { _tag: "Form", sent: sentFields(body) }
  if (body._tag === "Literal" && body.value === null) return { _tag: "None" }
  const json = body._tag === "Json" ? body.value : form === "json" ? body : null
  if (body._tag === "Json" && json?._tag === "Text") return { _tag: "Json", value: sentText(json.text) }
  return json?._tag === "Dict" || json?._tag === "List" ? { _tag: "Json", value: sentValue(json) } : { _tag: "Open" }
}
