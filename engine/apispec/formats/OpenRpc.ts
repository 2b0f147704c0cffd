import type { ApiDescription, SpecElement, SpecExamples } from "../ApiSpec.ts"
import { noContract } from "../Contract.ts"
import { exampleComparer, type PlaceContext, schemaVisitor, SHARED, visitNamed } from "../examples/SpecExamples.ts"
import { type Direction, part } from "../examples/ValueVerdict.ts"
import { noElements } from "../quality/Elements.ts"
import { describedFields, fieldQuality, portion, textLength } from "../quality/Quality.ts"
import { exampleFinder, type Field, propertiesOf } from "../quality/Schemas.ts"
import { serversOf } from "../quality/Access.ts"
import { OPERATION_LIMIT, partsOfAll } from "../quality/SpecOperations.ts"
import { child, type Documents, type Located } from "../text/Documents.ts"
import { cutTo, has, listAt, member, objectAt, stringAt } from "../text/Json.ts"
import { checkStructure } from "../validity/Structure.ts"
import { documentValidity } from "../validity/Validity.ts"
import { headingOf, indexOf, type Recognised, summaryOf } from "./Description.ts"

export const describeRpc = async (recognised: Recognised): Promise<ApiDescription> => {
  const { documents, mark } = recognised
  const root: Located = { value: documents.main.root, document: documents.main, path: [] }
  const methods = childrenOf(documents, root, "methods").slice(0, OPERATION_LIMIT)
  const parameters = partsOfAll(methods, (method) => childrenOf(documents, method, "params"))
  const fields = parameters.map(fieldOf)
  const properties = propertiesOf(documents)
  const shows = exampleFinder(documents)
  const showsResult = (method: Located): boolean => {
    const result = child(documents, method, "result", "schema")
    return listAt(method.value, "examples").length > 0 || (result !== null && shows(result))
  }
  return {
    ...headingOf(recognised),
    ...indexOf(
      methods.map(({ value }) => ({
        method: "CALL",
        path: cutTo(stringAt(value, "name"), 500),
        id: cutTo(stringAt(value, "name"), 200),
        summary: summaryOf(value)
      }))
    ),
    servers: serversOf(documents),
    security: {
      schemes: [],
      securedOperations: 0,
      undeclaredOperations: 0,
      saidToBeNone: false,
      refusingOperations: 0
    },
    elements: { ...noElements, parameters: namesOf(parameters) },
    validity: documentValidity(documents, await checkStructure(documents.main.root, mark)),
    quality: {
      operationTexts: methods.map(({ value }) => textLength(value)),
      describedParameters: describedFields(documents, fields),
      describedProperties: describedFields(documents, properties),
      exampleOperations: portion(methods.map(showsResult)),
      ...fieldQuality(documents, [...fields, ...properties]),
      errorOperations: portion(methods.map(({ value }) => listAt(value, "errors").length > 0)),
      helpfulErrors: portion(methods.map(() => false))
    },
    examples: rpcExamples(documents, methods),
    contract: noContract,
    sampleApi: null
  }
}

const childrenOf = (documents: Documents, parent: Located, key: string): ReadonlyArray<Located> =>
  listAt(parent.value, key).flatMap((_, index) => child(documents, parent, key, String(index)) ?? [])

const fieldOf = (holder: Located): Field => ({
  holder,
  schema: { ...holder, value: objectAt(holder.value, "schema"), path: [...holder.path, "schema"] }
})

const namesOf = (parameters: ReadonlyArray<Located>): ReadonlyArray<SpecElement> => {
  const counts = new Map<string, SpecElement>()
  for (const { value } of parameters) {
    const name = cutTo(stringAt(value, "name"), 200)
    const known = counts.get(name)
    counts.set(name, {
      name,
      description: known?.description || cutTo(stringAt(value, "description"), 300),
      operations: (known?.operations ?? 0) + 1
    })
  }
  return [...counts.values()]
    .filter(({ name }) => name !== "")
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .slice(0, 500)
}

/** Examples of OpenRPC: of methods, whose example of a parameter is the one of its name, and of schemas. */
const rpcExamples = (documents: Documents, methods: ReadonlyArray<Located>): SpecExamples => {
  const comparer = exampleComparer(documents, "draft-07")
  const schemas = schemaVisitor(comparer)

  const compare = (example: Located, descriptor: Located, direction: Direction, operation: string): void => {
    const [value, schema] = [member(example.value, "value"), member(descriptor.value, "schema")]
    if (value === undefined) return comparer.leaveOut()
    if (schema === undefined) return
    const context: PlaceContext = {
      ...SHARED,
      name: stringAt(descriptor.value, "name"),
      operation,
      direction,
      encoding: "json"
    }
    comparer.compare({
      ...context,
      kind: "example",
      ...part(example, value, "value"),
      schema: part(descriptor, schema, "schema")
    })
  }

  // Entries may refer to one method: with its parts, thousands would be millions.
  const distinct = new Map(methods.map((method) => [method.value, method]))
  for (const method of distinct.values()) {
    const operation = cutTo(`CALL ${stringAt(method.value, "name")}`, 200)
    const parameters = childrenOf(documents, method, "params")
    const byName = new Map(parameters.map((parameter) => [stringAt(parameter.value, "name"), parameter]))
    const result = child(documents, method, "result")
    for (const pairing of childrenOf(documents, method, "examples")) {
      for (const example of childrenOf(documents, pairing, "params")) {
        const parameter = byName.get(stringAt(example.value, "name"))
        if (parameter === undefined) comparer.leaveOut()
        else compare(example, parameter, "request", operation)
      }
      const answer = child(documents, pairing, "result")
      if (answer !== null && result !== null) compare(answer, result, "answer", operation)
    }
    for (const descriptor of [...parameters, ...(result === null ? [] : [result])]) {
      if (!has(descriptor.value, "schema")) continue
      const name = stringAt(descriptor.value, "name")
      schemas.visit(part(descriptor, member(descriptor.value, "schema"), "schema"), { ...SHARED, name, operation })
    }
  }
  visitNamed(schemas, { value: documents.main.root, document: documents.main, path: [] }, "components", "schemas")
  schemas.rest()
  return comparer.result()
}
