import process from "node:process"
import { beforeAll, describe, it } from "vitest"
import { hasPostgres } from "../../harness/PostgresCluster.ts"
import { expectRolesToEndure } from "./Roles.ts"

const MINUTES = Number(process.env["DOCGAUGE_CHAOS_MINUTES"] ?? "30")

/** Fixes what is drawn; the order of faults, how long they last and what they meet also depend on timing. */
const SEED = Number(process.env["DOCGAUGE_CHAOS_SEED"] ?? Math.floor(Math.random() * 2 ** 31))

/** A fraction of what two workers reach while nothing happens to them. */
const DONE_A_MINUTE = 5

beforeAll(() => {
  console.log(`DOCGAUGE_CHAOS_SEED=${SEED} for ${MINUTES} minutes`)
})

describe.skipIf(!hasPostgres)("two web processes and two workers", () => {
  it("end each accepted run once, with one archive and one settlement, and audit no site twice at the same time, whatever happens to them, PostgreSQL and the object store", () =>
    expectRolesToEndure({
      minutes: MINUTES,
      seed: SEED,
      sites: 200,
      networks: 10,
      stoppedMs: () => 60_000,
      done: DONE_A_MINUTE * MINUTES
    }))
})
