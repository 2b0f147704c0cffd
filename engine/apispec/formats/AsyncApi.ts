import type { ApiDescription, SpecExamples, SpecServer } from "../ApiSpec.ts"
import { noContract } from "../Contract.ts"
import {
  encodingOf,
  type ExampleComparer,
  exampleComparer,
  type PlaceContext,
  type SchemaVisitor,
  schemaVisitor,
  SHARED,
  visitNamed
} from "../examples/SpecExamples.ts"
import { part } from "../examples/ValueVerdict.ts"
import { noElements } from "../quality/Elements.ts"
import { describedFields, fieldQuality, portion, textLength } from "../quality/Quality.ts"
import { exampleFinder, type Field, hasOwnExample, propertiesOf } from "../quality/Schemas.ts"
import { isUsable, securitySchemesOf } from "../quality/Access.ts"
import { OPERATION_LIMIT, partsOfAll } from "../quality/SpecOperations.ts"
import { child, type Documents, type Located, onceEach } from "../text/Documents.ts"
import { cutTo, entriesAt, has, isObject, type Json, listAt, member, objectAt, stringAt, wordAt } from "../text/Json.ts"
import { checkStructure } from "../validity/Structure.ts"
import { documentValidity } from "../validity/Validity.ts"
import { headingOf, indexOf, type Recognised, summaryOf } from "./Description.ts"

/** What is sent or received on a channel. */
interface Action {
  readonly method: string
  readonly channel: string
  readonly located: Located
  /** The channel that it acts on; `null` if it cannot be resolved. */
  readonly on: Located | null
}

/** A description of messages: AsyncAPI 2 (operations in channels) or 3 (operations beside them). */
export const describeAsync = async (recognised: Recognised): Promise<ApiDescription> => {
  const { documents, mark } = recognised
  const actions = actionsOf(documents)
  // Actions may share a channel, whose parameters count once.
  const parameters = partsOfAll(channelsOf(actions), (on) => parameterFields(documents, on))
  const properties = propertiesOf(documents)
  const secured = actions.filter(({ located }) => listAt(located.value, "security").length > 0).length
  const serversSecured = entriesAt(documents.main.root, "servers").some(
    ([, server]) => listAt(server, "security").length > 0
  )
  return {
    ...headingOf(recognised),
    ...indexOf(
      actions.map(({ method, channel, located }) => ({
        method,
        path: cutTo(channel, 500),
        id: cutTo(stringAt(located.value, "operationId"), 200),
        summary: summaryOf(located.value)
      }))
    ),
    servers: serversOf(documents),
    security: {
      schemes: securitySchemesOf(documents),
      securedOperations: serversSecured ? actions.length : secured,
      undeclaredOperations: 0,
      saidToBeNone: false,
      refusingOperations: 0
    },
    elements: noElements,
    validity: documentValidity(documents, await checkStructure(documents.main.root, mark)),
    quality: {
      operationTexts: actions.map(({ located }) => textLength(located.value)),
      describedParameters: describedFields(documents, parameters),
      describedProperties: describedFields(documents, properties),
      exampleOperations: portion(actions.map(actionExamples(documents))),
      ...fieldQuality(documents, [...parameters, ...properties]),
      errorOperations: { part: 0, whole: actions.length },
      helpfulErrors: { part: 0, whole: actions.length }
    },
    examples: messageExamples(documents),
    contract: noContract,
    sampleApi: null
  }
}

const rootOf = (documents: Documents): Located => ({ value: documents.main.root, document: documents.main, path: [] })

const actionsOf = (documents: Documents): ReadonlyArray<Action> => {
  const root = rootOf(documents)
  const inChannels = entriesAt(root.value, "channels").flatMap(([channel]) => {
    const on = child(documents, root, "channels", channel)
    return ["publish", "subscribe"].flatMap((verb): ReadonlyArray<Action> => {
      const located = on === null ? null : child(documents, on, verb)
      return located === null ? [] : [{ method: verb.toUpperCase(), channel, located, on }]
    })
  })
  const beside = entriesAt(root.value, "operations").flatMap(([name]): ReadonlyArray<Action> => {
    const located = child(documents, root, "operations", name)
    if (located === null) return []
    const on = channelOf(documents, located)
    const channel = stringAt(on?.value, "address") || (on?.path.at(-1) ?? name)
    return [{ method: stringAt(located.value, "action").toUpperCase(), channel, located, on }]
  })
  return [...inChannels, ...beside].slice(0, OPERATION_LIMIT)
}

/** How AsyncAPI's own tools write a reference that they have followed, as in the pages that they generate. */
const FOLLOWED = /^\$ref:\$\.channels\.(.{1,500})$/

const channelOf = (documents: Documents, operation: Located): Located | null => {
  const [, name] = FOLLOWED.exec(stringAt(operation.value, "channel")) ?? []
  return name === undefined
    ? child(documents, operation, "channel")
    : child(documents, rootOf(documents), "channels", name)
}

/** Each channel that is acted on, once. */
const channelsOf = (actions: ReadonlyArray<Action>): ReadonlyArray<Located> => [
  ...new Map(actions.flatMap(({ on }) => (on === null ? [] : [[on.value, on] as const]))).values()
]

const parameterFields = (documents: Documents, on: Located): ReadonlyArray<Field> =>
  entriesAt(on.value, "parameters").flatMap(([name]) => {
    const holder = child(documents, on, "parameters", name)
    if (holder === null) return []
    // From version 3 on a parameter is always a string, and has no schema.
    const schema = has(holder.value, "schema")
      ? { ...holder, value: objectAt(holder.value, "schema"), path: [...holder.path, "schema"] }
      : { ...holder, value: { type: "string", ...(isObject(holder.value) ? holder.value : {}) } }
    return [{ holder, schema }]
  })

/** Messages of one operation or channel that are looked at. */
const MESSAGES = 100

/**
 * Says of an action whether one of its messages shows an example: its own, else those of its channel; `null` if none can be resolved.
 * Actions may share all of that, so it is looked at once.
 */
const actionExamples = (documents: Documents): ((action: Action) => boolean | null) => {
  const shows = exampleFinder(documents)
  const shown = (messages: ReadonlyArray<Located | null>): boolean | null => {
    const resolved = messages.filter((message) => message !== null)
    return resolved.length === 0
      ? null
      : resolved.some((message) => {
          const payload = child(documents, message, "payload")
          return hasOwnExample(message.value) || (payload !== null && shows(payload))
        })
  }
  const shownByMessage = onceEach((message) =>
    shown(has(message.value, "oneOf") ? itemsAt(documents, message, "oneOf") : [message])
  )
  const shownByAction = onceEach((located) => {
    const message = child(documents, located, "message")
    return message === null ? shown(itemsAt(documents, located, "messages")) : shownByMessage(message)
  })
  const shownByChannel = onceEach((on) =>
    shown(
      entriesAt(on.value, "messages")
        .slice(0, MESSAGES)
        .map(([name]) => child(documents, on, "messages", name))
    )
  )
  return ({ located, on }) => shownByAction(located) ?? (on === null ? null : shownByChannel(on))
}

/** The first items of a list, references followed. */
const itemsAt = (documents: Documents, holder: Located, key: string): ReadonlyArray<Located | null> =>
  listAt(holder.value, key)
    .slice(0, MESSAGES)
    .map((_, index) => child(documents, holder, key, String(index)))

const serversOf = (documents: Documents): ReadonlyArray<SpecServer> =>
  entriesAt(documents.main.root, "servers")
    .slice(0, 50)
    .map(([, server]) => {
      const written = stringAt(server, "url") || hostAddress(server)
      const url = written.replace(
        /\{([^{}]{1,200})\}/g,
        (hole, name: string) => wordAt(member(objectAt(server, "variables"), name), "default") || hole
      )
      // Messages travel over web sockets as safely as over https.
      return {
        url: cutTo(url, 500),
        description: cutTo(stringAt(server, "description"), 200),
        usable: isUsable(url.replace(/^wss:/i, "https:"))
      }
    })

const hostAddress = (server: Json): string => {
  const host = stringAt(server, "host")
  return host === "" ? "" : `${stringAt(server, "protocol")}://${host}${stringAt(server, "pathname")}`
}

interface Visit {
  readonly comparer: ExampleComparer
  readonly schemas: SchemaVisitor
  readonly visited: Set<Json>
}

/** Examples of AsyncAPI 2 and 3: of messages in channels and components, and of schemas. */
const messageExamples = (documents: Documents): SpecExamples => {
  const comparer = exampleComparer(documents, "draft-07")
  const visit: Visit = { comparer, schemas: schemaVisitor(comparer), visited: new Set() }
  const main: Located = { value: documents.main.root, document: documents.main, path: [] }
  for (const [name] of entriesAt(main.value, "channels")) {
    const channel = child(documents, main, "channels", name)
    if (channel !== null) visitChannel(visit, channel, name)
  }
  visitMessages(visit, main, null, "components", "messages")
  visitNamed(visit.schemas, main, "components", "schemas")
  visit.schemas.rest()
  return comparer.result()
}

const visitChannel = (visit: Visit, channel: Located, name: string): void => {
  const { documents } = visit.comparer
  for (const [parameter] of entriesAt(channel.value, "parameters")) {
    const holder = child(documents, channel, "parameters", parameter)
    if (holder === null || !has(holder.value, "schema")) continue
    const context: PlaceContext = { ...SHARED, name: parameter, encoding: "text" }
    visit.schemas.visit(part(holder, member(holder.value, "schema"), "schema"), context)
  }
  for (const verb of ["publish", "subscribe"]) {
    const message = child(documents, channel, verb, "message")
    // Channels may share a message of many.
    if (message === null || visit.visited.has(message.value)) continue
    const operation = cutTo(`${verb.toUpperCase()} ${name}`, 200)
    visitMessage(visit, message, operation)
    listAt(message.value, "oneOf").forEach((_, index) =>
      visitMessage(visit, child(documents, message, "oneOf", String(index)), operation)
    )
  }
  visitMessages(visit, channel, null, "messages")
}

const visitMessages = (
  visit: Visit,
  holder: Located,
  operation: string | null,
  ...keys: ReadonlyArray<string>
): void => {
  const messages = keys.reduce<Json>((value, key) => objectAt(value, key), holder.value)
  for (const name of Object.keys(isObject(messages) ? messages : {})) {
    visitMessage(visit, child(visit.comparer.documents, holder, ...keys, name), operation)
  }
}

const visitMessage = (visit: Visit, message: Located | null, operation: string | null): void => {
  if (message === null || !isObject(message.value) || visit.visited.has(message.value)) return
  visit.visited.add(message.value)
  const contentType =
    stringAt(message.value, "contentType") || stringAt(visit.comparer.documents.main.root, "defaultContentType")
  const payload = schemaAt(message, "payload")
  // Traits may have more of the headers than the message has.
  const headers = has(message.value, "traits") ? null : schemaAt(message, "headers")
  const context: PlaceContext = { ...SHARED, operation }
  listAt(message.value, "examples").forEach((example, index) => {
    const shown = part(message, example, "examples", String(index))
    const encoding = encodingOf(contentType)
    if (payload !== null) compareMember(visit, shown, "payload", payload, { ...context, encoding })
    if (headers !== null) compareMember(visit, shown, "headers", headers, { ...context, encoding: "text" })
  })
  if (payload !== null) visit.schemas.visit(payload, context)
  if (headers !== null) visit.schemas.visit(headers, { ...context, encoding: "text" })
}

const compareMember = (visit: Visit, example: Located, key: string, schema: Located, context: PlaceContext): void => {
  const value = member(example.value, key)
  if (value === undefined) return
  // An object is shown as JSON, however it is sent.
  const encoding = context.encoding === "other" && isObject(value) ? "unstated" : context.encoding
  visit.comparer.compare({ ...context, encoding, kind: "example", ...part(example, value, key), schema })
}

/** Formats of schemas that are JSON Schema: AsyncAPI's own, and draft 7. */
const JSON_SCHEMA = /^application\/(?:vnd\.aai\.asyncapi|schema\+(?:json|yaml);version=draft-07)/

/** `null` where there is none, or one in another language. From version 3 on it may be wrapped to say so. */
const schemaAt = (message: Located, key: string): Located | null => {
  const value = member(message.value, key)
  if (value === undefined) return null
  const isWrapped = has(value, "schemaFormat") && has(value, "schema")
  const format = isWrapped ? stringAt(value, "schemaFormat") : stringAt(message.value, "schemaFormat")
  if (format !== "" && !JSON_SCHEMA.test(format)) return null
  const schema = part(message, value, key)
  return isWrapped ? part(schema, member(value, "schema"), "schema") : schema
}
