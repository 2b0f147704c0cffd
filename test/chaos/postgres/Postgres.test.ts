import { setTimeout as pause } from "node:timers/promises"
import { describe, it as test, expect } from "vitest"
import { hasPostgres } from "../../harness/PostgresCluster.ts"
import { expectNoAuditRepeated } from "./DatabaseAway.ts"
import { expectContract, expectRecovery, withPostgresScene } from "./PostgresScene.ts"
import { probing } from "../Probe.ts"

/* More is done to the database in Postgres.endurance.ts. */
describe.skipIf(!hasPostgres)("a service on PostgreSQL", { concurrent: true }, () => {
  test("whose server is away for 30 s answers 503 until it is back, and loses no run", () =>
    withPostgresScene(async ({ postgres, siege }) => {
      await pause(2_000)
      await postgres.stop("fast")
      expectContract(await probing(await siege.service().url, "away", pause(30_000)))
      await postgres.start()
      await expectRecovery(siege, "away")
    }))

  test("whose server is away for 30 s writes what was audited meanwhile, and audits no site again", () =>
    expectNoAuditRepeated(30_000))

  test("whose connections are cut serves no report, which others may have taken down meanwhile, for five seconds more", () =>
    withPostgresScene(async ({ postgres, proxy, siege }) => {
      const url = await siege.service().url
      let id = ""
      while (id === "") {
        await pause(200)
        id = await postgres.execute("SELECT id FROM runs WHERE status = 'done' LIMIT 1")
      }
      const report = async (): Promise<number> => (await fetch(`${url}/api/public/audit/${id}`)).status
      // Now it is cached.
      expect(await report()).toBe(200)
      proxy.cut()
      await pause(5_000)
      for (let round = 0; round < 10; round++) {
        expect(await report()).toBe(503)
        await pause(200)
      }
      proxy.open()
      await expectRecovery(siege, "unseen")
      expect(await report()).toBe(200)
    }))
})
