import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, it as test, expect } from "vitest"
import { hasPostgres, makePostgres, type PostgresCluster } from "../harness/PostgresCluster.ts"
import { serveSmallSites, type SmallSites } from "../harness/SmallSites.ts"
import { takeConnections } from "./Connections.ts"
import { expectNoAuditRepeated } from "./DatabaseAway.ts"
import { isBroken, type ProbeAnswer, probing } from "./Probe.ts"
import { expectWhole, Siege, untilOver } from "./Siege.ts"
import { makeTcpProxy, type TcpProxy } from "./TcpProxy.ts"

let folder: string
let sites: SmallSites

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "docgauge-postgres-chaos-"))
  sites = await serveSmallSites({ delayMs: 50 })
})

afterAll(async () => {
  await sites.close()
  rmSync(folder, { recursive: true })
})

/** A cluster of the test's own behind a proxy of the test's own, and a service under load that uses it. */
interface Scene {
  readonly postgres: PostgresCluster
  readonly proxy: TcpProxy
  readonly siege: Siege
}

interface SceneOptions {
  readonly settings?: Readonly<Record<string, string>>
  readonly name: string
}

const withScene = async (
  { name, settings = {} }: SceneOptions,
  work: (scene: Scene) => Promise<void>
): Promise<void> => {
  const postgres = await makePostgres(settings)
  const proxy = await makeTcpProxy(postgres.port)
  try {
    const database = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`
    const siege = await Siege.lay({
      services: [{ database, env: { ...sites.env, DOCGAUGE_ARCHIVES: join(folder, name) } }],
      seed: 7,
      clients: 4,
      sites: 24
    })
    try {
      await work({ postgres, proxy, siege })
      await siege.settle(() => untilOver(postgres.url))
      await expectWhole(postgres.url, siege.crowd, { done: 1 })
    } finally {
      await siege.raise()
    }
  } finally {
    await proxy.close()
    await postgres.remove()
  }
}

/** Answers while the database was away: each as the contract has it, and at least one submission refused with 503. */
const expectContract = (answers: ReadonlyArray<ProbeAnswer>): void => {
  expect(answers.filter(isBroken)).toEqual([])
  expect(answers.some(({ status, what }) => what === "submit" && status === 503)).toBe(true)
}

/** The service takes submissions again by itself. */
const expectRecovery = async (siege: Siege, name: string): Promise<void> => {
  const url = await siege.service().url
  const submit = async (): Promise<number | undefined> =>
    (await probing(url, `${name}-after`, pause(1))).find(({ what }) => what === "submit")?.status
  for (let tries = 0; (await submit()) !== 202; tries++) {
    expect(tries).toBeLessThan(60)
    await pause(500)
  }
  expect(siege.service().child.exitCode).toBe(null)
}

describe.skipIf(!hasPostgres)("a service on PostgreSQL", { concurrent: true }, () => {
  test("whose server is away for 30 s answers 503 until it is back, and loses no run", () =>
    withScene({ name: "away" }, async ({ postgres, siege }) => {
      await pause(2_000)
      await postgres.stop("fast")
      expectContract(await probing(await siege.service().url, "away", pause(30_000)))
      await postgres.start()
      await expectRecovery(siege, "away")
    }))

  test("whose server is away for 30 s writes what was audited meanwhile, and audits no site again", () =>
    expectNoAuditRepeated(30_000))

  test("whose connections are all taken answers 503 until some are free", () =>
    withScene(
      { name: "exhausted", settings: { max_connections: "20", superuser_reserved_connections: "0" } },
      async ({ postgres, siege }) => {
        await pause(2_000)
        const { ending, giveBack } = await takeConnections(postgres, 12)
        try {
          expectContract(await probing(await siege.service().url, "exhausted", ending))
        } finally {
          giveBack()
        }
        await expectRecovery(siege, "exhausted")
      }
    ))

  test("whose connections are cut, again and again, answers and loses no run", () =>
    withScene({ name: "cut" }, async ({ proxy, siege }) => {
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

  test("whose connections stall for 50 s gives them up, answers about its health all the time, and loses no run", () =>
    withScene({ name: "stalled" }, async ({ proxy, siege }) => {
      await pause(2_000)
      proxy.stall()
      const answers = await probing(await siege.service().url, "stalled", pause(50_000))
      // The stall ends once each has its answer.
      expectContract(answers)
      proxy.open()
      await expectRecovery(siege, "stalled")
    }))

  test("whose connections are cut serves no report, which others may have taken down meanwhile, for five seconds more", () =>
    withScene({ name: "unseen" }, async ({ postgres, proxy, siege }) => {
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
