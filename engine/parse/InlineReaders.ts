import { createHash } from "node:crypto"
import type { SpecInput } from "../apispec/ApiSpec.ts"
import { readSpec } from "../apispec/read/ReadSpec.ts"
import { convertPage } from "../page/conversion/ConvertPage.ts"
import type { Page, PageInput } from "../page/Page.ts"
import { readWithTree } from "../page/read/ReadPage.ts"
import { withoutBody } from "./PageTask.ts"

export { readAsAgent } from "../page/conversion/AgentReading.ts"
export { readPlaces } from "../apispec/read/ReadPlaces.ts"

/** Maximum number of readings that are kept, and of bytes that one was made of: larger inputs are read each time. */
const KEPT = 300
const MOST_BYTES = 500_000

/** What tells one input from another: its bytes, and the rest of it as JSON. */
interface ReadingKey {
  readonly bytes: ReadonlyArray<Uint8Array>
  readonly rest: unknown
}

/**
 * A reading that depends on its input alone, kept by what was read. Tests audit the same sites again and again: the 76
 * mutated ones take 25 s of processor time instead of 37.
 */
const remembered = <Input, Output>(
  keyOf: (input: Input) => ReadingKey,
  read: (input: Input) => Output
): ((input: Input) => Output) => {
  const known = new Map<string, Output>()
  return (input) => {
    const { bytes, rest } = keyOf(input)
    if (bytes.reduce((sum, { byteLength }) => sum + byteLength, 0) > MOST_BYTES) return read(input)
    const hash = createHash("sha1").update(JSON.stringify([bytes.map(({ byteLength }) => byteLength), rest]))
    for (const one of bytes) hash.update(one)
    const key = hash.digest("base64")
    const before = known.get(key)
    if (before !== undefined) return before
    const output = read(input)
    const [oldest] = known.keys()
    if (known.size === KEPT && oldest !== undefined) known.delete(oldest)
    known.set(key, output)
    return output
  }
}

const pageKey = ({ answer: { body, ...rest } }: PageInput): ReadingKey => ({ bytes: [body], rest })

const descriptionKey = ({ document, examples = [], others, ...rest }: SpecInput): ReadingKey => {
  const files = [document, ...others, ...examples]
  return {
    bytes: files.map(({ bytes }) => bytes),
    rest: [rest, others.length, files.map(({ cut, mediaType, url }) => [cut, mediaType, url])]
  }
}

export const readPage: (input: PageInput) => Page = remembered(pageKey, (input) => readWithTree(input).page)

export const readOutline = remembered(pageKey, (input) => withoutBody(readWithTree(input, "opening").page))

export const readPageAndMarkdown = remembered(pageKey, (input) => {
  const { page, tree } = readWithTree(input, "linked")
  return { page: withoutBody(page), conversion: convertPage(page, tree) }
})

export const readDescription = remembered(descriptionKey, readSpec)
