import { setTimeout as pause } from "node:timers/promises"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect } from "vitest"
import { makePostgres, type PostgresCluster } from "../../harness/PostgresCluster.ts"
import { serveSmallSites } from "../../harness/SmallSites.ts"
import { isBroken, type ProbeAnswer, probing } from "../Probe.ts"
import { expectWhole, Siege, untilOver } from "../Siege.ts"
import { makeTcpProxy, type TcpProxy } from "../TcpProxy.ts"

/** A cluster of the test's own behind a proxy of the test's own, and a service under load that uses it. */
export interface PostgresScene {
  readonly postgres: PostgresCluster
  readonly proxy: TcpProxy
  readonly siege: Siege
}

/** Does something to the database of a service under load, after which every run has its one end. `settings`: those of PostgreSQL. */
export const withPostgresScene = async (
  work: (scene: PostgresScene) => Promise<void>,
  settings: Readonly<Record<string, string>> = {}
): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-postgres-chaos-"))
  const sites = await serveSmallSites({ delayMs: 50 })
  const postgres = await makePostgres(settings)
  const proxy = await makeTcpProxy(postgres.port)
  try {
    const database = `postgres://postgres@127.0.0.1:${proxy.port}/postgres`
    const siege = await Siege.lay({
      services: [{ database, env: { ...sites.env, DOCGAUGE_ARCHIVES: join(folder, "archives") } }],
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
    await sites.close()
    rmSync(folder, { recursive: true })
  }
}

/** Answers while the database was away: each as the contract has it, and at least one submission refused with 503. */
export const expectContract = (answers: ReadonlyArray<ProbeAnswer>): void => {
  expect(answers.filter(isBroken)).toEqual([])
  expect(answers.some(({ status, what }) => what === "submit" && status === 503)).toBe(true)
}

/** The service takes submissions again by itself. */
export const expectRecovery = async (siege: Siege, name: string): Promise<void> => {
  const url = await siege.service().url
  const submit = async (): Promise<number | undefined> =>
    (await probing(url, `${name}-after`, pause(1))).find(({ what }) => what === "submit")?.status
  for (let tries = 0; (await submit()) !== 202; tries++) {
    expect(tries).toBeLessThan(60)
    await pause(500)
  }
  expect(siege.service().child.exitCode).toBe(null)
}
