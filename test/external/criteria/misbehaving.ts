import * as Effect from "effect/Effect"
import { between, define, isAnswer, NO_REQUESTS } from "../../../engine/plugin/entry.ts"
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

/** Names a page where an exchange is wanted, as code without types may. */
export const unproved = define({
  ...COUNTING,
  id: "unproved",
  measure: ({ base: { exchange, page } }) =>
    Effect.succeed({
      facts: { found: 1 },
      findings: [Object.assign({ good: true, message: "Found.", proof: exchange }, { proof: page?.title })] as const
    })
})

export const fetches = counting("fetches", () =>
  Effect.promise(() => fetch("http://127.0.0.1:9/").then(({ status }) => status))
)

export const loadsFiles = counting("loadsFiles", () =>
  Effect.sync(() => process.getBuiltinModule("node:fs").readdirSync("/").length)
)

export const readsEnvironment = counting("readsEnvironment", () => Effect.sync(() => Object.keys(process.env).length))

/** Awaits nothing, as an author who forgets does. */
export const promises = counting("promises", () => Effect.sync((): number => JSON.parse("1", () => Promise.resolve(1))))

/** Says how many requests it needs, and not how much. */
export const halfABudget = define({ ...unsure("half-a-budget", 0, 0), budget: JSON.parse('{ "requests": 1 }') })

/** Requests a URL, and says that it requests none. */
export const requests = define({
  ...COUNTING,
  id: "requests",
  budget: NO_REQUESTS,
  measure: async (site) => {
    const proof = await site.run(site.get("https://docs.example.com/terms"))
    return { facts: { found: 1 }, findings: [{ good: true, message: "Found.", proof }] }
  }
})

/** Selects by what is no selector. */
export const selects = define({
  ...COUNTING,
  id: "selects",
  measure: async (site) => {
    const proof = site.base.exchange
    if (!isAnswer(proof)) throw new Error("there is no start page")
    const { elements } = await site.run(site.select(proof, "a:hover"))
    return { facts: { found: elements.length }, findings: [{ good: true, message: "Found.", proof }] }
  }
})
