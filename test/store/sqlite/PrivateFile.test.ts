import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { SqlClient } from "effect/sql/SqlClient"
import { layerDatabase, sqliteAt } from "../../../engine/store/Database.ts"

/** Opens a database, writes to it, and tells what was logged and the modes of files while it was open. */
const opened = async (path: string, files: ReadonlyArray<string>) => {
  const logs: Array<string> = []
  const logger = Logger.layer([
    Logger.map(Logger.formatLogFmt, (line) => {
      logs.push(line)
    })
  ])
  const use = Effect.gen(function* () {
    const sql = yield* SqlClient
    yield* sql`CREATE TABLE IF NOT EXISTS scratch (i integer)`
    yield* sql`INSERT INTO scratch VALUES (1)`
    return files.map((file) => (statSync(file).mode & 0o777).toString(8))
  })
  const modes = await Effect.runPromise(use.pipe(Effect.provide(layerDatabase(sqliteAt(path))), Effect.provide(logger)))
  return { modes, logs: logs.filter((line) => /every user/iu.test(line)) }
}

const inFolder = async (test: (folder: string) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-modes-"))
  try {
    await test(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe.skipIf(process.platform === "win32")("an SQLite database", () => {
  it("that turns out to be a folder is refused, and the folder keeps its mode", () =>
    inFolder(async (folder) => {
      chmodSync(folder, 0o755)
      await expect(opened(folder, [])).rejects.toThrow(/cannot be used/)
      expect((statSync(folder).mode & 0o777).toString(8)).toBe("755")
    }))

  it("and SQLite's files next to it can be read by their owner only, and so can the created folders", () =>
    inFolder(async (folder) => {
      const path = join(folder, "data", "deep", "docgauge.db")
      const { logs, modes } = await opened(path, [
        join(folder, "data"),
        join(folder, "data", "deep"),
        path,
        `${path}-wal`,
        `${path}-shm`
      ])
      expect(modes).toEqual(["700", "700", "600", "600", "600"])
      expect(logs).toEqual([])
    }))

  it("that every user could read is restricted to its owner, with one log line", () =>
    inFolder(async (folder) => {
      const path = join(folder, "docgauge.db")
      await opened(path, [])
      for (const file of [path, `${path}-wal`]) {
        writeFileSync(file, "", { flag: "a" })
        chmodSync(file, 0o644)
      }
      const first = await opened(path, [path, `${path}-wal`, `${path}-shm`])
      expect(first.modes).toEqual(["600", "600", "600"])
      expect(first.logs[0]).toContain(
        `${path} was readable by every user of this machine. Now only its owner can read it.`
      )
      expect((await opened(path, [])).logs).toEqual([])
    }))

  it("that its group can read is not changed, because a backup may need it", () =>
    inFolder(async (folder) => {
      const path = join(folder, "docgauge.db")
      await opened(path, [])
      chmodSync(path, 0o640)
      expect(await opened(path, [path])).toEqual({ modes: ["640"], logs: [] })
    }))

  it("that is a folder leaves the folder's mode unchanged, because 0600 would lock everyone out", () =>
    inFolder(async (folder) => {
      const path = join(folder, "folder")
      mkdirSync(path)
      chmodSync(path, 0o755)
      await expect(opened(path, [])).rejects.toThrow(/cannot be used/)
      expect(statSync(path).mode & 0o7777).toBe(0o755)
    }))

  it("in an existing folder leaves the folder unchanged, and warns if others can write to it", () =>
    inFolder(async (folder) => {
      const shared = join(folder, "shared")
      mkdirSync(shared)
      for (const [mode, warned] of [
        [0o755, false],
        [0o1777, false],
        [0o777, true]
      ] as const) {
        chmodSync(shared, mode)
        const { logs } = await opened(join(shared, "docgauge.db"), [])
        expect(statSync(shared).mode & 0o7777).toBe(mode)
        expect(logs.length).toBe(warned ? 1 : 0)
      }
    }))
})
