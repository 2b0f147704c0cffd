import * as Effect from "effect/Effect"
import { existsSync, mkdirSync, rmSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { expect, it } from "vitest"
import { removeAbandonedFolders } from "../../engine/schedule/TemporaryFolders.ts"

/** Above the highest process id of Linux. */
const NO_PROCESS = 2 ** 22 + 1

it("deletes the folders of ended processes of this host, and none of a host whose name begins alike", async () => {
  const folder = (end: string) => join(tmpdir(), `docgauge-audit-${hostname()}-${end}`)
  const [ended, other, running] = [folder(`${NO_PROCESS}-aB3dEf`), folder(`${NO_PROCESS}-${process.ppid}-aB3dEf`), folder(`${process.ppid}-aB3dEf`)]
  try {
    for (const path of [ended, other, running]) mkdirSync(path)
    await Effect.runPromise(removeAbandonedFolders)
    expect([ended, other, running].map((path) => existsSync(path))).toEqual([false, true, true])
  } finally {
    for (const path of [ended, other, running]) rmSync(path, { recursive: true, force: true })
  }
})
