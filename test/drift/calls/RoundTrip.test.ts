import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { callsIn } from "../../../engine/drift/calls/CallsIn.ts"
import {
  hasPlaceholder,
  type SentBody,
  type SentFields,
  type SentValue,
  type ShownCall
} from "../../../engine/drift/ShownCall.ts"
import { blockOf, PRINTERS } from "./Printers.ts"

const chosen = (characters: string, minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc
    .array(fc.constantFrom(...characters.split("")), { minLength, maxLength })
    .map((found) => found.join(""))
    .filter((text) => !hasPlaceholder(text))

const word = chosen("abcdefghij0123456789_", 1, 8).map((text) => `n${text}`)

/** Texts with what shells and languages escape; HTTPie reads `name==` as a query, whatever was meant. */
const text = chosen("abcXYZ 0189-_.:/=&+'\"\\#é日\n", 0, 12).filter((value) => !value.startsWith("="))

/** Of a header: one line, without white space around, and without the sign before it that means JSON to HTTPie. */
const line = chosen("abcXYZ 0189-_.:/=+'\"\\#", 1, 12)
  .map((value) => value.trim())
  .filter((value) => /^[^=]/.test(value) && !hasPlaceholder(value))

const known = (value: string | number | boolean | null): SentValue => ({ _tag: "Known", value })

const fieldsOf = (value: fc.Arbitrary<SentValue>, least = 0): fc.Arbitrary<SentFields> =>
  fc
    .uniqueArray(fc.record({ name: word, value }), { selector: ({ name }) => name, minLength: least, maxLength: 3 })
    .map((fields) => ({ fields, open: false }))

const { json } = fc.letrec<{ json: SentValue }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    text.map(known),
    fc.integer({ min: -9_999, max: 9_999 }).map(known),
    fc.integer({ min: 1, max: 999 }).map((number) => known(number + 0.5)),
    fc.constantFrom(true, false, null).map(known),
    fc.array(tie("json"), { maxLength: 3 }).map((items): SentValue => ({ _tag: "List", items, open: false })),
    fieldsOf(tie("json"), 1).map((sent): SentValue => ({ _tag: "Object", sent }))
  )
}))

const body: fc.Arbitrary<SentBody> = fc.oneof(
  fc.constant<SentBody>({ _tag: "None" }),
  fieldsOf(json, 1).map((sent): SentBody => ({ _tag: "Json", value: { _tag: "Object", sent } })),
  fieldsOf(text.map(known), 1).map((sent): SentBody => ({ _tag: "Form", sent }))
)

const address = fc
  .array(fc.oneof(word, fc.constantFrom("{id}", "{order_id}")), { minLength: 1, maxLength: 4 })
  .map((segments) => `https://api.acme.dev/${segments.join("/")}`)

const call: fc.Arbitrary<Omit<ShownCall, "client" | "line">> = fc.record({
  method: fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE"),
  address,
  query: fieldsOf(text.map(known)),
  headers: fieldsOf(line.map(known)).map(({ fields, open }) => ({
    fields: fields.map(({ name, value }) => ({ name: `X-${name.replaceAll("_", "-")}`, value })),
    open
  })),
  body
})

describe("a call that is printed as a client is written", () => {
  it.each(PRINTERS)("for $client and parsed is the same call", (printer) => {
    fc.assert(
      fc.property(call, fc.boolean(), (random, isTagged) => {
        const printed: ShownCall = { ...random, client: printer.client, line: 0 }
        const found = callsIn(blockOf(printer, printed, isTagged)).map((one) => ({ ...one, line: 0 }))
        expect(found).toEqual([printed])
      }),
      { numRuns: 300 }
    )
  })
})
