import { readingLength } from "../../text/languages/Language.ts"
import { noContract } from "../Contract.ts"
import type { ApiDescription } from "../ApiSpec.ts"
import { headingOf, indexOf, type Recognised } from "./Description.ts"
import { NO_EXAMPLES } from "../examples/SpecExamples.ts"
import { noElements } from "../quality/Elements.ts"
import { postmanCollection } from "../text/Format.ts"
import { cutTo, isObject, type Json, listAt, member, objectAt, stringAt, wordAt } from "../text/Json.ts"
import { OPERATION_LIMIT } from "../quality/SpecOperations.ts"
import { portion } from "../quality/Quality.ts"
import { isUsable } from "../quality/Access.ts"
import { checkStructure } from "../validity/Structure.ts"
import { documentValidity } from "../validity/Validity.ts"

const NO_FIELDS = { part: 0, whole: 0 }

/** A Postman collection: requests with saved answers, and no schemas. */
export const describePostman = async (recognised: Recognised): Promise<ApiDescription> => {
  const collection = postmanCollection(recognised.documents.main.root)
  const info = objectAt(collection, "info")
  const items = requestItems(collection)
  const parameters = items.flatMap(({ request }) => parametersOf(request))
  const description = textOf(member(info, "description"))
  return {
    ...headingOf(recognised),
    ...indexOf(
      items.map(({ item, request }) => ({
        method: (stringAt(request, "method") || "GET").toUpperCase(),
        path: cutTo(addressOf(request), 500),
        id: "",
        summary: cutTo(stringAt(item, "name") || textOf(member(request, "description")), 160)
      }))
    ),
    title: cutTo(stringAt(info, "name"), 200),
    version: cutTo(wordAt(info, "version"), 100),
    description: cutTo(description, 50_000),
    servers: serversOf(
      collection,
      items.map(({ request }) => addressOf(request))
    ),
    security: securityOf(items),
    elements: noElements,
    validity: documentValidity(recognised.documents, await checkStructure(collection, recognised.mark)),
    quality: {
      operationTexts: items.map(({ request }) => readingLength(textOf(member(request, "description")))),
      describedParameters: portion(parameters.map((parameter) => textOf(member(parameter, "description")) !== "")),
      describedProperties: NO_FIELDS,
      exampleOperations: portion(
        items.map(({ item }) => listAt(item, "response").some((answer) => stringAt(answer, "body") !== ""))
      ),
      typedFields: portion(parameters.map(() => false)),
      constrainedFields: NO_FIELDS,
      errorOperations: portion(items.map(() => false)),
      helpfulErrors: portion(items.map(() => false))
    },
    examples: NO_EXAMPLES,
    contract: noContract,
    sampleApi: null
  }
}

interface Item {
  readonly item: Json
  readonly request: Json
  /** The type of its authentication, its folders' and the collection's considered; empty where none is set. */
  readonly auth: string
}

/** Requests in folders too, in document order; the depth of a document is bounded before it gets here. */
const requestItems = (collection: Json): ReadonlyArray<Item> => {
  const found: Array<Item> = []
  const visit = (holder: Json, inherited: string): void => {
    for (const item of listAt(holder, "item")) {
      const request = member(item, "request")
      const auth = authOf(item, inherited)
      if (request !== undefined && found.length < OPERATION_LIMIT)
        found.push({ item, request, auth: authOf(request, auth) })
      visit(item, auth)
    }
  }
  visit(collection, authOf(collection, ""))
  return found
}

/** Without `auth`, and with `null`, what the folder or the collection above sets holds. */
const authOf = (holder: Json, inherited: string): string => {
  const auth = member(holder, "auth")
  return isObject(auth) ? stringAt(auth, "type") : inherited
}

/** A request may be its URL alone; a URL may come in parts. */
const addressOf = (request: Json): string => {
  if (typeof request === "string") return request
  const url = member(request, "url")
  return typeof url === "string" ? url.trim() : stringAt(url, "raw") || assembled(url)
}

/** `protocol`, `host`, `port` and `path` of a URL without `raw`. */
const assembled = (url: Json | undefined): string => {
  const protocol = stringAt(url, "protocol")
  const host = partsAt(url, "host").join(".")
  const port = wordAt(url, "port")
  const path = partsAt(url, "path")
    .map((part) => `/${part}`)
    .join("")
  return host === "" ? path : `${protocol === "" ? "" : `${protocol}://`}${host}${port === "" ? "" : `:${port}`}${path}`
}

/** A list of words, a list of `{ value }`, or one text. */
const partsAt = (url: Json | undefined, key: string): ReadonlyArray<string> => {
  const parts = listAt(url, key).map((part) => (typeof part === "string" ? part : stringAt(part, "value")))
  return (parts.length > 0 ? parts : [stringAt(url, key).replace(/^\//, "")]).filter((part) => part !== "")
}

const parametersOf = (request: Json): ReadonlyArray<Json> => {
  const url = objectAt(request, "url")
  return [...listAt(url, "query"), ...listAt(url, "variable")].filter(isObject)
}

/** A description is a text, or an object that has it. */
const textOf = (description: Json | undefined): string =>
  typeof description === "string" ? description.trim() : stringAt(description, "content")

/** The origins of its requests, the collection's variables filled in. */
const serversOf = (collection: Json, addresses: ReadonlyArray<string>): ApiDescription["servers"] => {
  const values = new Map(
    listAt(collection, "variable").map((variable) => [stringAt(variable, "key"), wordAt(variable, "value")])
  )
  const filled = addresses.map((address) =>
    address.replace(/\{\{([^{}]{1,200})\}\}/g, (hole, name: string) => values.get(name.trim()) || hole)
  )
  const origins = filled.flatMap((address) => /^https?:\/\/[^/?#\s]{1,300}/i.exec(address)?.[0] ?? [])
  return [...new Set(origins)].slice(0, 50).map((url) => ({ url, description: "", usable: isUsable(url) }))
}

const securityOf = (items: ReadonlyArray<Item>): ApiDescription["security"] => {
  const secured = items.filter(({ auth }) => auth !== "" && auth !== "noauth")
  const types = [...new Set(secured.map(({ auth }) => auth))].sort()
  return {
    schemes: types
      .slice(0, 50)
      .map((type) => ({ name: type, type, scheme: "", place: "", parameter: "", tokenUrl: "", description: "" })),
    securedOperations: secured.length,
    undeclaredOperations: 0,
    saidToBeNone: items.length > 0 && items.every(({ auth }) => auth === "noauth"),
    refusingOperations: 0
  }
}
