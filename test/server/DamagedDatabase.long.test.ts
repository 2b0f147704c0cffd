import { randomBytes } from "node:crypto"
import { mkdtempSync, openSync, rmSync, statSync, truncateSync, writeSync, closeSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { startService, type TestService } from "./TestService.ts"

let folder: string
let path: string
let service: TestService
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "docgauge-damage-"))
  path = join(folder, "runs.db")
  // A first process leaves everything in the file itself, and nothing in its log.
  const first = await startService({ env: { DOCGAUGE_DATABASE_URL: `file:${path}` } })
  for (let index = 0; index < 5; index += 1) await first.submit({ base_url: `https://docs.damage${index}.dev` })
  await first.stop()
  service = await startService({ env: { DOCGAUGE_DATABASE_URL: `file:${path}` } })
})
afterEach(async () => {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
})

const health = async (): Promise<readonly [number, unknown]> => {
  const answer = await service.ask("/healthz")
  return [answer.status, await answer.json()]
}

const overwrite = (from: number, bytes: number): void => {
  const file = openSync(path, "r+")
  writeSync(file, randomBytes(bytes), 0, bytes, from)
  closeSync(file)
}

const UNHEALTHY = [503, { status: "unavailable", database: "unavailable" }] as const

describe("/healthz over a database that is damaged while the service runs", () => {
  it.each<readonly [string, () => void]>([
    ["overwritten from its first byte", () => overwrite(0, 8_192)],
    ["overwritten in the middle", () => overwrite(4_096 * 4, statSync(path).size - 4_096 * 4)],
    ["cut short", () => truncateSync(path, 4_096 * 3)]
  ])("tells so where the file was %s", async (_how, damage) => {
    expect(await health()).toEqual([200, { status: "ok", database: "ok" }])
    damage()
    await expect.poll(health, { timeout: 60_000 }).toEqual(UNHEALTHY)
    expect((await service.ask("/healthz/live")).status).toBe(200)
  })

  it("checks at most once a second", async () => {
    const looks = async (): Promise<number> =>
      Number(
        /docgauge_store_duration_seconds_count\{operation="ping"\} (\d+)/.exec(
          await (await service.ask("/metrics")).text()
        )?.[1] ?? 0
      )
    const [before, startedAt] = [await looks(), performance.now()]
    await Promise.all(Array.from({ length: 200 }, () => health()))
    const seconds = (performance.now() - startedAt) / 1_000
    expect((await looks()) - before).toBeLessThanOrEqual(Math.ceil(seconds) + 1)
  })
})
