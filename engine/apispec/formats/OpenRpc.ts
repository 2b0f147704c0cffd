import { noContract } from "../Contract.ts"
import type { ApiDescription, SpecElement } from "../ApiSpec.ts"
import { headingOf, indexOf, type Recognised, summaryOf } from "./Description.ts"
import { child, type Documents, type Located } from "../text/Documents.ts"
import { rpcExamples } from "../examples/RpcExamples.ts"
import { noElements } from "../quality/Elements.ts"
import { cutTo, listAt, objectAt, stringAt } from "../text/Json.ts"
import { OPERATION_LIMIT, partsOfAll } from "../quality/SpecOperations.ts"
import { describedFields, fieldQuality, portion } from "../quality/Quality.ts"
import { exampleFinder, type Field, propertiesOf } from "../quality/Schemas.ts"
import { serversOf } from "../quality/Servers.ts"
import { checkStructure } from "../validity/Structure.ts"
import { documentValidity } from "../validity/Validity.ts"

/** A description of JSON-RPC methods. */
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
      operationTexts: methods.map(({ value }) =>
        Math.max(stringAt(value, "summary").length, stringAt(value, "description").length)
      ),
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
