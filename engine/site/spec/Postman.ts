import type { ApiDescription } from "../ApiSpec.ts"
import { headingOf, indexOf, type Recognised } from "./Description.ts"
import { noElements } from "./Elements.ts"
import { postmanCollection } from "./Format.ts"
import { cutTo, has, isObject, type Json, listAt, member, objectAt, stringAt, wordAt } from "./Json.ts"
import { OPERATION_LIMIT } from "./Operations.ts"
import { portion } from "./Quality.ts"
import { isUsable } from "./Servers.ts"
import { checkStructure } from "./Structure.ts"
import { documentValidity } from "./Validity.ts"

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
    ...indexOf(items.map(({ item, request }) => ({
      method: (stringAt(request, "method") || "GET").toUpperCase(),
      path: cutTo(addressOf(request), 500),
      id: "",
      summary: cutTo(stringAt(item, "name") || textOf(member(request, "description")), 160)
    }))),
    title: cutTo(stringAt(info, "name"), 200),
    version: cutTo(wordAt(info, "version"), 100),
    description: cutTo(description, 50_000),
    servers: serversOf(collection, items.map(({ request }) => addressOf(request))),
    security: securityOf(collection, items.map(({ request }) => request)),
    elements: noElements,
    validity: documentValidity(recognised.documents, await checkStructure(collection, recognised.mark)),
    quality: {
      operationTexts: items.map(({ request }) => textOf(member(request, "description")).length),
      describedParameters: portion(parameters.map((parameter) => textOf(member(parameter, "description")) !== "")),
      describedProperties: NO_FIELDS,
      exampleOperations: portion(items.map(({ item }) => listAt(item, "response").some((answer) => stringAt(answer, "body") !== ""))),
      typedFields: portion(parameters.map(() => false)),
      constrainedFields: NO_FIELDS,
      errorOperations: portion(items.map(() => false))
    },
    petStore: false
  }
}

interface Item {
  readonly item: Json
  readonly request: Json
}

/** Requests in folders too, in document order; the depth of a document is bounded before it gets here. */
const requestItems = (collection: Json): ReadonlyArray<Item> => {
  const found: Array<Item> = []
  const visit = (holder: Json): void => {
    for (const item of listAt(holder, "item")) {
      const request = member(item, "request")
      if (request !== undefined && found.length < OPERATION_LIMIT) found.push({ item, request })
      visit(item)
    }
  }
  visit(collection)
  return found
}

/** A request may be its address alone. */
const addressOf = (request: Json): string => {
  if (typeof request === "string") return request
  const url = member(request, "url")
  return typeof url === "string" ? url.trim() : stringAt(url, "raw")
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
  const values = new Map(listAt(collection, "variable").map((variable) => [stringAt(variable, "key"), wordAt(variable, "value")]))
  const filled = addresses.map((address) =>
    address.replace(/\{\{([^{}]{1,200})\}\}/g, (hole, name: string) => values.get(name.trim()) || hole))
  const origins = filled.flatMap((address) => /^https?:\/\/[^/?#\s]{1,300}/i.exec(address)?.[0] ?? [])
  return [...new Set(origins)].slice(0, 50).map((url) => ({ url, description: "", usable: isUsable(url) }))
}

const securityOf = (collection: Json, requests: ReadonlyArray<Json>): ApiDescription["security"] => {
  const general = authOf(collection)
  const own = requests.map((request) => (has(request, "auth") ? authOf(request) : general))
  const types = [...new Set(own.filter((type) => type !== "" && type !== "noauth"))].sort()
  return {
    schemes: types.slice(0, 50).map((type) => ({ name: type, type, scheme: "", place: "", parameter: "", description: "" })),
    securedOperations: own.filter((type) => type !== "" && type !== "noauth").length,
    undeclaredOperations: 0,
    saidToBeNone: own.length > 0 && own.every((type) => type === "noauth"),
    refusingOperations: 0
  }
}

const authOf = (holder: Json): string => stringAt(objectAt(holder, "auth"), "type")
