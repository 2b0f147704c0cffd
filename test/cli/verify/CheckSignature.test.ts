import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { checkSignature, readSignedFile } from "../../../cli/verify/CheckSignature.ts"
import { KEY, signedRun } from "./SignedRun.ts"

const folder = mkdtempSync(join(tmpdir(), "docgauge-check-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const FILE = join(folder, "run.json")
const RUN = await signedRun()

const keysOf = () => Effect.succeed({ keys: [KEY.published], source: "of the test" })

/** The members that a valid text has beside those that are signed; `null` if it is not valid. */
const unsignedIn = async (text: string | Uint8Array): Promise<ReadonlyArray<string> | null> => {
  writeFileSync(FILE, text)
  const checked = await Effect.runPromise(
    Effect.result(
      Effect.flatMap(readSignedFile(FILE), (file) => checkSignature(file, { given: null, issuer: null, keysOf }))
    )
  )
  return Result.isSuccess(checked) ? checked.success.unsigned : null
}

/** The value of a JSON text; `undefined` for other bytes. */
const valueOf = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

/** The paths to everything in a value that is no object and no list. */
const leavesOf = (value: unknown, path: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name]))
    : [path]

/** The same value, but for what is at that path. */
const replacedAt = (value: unknown, [name, ...path]: ReadonlyArray<string>, leaf: unknown): unknown => {
  if (name === undefined) return leaf
  const entries = Object.entries(value as object).map(([key, member]) => [
    key,
    key === name ? replacedAt(member, path, leaf) : member
  ])
  return Array.isArray(value) ? entries.map(([, member]) => member as unknown) : Object.fromEntries(entries)
}

describe("a signed run", () => {
  const bytes = Buffer.from(JSON.stringify(RUN))

  it("is valid as it is", async () => {
    expect(await unsignedIn(bytes)).toEqual([])
  })

  it("is not valid with any other byte, unless that means the same", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: bytes.length - 1 }),
        fc.integer({ min: 0, max: 255 }),
        async (at, byte) => {
          const changed = Buffer.from(bytes)
          changed[at] = byte
          const valid = await unsignedIn(changed)
          if (valid !== null) expect([valueOf(changed), valid]).toEqual([RUN, []])
        }
      ),
      { numRuns: 400 }
    )
  })

  it("is not valid with another value anywhere", async () => {
    const leaves = leavesOf(RUN)
    expect(leaves.length).toBeGreaterThan(60)
    const others = fc.oneof(fc.jsonValue(), fc.constantFrom(78, 0, "", true, "done"))
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...leaves), others, async (path, leaf) => {
        const changed = replacedAt(RUN, path, JSON.parse(JSON.stringify(leaf)))
        const isSame = JSON.stringify(changed) === JSON.stringify(RUN)
        expect([path, await unsignedIn(JSON.stringify(changed))]).toEqual([path, isSame ? [] : null])
      }),
      { numRuns: 300 }
    )
  })

  it("is not valid without one of its members", async () => {
    for (const name of Object.keys(RUN)) {
      const rest = Object.fromEntries(Object.entries(RUN).filter(([key]) => key !== name))
      expect([name, await unsignedIn(JSON.stringify(rest))]).toEqual([name, null])
    }
  })
})
