import { connect, type Socket } from "node:net"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { afterAll, beforeAll, describe, it as test, expect } from "vitest"
import { hasPostgres, makePostgres, type PostgresCluster } from "../harness/PostgresCluster.ts"
import { serveSmallSites, type SmallSites } from "../harness/SmallSites.ts"
import { isBroken, type ProbeAnswer, probing } from "./Probe.ts"
import { expectWhole, Siege } from "./Siege.ts"
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

const withScene = async ({ name, settings = {} }: SceneOptions, work: (scene: Scene) => Promise<void>): Promise<void> => {
  const postgres = await makePostgres(settings)
  const proxy = await makeTcpProxy(postgres.port)
  try {
    const database = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`
    const siege = await Siege.lay({
      services: [{ database, env: { ...sites.env, DOCGAUGE_ARCHIVES: join(folder, name) } }],
      seed: 7,
      clients: 4,
      sites: 60
    })
    try {
      await work({ postgres, proxy, siege })
      await siege.settle()
      await expectWhole(postgres.url, siege.crowd, { done: 1, leasesLeft: true })
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

  test("whose connections are all taken answers 503 until some are free", () =>
    withScene({ name: "exhausted", settings: { max_connections: "12", superuser_reserved_connections: "0" } }, async ({ postgres, siege }) => {
      await pause(2_000)
      const hogs = new Set<Socket>()
      // Sessions that the service holds already are ended, so that it finds every slot taken when it comes again.
      const ending = endSessions(postgres)
      await pause(2_000)
      const hogging = setInterval(() => {
        const hog = takeConnection(postgres.port)
        hogs.add(hog)
        // The server ends those that it has no room for.
        hog.on("close", () => hogs.delete(hog))
      }, 20)
      try {
        expectContract(await probing(await siege.service().url, "exhausted", ending))
      } finally {
        clearInterval(hogging)
        for (const hog of hogs) hog.destroy()
      }
      await expectRecovery(siege, "exhausted")
    }))

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
      // Those of the last 35 s may still wait for a connection when the stall ends.
      expectContract(answers)
      proxy.open()
      await expectRecovery(siege, "stalled")
    }))
})

/** Opens a session as `psql` does (trust authentication) and leaves it open: the startup message of protocol 3.0. */
const takeConnection = (port: number): Socket => {
  const socket = connect(port, "127.0.0.1", () => {
    const parameters = Buffer.from("user\0postgres\0database\0postgres\0application_name\0hog\0\0")
    const head = Buffer.alloc(8)
    head.writeInt32BE(8 + parameters.length, 0)
    head.writeInt32BE(3 << 16, 4)
    socket.write(Buffer.concat([head, parameters]))
  })
  socket.on("error", () => undefined)
  socket.resume()
  return socket
}

/** Ends the service's sessions every half second for 12 s, by one session of its own. */
const endSessions = (postgres: PostgresCluster): Promise<string> =>
  postgres.execute(`DO $$ BEGIN FOR round IN 1..24 LOOP
    PERFORM pg_stat_clear_snapshot();
    PERFORM pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'docgauge';
    PERFORM pg_sleep(0.5);
  END LOOP; END $$`)
