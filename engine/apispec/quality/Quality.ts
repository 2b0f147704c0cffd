import type { Portion, SpecQuality } from "../ApiSpec.ts"
import { child, type Documents, type Located, onceEach } from "../text/Documents.ts"
import { readingLength } from "../../text/languages/Language.ts"
import { cutTo, entriesAt, has, isList, isObject, type Json, listAt, member, objectAt, stringAt } from "../text/Json.ts"
import { parameterSchema } from "./Elements.ts"
import {
  constraintFinder,
  descriptionFinder,
  type ExampleFinder,
  exampleFinder,
  type Field,
  hasOwnExample,
  isTyped,
  propertiesOf
} from "./Schemas.ts"
import {
  type HttpOperation,
  isClientError,
  isSuccessStatus,
  type MediaType,
  mediaTypesOf,
  requestBodyOf
} from "./SpecOperations.ts"
import { wordSet } from "../../text/LettersApart.ts"

/** Longer texts than this are not told apart. */
const TEXT_LIMIT = 10_000

/** The counts of C3 to C5 for a description of HTTP operations. Parameters count once for each operation that has them. */
export const qualityOf = (documents: Documents, operations: ReadonlyArray<HttpOperation>): SpecQuality => {
  const parameters = operations.flatMap((operation) => parameterFields(documents, operation))
  const properties = propertiesOf(documents)
  const shows = exampleFinder(documents)
  const shownInBody = onceEach((body) => shownIn(documents, body, shows))
  return {
    operationTexts: operations.map(({ located }) => textLength(located.value)),
    describedParameters: describedFields(documents, parameters),
    describedProperties: describedFields(documents, properties),
    exampleOperations: portion(operations.map((operation) => exemplifies(documents, operation, shownInBody))),
    ...fieldQuality(documents, [...parameters, ...properties]),
    errorOperations: portion(operations.map((operation) => describesErrors(documents, operation))),
    helpfulErrors: helpfulErrors(documents, operations)
  }
}

/** A parameter is described by its own words or by those of its schema. */
export const describedFields = (documents: Documents, fields: ReadonlyArray<Field>): Portion => {
  const isDescribed = descriptionFinder(documents)
  return portion(fields.map(({ holder, schema }) => isDescribed(holder) || (schema !== holder && isDescribed(schema))))
}

export const fieldQuality = (
  documents: Documents,
  fields: ReadonlyArray<Field>
): Pick<SpecQuality, "typedFields" | "constrainedFields"> => {
  const constrains = constraintFinder(documents)
  return {
    typedFields: portion(fields.map(({ schema }) => isTyped(schema.value))),
    constrainedFields: portion(fields.map(({ schema }) => constrains(schema)))
  }
}

/** `null` counts in neither. */
export const portion = (verdicts: ReadonlyArray<boolean | null>): Portion => ({
  part: verdicts.filter((verdict) => verdict === true).length,
  whole: verdicts.filter((verdict) => verdict !== null).length
})

/** How much the longer of an operation's summary and description says, by `readingLength`. */
export const textLength = (operation: Json): number =>
  Math.max(...["summary", "description"].map((key) => readingLength(cutTo(stringAt(operation, key), TEXT_LIMIT))))

/** All but Swagger 2's `in: body`, which is the request's body. */
const parameterFields = (documents: Documents, operation: HttpOperation): ReadonlyArray<Field> =>
  operation.parameters.flatMap((parameter, index) =>
    stringAt(parameter.value, "in") === "body"
      ? []
      : [{ holder: operation.writtenParameters[index] ?? parameter, schema: parameterSchema(documents, parameter) }]
  )

/** `null` where there is nothing to show: neither the request nor a success answer has a body of known content other than bytes. */
const exemplifies = (
  documents: Documents,
  operation: HttpOperation,
  shownInBody: (body: Located) => boolean | null
): boolean | null => {
  const body = requestBodyOf(documents, operation)
  const request = body === null ? null : shownInBody(body)
  const answers = operation.responses
    .filter(({ status }) => isSuccessStatus(status))
    .map(({ located }) => shownInBody(located))
    .filter((verdict) => verdict !== null)
  const answer = answers.length === 0 ? null : answers.some(Boolean)
  return request === null && answer === null ? null : request !== false && answer !== false
}

/** Bytes that no example can show. */
const isBinary = ({ name }: MediaType): boolean =>
  /^(?:image|audio|video|font)\/(?!svg)|^application\/(?:octet-stream|pdf|zip|gzip|x-gzip|x-tar|vnd\.openxmlformats)/.test(
    name
  )

const shownIn = (documents: Documents, holder: Located, shows: ExampleFinder): boolean | null => {
  if (has(holder.value, "content")) {
    const verdicts = mediaTypesOf(documents, holder)
      .filter((media) => !isBinary(media) && hasContent(media.located))
      .map(({ located }) => showsExample(documents, located, shows))
    return verdicts.length === 0 ? null : verdicts.some(Boolean)
  }
  return hasContent(holder) ? showsExample(documents, holder, shows) : null
}

/** A schema or an example: a body of which neither is given has no content to exemplify. */
const hasContent = ({ value }: Located): boolean =>
  ["schema", "itemSchema"].some((key) => has(value, key)) || hasOwnExample(value)

const showsExample = (documents: Documents, holder: Located, shows: ExampleFinder): boolean => {
  if (hasOwnExample(holder.value)) return true
  return ["schema", "itemSchema"].some((key) => {
    const schema = child(documents, holder, key)
    return schema !== null && shows(schema)
  })
}

/** A 4xx or default answer with a schema. */
const describesErrors = (documents: Documents, operation: HttpOperation): boolean =>
  operation.responses.some(
    ({ status, located }) =>
      isClientError(status) &&
      (has(located.value, "schema") ||
        mediaTypesOf(documents, located).some((media) =>
          ["schema", "itemSchema"].some((key) => has(media.located.value, key))
        ))
  )

/** Objects in objects that are looked into: `{ error: { details: [{ field }] } }` has three. */
const NESTING = 5

/** Alternatives, parts and fields of one schema that are looked at. */
const BREADTH = 60

/** Schemas of one description that are looked into; answers beyond them count as no help. */
const SCHEMAS = 100_000

/** Operations of which an error answer has a body that helps a caller, by its schema or an example. */
const helpfulErrors = (documents: Documents, operations: ReadonlyArray<HttpOperation>): Portion => {
  const namesOf = schemaNames(documents)
  const helps = onceEach((response) =>
    [response, ...mediaTypesOf(documents, response).map(({ located }) => located)].some(
      (holder) =>
        helpsCallers(namesOf(holder)) || examplesAt(holder.value).some((example) => helpsCallers(namesIn(example)))
    )
  )
  return {
    part: operations.filter(({ responses }) =>
      responses.some(({ located, status }) => isClientError(status) && helps(located))
    ).length,
    whole: operations.length
  }
}

/** Finds the names of the fields that the schema of an answer has, at all levels that are looked into. */
const schemaNames = (documents: Documents): ((holder: Located) => ReadonlySet<string>) => {
  let left = SCHEMAS

  const add = (names: Set<string>, nesting: number, from: Located, ...keys: ReadonlyArray<string>): void => {
    if (nesting === 0 || left <= 0) return
    left--
    const schema = child(documents, from, ...keys)
    if (schema === null) return
    for (const name of Object.keys(objectAt(schema.value, "properties")).slice(0, BREADTH)) {
      names.add(name)
      add(names, nesting - 1, schema, "properties", name)
    }
    if (has(schema.value, "items")) add(names, nesting - 1, schema, "items")
    for (const keyword of COMBINED)
      for (const index of listAt(schema.value, keyword).slice(0, BREADTH).keys())
        add(names, nesting - 1, schema, keyword, String(index))
  }

  return (holder) => {
    const names = new Set<string>()
    if (has(holder.value, "schema")) add(names, NESTING, holder, "schema")
    return names
  }
}

const COMBINED = ["allOf", "oneOf", "anyOf"]

/** Of a media type, of an answer by media type (OpenAPI 2), or of its schema. */
const examplesAt = (holder: Json): ReadonlyArray<Json> => [
  member(holder, "example") ?? null,
  ...entriesAt(holder, "examples").map(([, example]) => member(example, "value") ?? example),
  member(objectAt(holder, "schema"), "example") ?? null
]

/** Names of the fields of an example, at all levels that are looked into. */
const namesIn = (example: Json): ReadonlySet<string> => {
  const names = new Set<string>()
  let level: ReadonlyArray<Json> = [example]
  for (let depth = 0; depth < NESTING; depth++) {
    for (const value of level) if (isObject(value)) for (const name of Object.keys(value)) names.add(name)
    level = level
      .flatMap((value) => (isList(value) ? value : isObject(value) ? Object.values(value) : []))
      .slice(0, BREADTH)
  }
  return names
}

/** Fields of an error's body that hold a text for its reader. */
const MESSAGES = wordSet(
  "message messages msg errormessage errormsg errordescription description detail details title text mensaje mensagem descricao descripcion nachricht meldung fehlermeldung сообщение описание"
)

/** Fields that say which part of the call is wrong, why, or what to do. A code and a status alone do not. */
const HELPS = wordSet(
  "field fieldname attr attribute fielderrors fieldviolations param params parameter parametername invalidparams pointer jsonpointer loc violations validationerrors reason reasons cause hint hints help helpurl suggestion suggestions suggestedaction suggestedfix resolution remedy remediation solution advice allowedvalues howtofix docurl docsurl documentationurl documentationlink moreinfo infourl retryable isretryable retryafter campo campos parametro razao motivo feld grund champ motif"
)

/** `error_description`, `errorDescription` and `error-description` are one. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_ ]/g, "")

/** The body of an error with these fields has a message, and says what is wrong with the call, why, or what to do. */
export const helpsCallers = (names: Iterable<string>): boolean => {
  const all = new Set([...names].map(plain))
  return !all.isDisjointFrom(MESSAGES) && !all.isDisjointFrom(HELPS)
}
