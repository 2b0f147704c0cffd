import process from "node:process"
import { describe, it } from "vitest"
import { hasPostgres } from "../../harness/PostgresCluster.ts"
import { longerThanClaim } from "../Faults.ts"
import { expectRolesToEndure } from "./Roles.ts"

/** Of faults; then all that was accepted comes to its end. */
const MINUTES = 0.75

/** A run on a machine with a load of 12 reached 95 in three minutes; test/chaos/roles/Roles.endurance.ts takes longer. */
const DONE = 10

/** Another one may be given. It fixes what is drawn; the order of faults and what they meet also depend on timing. */
const SEED = Number(process.env["DOCGAUGE_CHAOS_SEED"] ?? "19")

describe.skipIf(!hasPostgres)("two web processes and two workers amid faults", () => {
  it("end each accepted run once, with one archive and one settlement, and audit no site twice at the same time, whatever happens to them, PostgreSQL and the object store", () =>
    expectRolesToEndure({
      minutes: MINUTES,
      seed: SEED,
      sites: 60,
      networks: 8,
      stoppedMs: longerThanClaim,
      done: DONE
    }))
})
