import { Ajv2020 } from "ajv/dist/2020.js"
import { isJsonObject, type JsonObject } from "../../../engine/text/JsonText.ts"

/** Examples of an OpenAPI document that its own schemas refuse, a line each. */
export const invalidExamples = (document: JsonObject): ReadonlyArray<string> => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: "https://document/", components: document["components"] })

  const refused = (schema: JsonObject, examples: ReadonlyArray<unknown>, path: string): ReadonlyArray<string> => {
    if (examples.length === 0) return []
    const { $id: _, ...own } = JSON.parse(
      JSON.stringify(schema).replaceAll('"#/components/', '"https://document/#/components/')
    ) as JsonObject
    const validate = ajv.compile(own)
    return examples
      .filter((example) => !validate(JSON.parse(JSON.stringify(example))))
      .map((example) => `${path}: ${JSON.stringify(example)}`)
  }

  const within = (value: unknown, path: string): ReadonlyArray<string> => {
    if (Array.isArray(value)) return value.flatMap((item, index) => within(item, `${path}/${index}`))
    if (!isJsonObject(value)) return []
    const own = "example" in value ? [value["example"]] : []
    const listed = Array.isArray(value["examples"]) ? value["examples"] : []
    const schema = isJsonObject(value["schema"]) ? value["schema"] : "type" in value ? value : null
    return [
      ...(schema === null ? [] : refused(schema, [...own, ...listed], path)),
      ...Object.entries(value).flatMap(([key, member]) =>
        key === "example" || key === "examples" ? [] : within(member, `${path}/${key}`)
      )
    ]
  }
  return within(document["paths"], "")
}
