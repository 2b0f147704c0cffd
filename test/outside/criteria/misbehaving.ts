import * as Effect from "effect/Effect"
import { between, define } from "../../../engine/criterion/entry.ts"
import { COUNTING, counting } from "./counting.ts"

export const throws = counting("throws", () =>
  Effect.sync(() => {
    throw new Error("the author forgot a case")
  })
)

/** Reads what it got as JSON, which it is not. */
export const parses = counting("parses", () => Effect.sync((): number => JSON.parse("<p>")))

/** Never gives the thread back: only ending the thread ends it. */
export const loops = counting("loops", () =>
  Effect.sync(() => {
    for (;;) Math.sqrt(2)
  })
)

export const exits = counting("exits", () => Effect.sync(() => process.exit(7)))

export const lies = counting("lies", () => Effect.succeed(-1.5))

const unsure = (id: string, least: number, most: number) =>
  define({
    ...COUNTING,
    id,
    measure: ({ base: { exchange } }) =>
      Effect.succeed({
        facts: { found: 0 },
        uncertain: { found: between(least, most) },
        unanswered: [exchange],
        findings: [{ good: false, message: "Nothing found so far.", proof: exchange }] as const
      })
  })

/** Does as it should: it says what its fact may be. */
export const hesitates = unsure("hesitates", 0, 1)

/** Has got a fact, and says so. */
export const renewed = define({ ...unsure("renewed", 0, 0), revision: "2.1" })

/** Says so in a number, of which the tenth would be the first. */
export const fractional = define({ ...unsure("fractional", 0, 0), revision: 2.1 })

/** Says that a count may be less than nothing. */
export const exaggerates = unsure("exaggerates", -3, 1)

/** Cites an exchange that never was. */
export const invents = define({
  ...COUNTING,
  id: "invents",
  measure: ({ base: { exchange } }) =>
    Effect.succeed({
      facts: { found: 1 },
      findings: [
        {
          good: true,
          message: "Found.",
          proof: {
            ...exchange,
            asked: { ...exchange.asked, url: `${exchange.url}made-up` },
            url: `${exchange.url}made-up`
          }
        }
      ] as const
    })
})

export const fetches = counting("fetches", () =>
  Effect.promise(() => fetch("http://127.0.0.1:9/").then(({ status }) => status))
)

export const loadsFiles = counting("loadsFiles", () =>
  Effect.sync(() => process.getBuiltinModule("node:fs").readdirSync("/").length)
)

export const readsEnvironment = counting("readsEnvironment", () => Effect.sync(() => Object.keys(process.env).length))
