import type { FalseExample, FoundSpec } from "../../apispec/ApiSpec.ts"
import { plainText } from "../../text/PlainText.ts"
import { type Compared, findingText } from "./Compared.ts"

/** Examples and defaults of the description that their own schemas refuse. */
export const exampleDrift = ({ exchange, spec }: Pick<FoundSpec, "exchange" | "spec">): Compared => {
  const { compared, false: wrong, found, notCompared } = spec.examples
  return {
    counts: { compared, agreeing: compared - wrong, false: wrong, notCompared },
    findings: found.map((example) => ({
      proof: exchange,
      finding: {
        kind: "example",
        reason: "schema",
        message: exampleSentence(example),
        page: null,
        description: { url: spec.url, pointer: findingText(example.at.replace(/^#/, "")) },
        found: plainText(example.value, 200),
        expected: plainText(example.wants, 200)
      }
    }))
  }
}

const NAMES = { example: "example", default: "default", const: "constant" } as const

/** The place, what it says and what its schema wants, in one sentence. */
export const exampleSentence = ({ at, found, kind, operation, reason, wants }: FalseExample): string => {
  const place = `${NAMES[kind]}${operation === null ? "" : ` of ${plainText(operation, 80)}`} at ${plainText(at, 160)}`
  const wanted = reason === "required" ? "which its schema requires" : `and its schema wants ${plainText(wants, 160)}`
  return findingText(`The ${place} ${plainText(found, 200)}, ${wanted}.`)
}
