/** A made-up corpus of sites and runs for the benches: the same every time, of any size. */

import type { CriterionOutcome, OutcomeState } from "../../../engine/store/corpus/OutcomeCounts.ts"

/** A site that is seeded. */
export interface SeedSite {
  readonly site: string
  readonly domain: string
  readonly url: string
}

/** A run that is seeded. */
export interface SeedRun {
  /** Index of its site. */
  readonly site: number
  /** Microseconds since the epoch; rises from run to run. */
  readonly startedAt: number
  /** `null`: it ended in error. */
  readonly score: number | null
}

const STATES: ReadonlyArray<readonly [state: OutcomeState, share: number]> = [
  ["absent", 0],
  ["partial", 0.5],
  ["present", 1]
]

/** Outcomes of the rubric's thirty criteria that go with a score. */
export const seedOutcomes = (site: number, score: number): ReadonlyArray<CriterionOutcome> =>
  CRITERIA.map(([id, max], index) => {
    const level = Math.max(0, Math.min(2, Math.round(score / 50 + random(site * 131 + index)() * 1.6 - 0.8)))
    const [state, share] = STATES[level] ?? ["absent", 0]
    return { id, max, state, score: Math.floor(max * share) }
  })

const CRITERIA = (["A5", "B5", "C5", "D7", "E4", "F4"] as const).flatMap((last) =>
  Array.from({ length: Number(last.slice(1)) }, (_, index) => [`${last[0]}${index + 1}`, 2 + (index % 4)] as const)
)

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export const random = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const WORDS = (
  "acme atlas beacon bolt cloud core data delta ember engine flow forge fusion grid harbor hub ion iris jade kite lambda light lumen mail " +
  "maple matrix mesh meta mint nova octo open orbit pay pixel plain prism pulse quartz quick rapid relay river rocket sage scale ship signal " +
  "spark stack stream swift sync talon tide trace unity vault vector wave wire xenon yield zen zephyr"
).split(" ")

const TLDS = [
  "com",
  "com",
  "com",
  "com",
  "io",
  "io",
  "dev",
  "dev",
  "org",
  "net",
  "ai",
  "app",
  "co.uk",
  "de",
  "fr",
  "cloud",
  "tech",
  "sh"
]

const PREFIXES = ["docs", "docs", "docs", "developer", "developers", "api", "dev", "help", "reference", "www"]

/** Sites by their index: about one organisation for every one and a half of them. */
export const seedSite = (index: number): SeedSite => {
  const draw = random(index * 2_654_435_761)
  const pick = <A>(from: ReadonlyArray<A>): A | undefined => from[Math.floor(draw() * from.length)]
  const organisation = Math.floor(index / 1.5)
  const own = random(organisation)
  const word = () => WORDS[Math.floor(own() * WORDS.length)] ?? ""
  const domain = `${word()}${own() < 0.5 ? "-" : ""}${word()}${organisation.toString(36)}.${TLDS[Math.floor(own() * TLDS.length)] ?? ""}`
  const host = `${pick(PREFIXES) ?? ""}.${domain}`
  // The index makes sites of one organisation differ.
  const path = `/${index % 3 === 0 ? "v" : "docs-"}${index % 97}`
  return { domain, url: `https://${host}${path}`, site: `${host.replace(/^www\./, "")}${path}` }
}

/**
 * Runs in the order of time, spread evenly up to `until` (microseconds). Sites come up one after another, and the longer
 * one is known the more often it is audited; its score wanders about its own mean.
 */
export function* seedRuns(
  runs: number,
  sites: number,
  days: number,
  until: number
): Generator<SeedRun, void, undefined> {
  const draw = random(7)
  const span = days * 24 * 60 * 60 * 1_000_000
  for (let index = 0; index < runs; index++) {
    const known = Math.max(1, Math.ceil(((index + 1) * sites) / runs))
    const isNew = index === 0 || known > Math.ceil((index * sites) / runs)
    const site = isNew ? known - 1 : Math.floor(known * draw() ** 2)
    const mean = 20 + 60 * random(site * 31 + 5)()
    const score = Math.max(0, Math.min(100, Math.round(mean + 25 * (draw() - 0.5))))
    yield { site, startedAt: Math.floor(until - span + (span * index) / runs), score: draw() < 0.03 ? null : score }
  }
}
