import {
  chmodSync,
  chownSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { databaseUrlFlag } from "../../cli/Commands.ts"
import { cacheCompiledCode, serviceCacheFolders, userCacheFolder } from "../../engine/process/CompileCache.ts"
import { isAvailable } from "../harness/Availability.ts"
import { runCli } from "./RunCli.ts"

const { NODE_COMPILE_CACHE: _ours, XDG_CACHE_HOME: _caches, ...ENVIRONMENT } = process.env

/** The user "nobody". */
const OTHER = 65_534

let folder: string
/** The temporary folder that all users share, and the home of the user who runs docgauge. */
let temporary: string
let home: string

const modeOf = (path: string): number => statSync(path).mode & 0o7777
const folderOf = (path: string, mode: number, user = process.geteuid?.() ?? 0): string => {
  mkdirSync(path, { recursive: true })
  chmodSync(path, mode)
  chownSync(path, user, user)
  return path
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "docgauge-cache-"))
  temporary = folderOf(join(folder, "tmp"), 0o1777)
  home = folderOf(join(folder, "home"), 0o755)
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

/** Runs a command that needs several files and a thread, which must work and leave nothing where all users can write. */
const run = async (env: Readonly<Record<string, string>> = {}): Promise<void> => {
  const before = readdirSync(temporary)
  const { code, stderr, stdout } = await runCli(["rubric", "show", "A1"], {
    env: { ...ENVIRONMENT, TMPDIR: temporary, HOME: home, ...env }
  })
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
  expect(stdout).toContain("llms.txt")
  expect(readdirSync(temporary)).toEqual(before)
}

/** Where a command in this environment would cache code, decided in this process, whose own cache stays where it is; `null`: nowhere. */
const chosen = (env: Readonly<Record<string, string>> = {}): string | null => {
  const given = { NODE_COMPILE_CACHE: "", NODE_DISABLE_COMPILE_CACHE: "", XDG_CACHE_HOME: "", HOME: home, ...env }
  for (const [name, value] of Object.entries(given)) vi.stubEnv(name, value)
  const before = readdirSync(temporary)
  cacheCompiledCode([userCacheFolder()])
  expect(readdirSync(temporary)).toEqual(before)
  return process.env["NODE_COMPILE_CACHE"] || null
}

describe("the compile cache of a command", () => {
  it("is in the user's folder for caches, which only the user can read", async () => {
    await run()
    const cache = join(home, ".cache/docgauge")
    expect([modeOf(join(home, ".cache")), modeOf(cache)]).toEqual([0o700, 0o700])
    const [kind = ""] = readdirSync(cache)
    // Those of the main thread and of the command's.
    expect(readdirSync(join(cache, kind)).length).toBeGreaterThan(5)
  })

  it("is in the folder that XDG_CACHE_HOME names", () => {
    const caches = join(folder, "caches")
    expect(chosen({ XDG_CACHE_HOME: caches })).toBe(join(caches, "docgauge"))
    expect(readdirSync(home)).toEqual([])
  })

  it("is where NODE_COMPILE_CACHE says", async () => {
    await run({ NODE_COMPILE_CACHE: join(folder, "told") })
    expect(readdirSync(join(folder, "told"))).toHaveLength(1)
    expect(readdirSync(home)).toEqual([])
  })

  it("is nowhere with NODE_DISABLE_COMPILE_CACHE, and where there is no home", async () => {
    await run({ NODE_DISABLE_COMPILE_CACHE: "1" })
    expect(readdirSync(home)).toEqual([])
    expect(chosen({ HOME: "/proc/nowhere" })).toBe(null)
  })

  it.each([
    ["it", ".cache/docgauge"],
    ["a folder above it", ""]
  ])("is nowhere while others may write to %s", (_, path) => {
    const cache = folderOf(join(home, ".cache/docgauge"), 0o700)
    for (const mode of [0o770, 0o707]) {
      chmodSync(join(home, path), mode)
      expect(chosen()).toBe(null)
    }
    chmodSync(join(home, path), 0o755)
    expect(chosen()).toBe(cache)
  })

  it("follows a link of the user to a folder where only the user can write", () => {
    const elsewhere = folderOf(join(folder, "elsewhere"), 0o755)
    symlinkSync(elsewhere, join(home, ".cache"))
    expect(chosen()).toBe(join(elsewhere, "docgauge"))
  })

  it("follows no link to a folder that others may write to", () => {
    symlinkSync(temporary, join(home, ".cache"))
    folderOf(join(temporary, "docgauge"), 0o777)
    expect(chosen()).toBe(null)
  })

  describe.skipIf(!isAvailable("the right to give a folder to another user", process.geteuid?.() === 0, false))(
    "with another user on the machine",
    () => {
      it("is nowhere if the folder is that user's", () => {
        folderOf(join(home, ".cache/docgauge"), 0o755, OTHER)
        expect(chosen()).toBe(null)
      })

      it("is nowhere if that user made the folder above it in a shared one", () => {
        const planted = folderOf(join(temporary, "caches"), 0o755, OTHER)
        folderOf(join(planted, "docgauge"), 0o700)
        expect(chosen({ XDG_CACHE_HOME: planted })).toBe(null)
      })

      it("follows no link of that user, even to a folder of ours", () => {
        const own = folderOf(join(folder, "unpacked"), 0o755)
        symlinkSync(own, join(temporary, "docgauge"))
        lchownSync(join(temporary, "docgauge"), OTHER, OTHER)
        expect(chosen({ XDG_CACHE_HOME: temporary })).toBe(null)
      })

      it("is not made in the home of that user", () => {
        chownSync(home, OTHER, OTHER)
        expect(chosen()).toBe(null)
        expect(readdirSync(home)).toEqual([])
      })

      it("is in a shared folder, if what is ours in it is out of reach of that user", () => {
        const ours = folderOf(join(temporary, "ours"), 0o700)
        expect(chosen({ XDG_CACHE_HOME: ours })).toBe(join(ours, "docgauge"))
      })
    }
  )
})

describe("docgauge serve", () => {
  it.each([
    [["--database-url", "file:runs/docgauge.db"], ["runs/compile-cache"]],
    [["--database-url=file:runs/docgauge.db"], ["runs/compile-cache"]],
    [["--database-url", "postgres://docgauge@localhost/docgauge"], []],
    [[], ["data/compile-cache"]]
  ])("with %j caches code in %j, or else in the folder of the user", (args, beside) => {
    vi.stubEnv("DOCGAUGE_DATABASE_URL", undefined)
    expect(serviceCacheFolders(databaseUrlFlag(["serve", ...args]))).toEqual([...beside, userCacheFolder()])
  })

  it("caches code beside its database", async () => {
    // A wrong setting ends it before it opens the database.
    const { code } = await runCli(["serve", "--database-url", "file:runs/docgauge.db"], {
      cwd: folder,
      env: { ...ENVIRONMENT, DOCGAUGE_SITE_QUOTA: "often", TMPDIR: temporary, HOME: home }
    })
    expect(code).toBe(2)
    expect(readdirSync(join(folder, "runs/compile-cache"))).toHaveLength(1)
    expect(readdirSync(temporary)).toEqual([])
  })

  it("caches nothing beside a database when it only prints its flags", async () => {
    await runCli(["serve", "--help"], { cwd: folder, env: { ...ENVIRONMENT, HOME: home } })
    expect(readdirSync(folder)).toEqual(["home", "tmp"])
  })
})
