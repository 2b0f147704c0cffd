import type { Portion, SpecQuality } from "../ApiSpec.ts"
import { helpfulErrors } from "./ErrorBodies.ts"
import { parameterSchema } from "./ParameterSchema.ts"
import { child, type Documents, type Located, onceEach } from "../text/Documents.ts"
import { cutTo, has, stringAt } from "../text/Json.ts"
import {
  mediaTypesOf,
  isClientError,
  isSuccessStatus,
  type MediaType,
  type HttpOperation,
  requestBodyOf
} from "./SpecOperations.ts"
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

/** Longer texts than this are not told apart. */
const TEXT_LIMIT = 10_000

/** The counts of C3 to C5 for a description of HTTP operations. Parameters count once for each operation that has them. */
export const qualityOf = (documents: Documents, operations: ReadonlyArray<HttpOperation>): SpecQuality => {
  const parameters = operations.flatMap((operation) => parameterFields(documents, operation))
  const properties = propertiesOf(documents)
  const shows = exampleFinder(documents)
  const shownInBody = onceEach((body) => shownIn(documents, body, shows))
  return {
    operationTexts: operations.map(textLength),
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

const textLength = ({ located }: HttpOperation): number =>
  Math.max(...["summary", "description"].map((key) => cutTo(stringAt(located.value, key), TEXT_LIMIT).length))

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
