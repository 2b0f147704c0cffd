import { defaultLimits } from "../../../engine/evidence/FetchLimits.ts"
import type { SpecFile } from "../../../engine/apispec/ApiSpec.ts"
import { readSpec } from "../../../engine/apispec/read/ReadSpec.ts"
import { scanJson } from "../../../engine/apispec/text/ReadDocument.ts"
import { parseObject } from "../../../plugins/f-agent-surface/WellKnownJson.ts"
import { type FuzzTarget, holds, textOf } from "../Target.ts"

const DOCUMENT = "https://docs.example.com/openapi.json"

const fileOf = (bytes: Uint8Array, url: string): SpecFile => ({ url, mediaType: "", bytes, cut: false })

/** The text as a description, and once more as the file that its references lead to. */
const description = async (bytes: Uint8Array): Promise<void> => {
  const other = fileOf(bytes, "https://docs.example.com/other.json")
  const read = await readSpec({ document: fileOf(bytes, DOCUMENT), others: [other], absent: [], limits: defaultLimits })
  structuredClone(read)
  holds("reading it does not fail", read._tag === "ApiDescription" || read.reason !== "crashed")
}

/** Parsers of API descriptions and other JSON. */
export const descriptionTargets: ReadonlyArray<FuzzTarget> = [
  { name: "description, JSON", kinds: ["json"], read: description },
  { name: "description, YAML", kinds: ["yaml"], read: description },
  { name: "description, GraphQL", kinds: ["graphql"], read: description },
  {
    name: "JSON scan",
    kinds: ["json"],
    read: (bytes) => {
      const text = textOf(bytes)
      const { depth } = scanJson(text, 250)
      holds("what JSON.parse accepts is measured as deep as it is", depth > 250 || depthMatches(text, depth))
    }
  },
  {
    name: "JSON document",
    kinds: ["json"],
    read: (bytes) => {
      parseObject(textOf(bytes))
    }
  }
]

/** The scan may only count deeper than the value is: keys that come twice hide what was below the first. */
const depthMatches = (text: string, depth: number): boolean => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return true
  }
  let [level, found]: [ReadonlyArray<unknown>, number] = [[value], 0]
  for (;;) {
    level = level.filter((one): one is object => typeof one === "object" && one !== null)
    if (level.length === 0) return found <= depth
    found += 1
    level = level.flatMap((one) => Object.values(one ?? {}))
  }
}
