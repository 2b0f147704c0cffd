import { setTimeout as pause } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { hasPostgres } from "../../harness/PostgresCluster.ts"
import { takeConnections } from "../Connections.ts"
import { expectContract, expectRecovery, withPostgresScene } from "./PostgresScene.ts"
import { probing } from "../Probe.ts"

describe.skipIf(!hasPostgres)("a service on PostgreSQL", () => {
  it("whose connections are all taken answers 503 until some are free", () =>
    withPostgresScene(
      async ({ postgres, siege }) => {
        await pause(2_000)
        const { ending, giveBack } = await takeConnections(postgres, 12)
        try {
          expectContract(await probing(await siege.service().url, "exhausted", ending))
        } finally {
          giveBack()
        }
        await expectRecovery(siege, "exhausted")
      },
      { max_connections: "20", superuser_reserved_connections: "0" }
    ))

  it("whose connections are cut, again and again, answers and loses no run", () =>
    withPostgresScene(async ({ proxy, siege }) => {
      const cuts = async (): Promise<void> => {
        for (let round = 0; round < 10; round++) {
          await pause(200 + 800 * siege.draw())
          proxy.cut()
          if (round % 3 === 2) await pause(2_000)
          proxy.open()
        }
      }
      expectContract(await probing(await siege.service().url, "cut", cuts()))
      await expectRecovery(siege, "cut")
    }))

  it("whose connections stall for 50 s gives them up, answers about its health all the time, and loses no run", () =>
    withPostgresScene(async ({ proxy, siege }) => {
      await pause(2_000)
      proxy.stall()
      const answers = await probing(await siege.service().url, "stalled", pause(50_000))
      // The stall ends once each has its answer.
      expectContract(answers)
      proxy.open()
      await expectRecovery(siege, "stalled")
    }))

  it("whose server is away for 30 s answers 503 until it is back, and loses no run", () =>
    withPostgresScene(async ({ postgres, siege }) => {
      await pause(2_000)
      await postgres.stop("fast")
      expectContract(await probing(await siege.service().url, "away", pause(30_000)))
      await postgres.start()
      await expectRecovery(siege, "away")
    }))

  it("whose connections are cut serves no report, which others may have taken down meanwhile, for five seconds more", () =>
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
