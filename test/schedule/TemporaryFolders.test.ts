import * as Effect from "effect/Effect"
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs"
import { hostname, tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { expect, it } from "vitest"
import { isAvailable } from "../harness/Availability.ts"
import { removeAbandonedFolders } from "../../engine/process/TemporaryFiles.ts"

/** Above the highest process id of Linux. */
const NO_PROCESS = 2 ** 22 + 1

it("deletes the folders of ended processes of this host, and none of a host whose name begins alike", async () => {
  const folder = (end: string) => join(tmpdir(), `docgauge-audit-${hostname()}-${end}`)
  const [ended, other, running] = [
    folder(`${NO_PROCESS}-aB3dEf`),
    folder(`${NO_PROCESS}-${process.ppid}-aB3dEf`),
    folder(`${process.ppid}-aB3dEf`)
  ]
  try {
    for (const path of [ended, other, running]) mkdirSync(path, 0o700)
    await Effect.runPromise(removeAbandonedFolders)
    expect([ended, other, running].map((path) => existsSync(path))).toEqual([false, true, true])
  } finally {
    for (const path of [ended, other, running]) rmSync(path, { recursive: true, force: true })
  }
})

it("deletes no folder that others may write to, nor a link, which they could turn against other files", async () => {
  const folder = (end: string) => join(tmpdir(), `docgauge-audit-${hostname()}-${NO_PROCESS}-${end}`)
  const [writable, link] = [folder("gH4iJk"), folder("lM5nOp")]
  try {
    mkdirSync(writable)
    chmodSync(writable, 0o777)
    symlinkSync(writable, link)
    await Effect.runPromise(removeAbandonedFolders)
    expect([writable, link].map((path) => existsSync(path))).toEqual([true, true])
  } finally {
    for (const path of [link, writable]) rmSync(path, { recursive: true, force: true })
  }
})

it.skipIf(!isAvailable("the right to give a folder to another user", process.geteuid?.() === 0, false))(
  "deletes no folder of another user",
  async () => {
    const foreign = join(tmpdir(), `docgauge-audit-${hostname()}-${NO_PROCESS}-qR6sTu`)
    try {
      mkdirSync(foreign)
      chownSync(foreign, 65_534, 65_534)
      await Effect.runPromise(removeAbandonedFolders)
      expect(existsSync(foreign)).toBe(true)
    } finally {
      rmSync(foreign, { recursive: true, force: true })
    }
  }
)
