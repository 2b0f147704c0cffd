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
import { afterEach, beforeEach, describe, expect, it } from "vitest"
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

describe("the compile cache of a command", () => {
  it("is in the user's folder for caches, which only the user can read", async () => {
    await run()
    const cache = join(home, ".cache/docgauge")
    expect([modeOf(join(home, ".cache")), modeOf(cache)]).toEqual([0o700, 0o700])
    const [kind = ""] = readdirSync(cache)
    // Those of the main thread and of the command's.
    expect(readdirSync(join(cache, kind)).length).toBeGreaterThan(5)
  })

  it("is in the folder that XDG_CACHE_HOME names", async () => {
    await run({ XDG_CACHE_HOME: join(folder, "caches") })
    expect(readdirSync(join(folder, "caches/docgauge"))).toHaveLength(1)
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
    await run({ HOME: "/proc/nowhere" })
  })

  it.each([
    ["it", ".cache/docgauge"],
    ["a folder above it", ""]
  ])("is nowhere while others may write to %s", async (_, path) => {
    const cache = folderOf(join(home, ".cache/docgauge"), 0o700)
    for (const mode of [0o770, 0o707]) {
      chmodSync(join(home, path), mode)
      await run()
      expect(readdirSync(cache)).toEqual([])
    }
    chmodSync(join(home, path), 0o755)
    await run()
    expect(readdirSync(cache)).toHaveLength(1)
  })

  it("follows a link of the user to a folder where only the user can write", async () => {
    const elsewhere = folderOf(join(folder, "elsewhere"), 0o755)
    symlinkSync(elsewhere, join(home, ".cache"))
    await run()
    expect(readdirSync(join(elsewhere, "docgauge"))).toHaveLength(1)
  })

  it("follows no link to a folder that others may write to", async () => {
    symlinkSync(temporary, join(home, ".cache"))
    folderOf(join(temporary, "docgauge"), 0o777)
    await run()
    expect(readdirSync(join(temporary, "docgauge"))).toEqual([])
  })

  describe.skipIf(!isAvailable("the right to give a folder to another user", process.geteuid?.() === 0, false))(
    "with another user on the machine",
    () => {
      it("is nowhere if the folder is that user's", async () => {
        const planted = folderOf(join(home, ".cache/docgauge"), 0o755, OTHER)
        await run()
        expect(readdirSync(planted)).toEqual([])
      })

      it("is nowhere if that user made the folder above it in a shared one", async () => {
        const planted = folderOf(join(temporary, "caches"), 0o755, OTHER)
        const own = folderOf(join(planted, "docgauge"), 0o700)
        await run({ XDG_CACHE_HOME: planted })
        expect(readdirSync(own)).toEqual([])
      })

      it("follows no link of that user, even to a folder of ours", async () => {
        const own = folderOf(join(folder, "unpacked"), 0o755)
        symlinkSync(own, join(temporary, "docgauge"))
        lchownSync(join(temporary, "docgauge"), OTHER, OTHER)
        await run({ XDG_CACHE_HOME: temporary })
        expect(readdirSync(own)).toEqual([])
      })

      it("is not made in the home of that user", async () => {
        chownSync(home, OTHER, OTHER)
        await run()
        expect(readdirSync(home)).toEqual([])
      })

      it("is in a shared folder, if what is ours in it is out of reach of that user", async () => {
        await run({ XDG_CACHE_HOME: folderOf(join(temporary, "ours"), 0o700) })
        expect(readdirSync(join(temporary, "ours/docgauge"))).toHaveLength(1)
      })
    }
  )
})

describe("docgauge serve", () => {
  it.each([
    [["--database-url", "file:runs/docgauge.db"], "runs/compile-cache"],
    [["--database-url=file:runs/docgauge.db"], "runs/compile-cache"],
    [["--database-url", "postgres://docgauge@localhost/docgauge"], "home/.cache/docgauge"],
    [[], "data/compile-cache"]
  ])("with %j caches code in %s", async (args, cache) => {
    // A wrong setting ends it before it opens the database.
    const { code } = await runCli(["serve", ...args], {
      cwd: folder,
      env: { ...ENVIRONMENT, DOCGAUGE_SITE_QUOTA: "often", TMPDIR: temporary, HOME: home }
    })
    expect(code).toBe(2)
    expect(readdirSync(join(folder, cache))).toHaveLength(1)
    expect(readdirSync(temporary)).toEqual([])
  })

  it("caches nothing beside a database when it only prints its flags", async () => {
    await runCli(["serve", "--help"], { cwd: folder, env: { ...ENVIRONMENT, HOME: home } })
    expect(readdirSync(folder)).toEqual(["home", "tmp"])
  })
})
