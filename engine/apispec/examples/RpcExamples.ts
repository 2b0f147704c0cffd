import type { SpecExamples } from "../ApiSpec.ts"
import { child, type Documents, type Located } from "../text/Documents.ts"
import { cutTo, has, listAt, member, stringAt } from "../text/Json.ts"
import type { PlaceContext } from "./ExamplePlace.ts"
import { schemaVisitor, SHARED, visitNamed } from "./SchemaExamples.ts"
import { exampleComparer } from "./SpecExamples.ts"
import { type Direction, part } from "./ValueVerdict.ts"

/** Examples of OpenRPC: of methods, whose example of a parameter is the one of its name, and of schemas. */
export const rpcExamples = (documents: Documents, methods: ReadonlyArray<Located>): SpecExamples => {
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

const childrenOf = (documents: Documents, parent: Located, key: string): ReadonlyArray<Located> =>
  listAt(parent.value, key).flatMap((_, index) => child(documents, parent, key, String(index)) ?? [])
