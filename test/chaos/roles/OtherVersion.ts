import { execFileSync } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import process from "node:process"

const ROOT = resolve(import.meta.dirname, "../../..")

const git = (args: ReadonlyArray<string>): Buffer =>
  execFileSync("git", args, { cwd: ROOT, stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1024 ** 3 })

/** The commit that a revision names; `null` where git or that part of its history is missing. */
export const commitOf = (revision: string): string | null => {
  try {
    return git(["rev-parse", "--verify", "--quiet", `${revision}^{commit}`])
      .toString()
      .trim()
  } catch {
    return null
  }
}

/** Commits that may not build are passed over, but not many of them. */
const MOST_TRIED = 5

/** The commits before the one that last added a migration to a file, the newest first; none as above. */
export const commitsBeforeMigrationIn = (path: string): ReadonlyArray<string> => {
  try {
    const last = git(["log", "-1", "--format=%H", '-G^  "[0-9]*_', "--", path]).toString().trim()
    return git(["log", "--first-parent", `-${MOST_TRIED}`, "--format=%H", `${last}~1`])
      .toString()
      .trim()
      .split("\n")
  } catch {
    return []
  }
}

/** Whether a file is as it was at a commit. */
export const isUnchangedSince = (commit: string, path: string): boolean => {
  try {
    git(["diff", "--quiet", commit, "--", path])
    return true
  } catch {
    return false
  }
}

/** Whether a file of a commit has a text. */
const hasText = (commit: string, text: string, path: string): boolean => {
  try {
    git(["grep", "--quiet", text, commit, "--", path])
    return true
  } catch {
    return false
  }
}

/** Whether this version migrates the databases of a commit: those until 26 November 2026 have other tables. */
export const sharesDatabase = (commit: string): boolean =>
  hasText(commit, '"docgauge_versions"', "engine/store/database/Schema.ts")

/** Whether processes of a commit take runs from the queue of this version: until 29 November 2026 there was another queue. */
const sharesQueue = (commit: string): boolean => hasText(commit, "addFairTags", "engine/store/database/Migrations.ts")

/** A build of another version in a temporary folder, with the packages of this one. */
export interface OtherVersion {
  /** Its first file. */
  readonly program: string
  /** Whether its processes and those of this version take runs from the same queue. */
  readonly sharesQueue: boolean
  readonly remove: () => void
}

const PACKAGES = join(ROOT, "node_modules")

/** Builds a commit, or what `change` makes of its files. */
export const makeOtherVersion = (commit: string, change: (root: string) => void = () => undefined): OtherVersion => {
  const root = mkdtempSync(join(tmpdir(), "docgauge-version-"))
  const remove = () => rmSync(root, { recursive: true })
  try {
    execFileSync("tar", ["-x", "-C", root], { input: git(["archive", "--format=tar", commit]) })
    mkdirSync(join(root, "node_modules"))
    // Not the cache, which has the build.
    for (const name of readdirSync(PACKAGES))
      if (name !== ".cache") symlinkSync(join(PACKAGES, name), join(root, "node_modules", name))
    change(root)
    return { program: buildIn(root), sharesQueue: sharesQueue(commit), remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** The first of the commits that can be built. */
export const makeFirstBuilt = (commits: ReadonlyArray<string>): OtherVersion => {
  for (const commit of commits) {
    try {
      const built = makeOtherVersion(commit)
      console.log(`the other version is ${commit}`)
      return built
    } catch {
      console.log(`${commit} cannot be built: trying the one before`)
    }
  }
  throw new Error("none of the commits can be built")
}

/** It does what a migration within a minor version may: it adds columns, also to tables that are read with all their columns, and an index. */
const NEXT_MIGRATION = `import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

export const addNext = Effect.gen(function*() {
  const sql = yield* SqlClient
  for (const table of ["runs", "schedules", "site_figures"]) yield* sql.unsafe("ALTER TABLE " + table + " ADD COLUMN next_number integer NOT NULL DEFAULT 0")
  yield* sql.unsafe("CREATE INDEX runs_next_number ON runs (next_number)")
})
`

/** This commit with another migration. */
export const makeNextVersion = (migrations: string): OtherVersion =>
  makeOtherVersion("HEAD", (root) => {
    const file = join(root, migrations)
    const text = readFileSync(file, "utf8")
    const [end = "", last = "0"] = /"(\d{4})_\w+": \w+\n\}\n$/u.exec(text) ?? []
    if (end === "") throw new Error(`${migrations} does not end with its last migration`)
    const next = String(Number(last) + 1).padStart(4, "0")
    writeFileSync(join(dirname(file), "NextMigration.ts"), NEXT_MIGRATION)
    writeFileSync(
      file,
      `import { addNext } from "./NextMigration.ts"\n${text.replace(end, end.replace("\n}", `,\n  "${next}_next": addNext\n}`))}`
    )
  })

/** Versions whose tests have no build of their own are built as their package is. */
const buildIn = (root: string): string => {
  const forTests = join(root, "test/harness/program/writeProgram.ts")
  const isForTests = existsSync(forTests)
  execFileSync(process.execPath, [isForTests ? forTests : join(root, "scripts/build.ts")], { stdio: "pipe" })
  return join(root, isForTests ? "node_modules/.cache/docgauge-build/lib/main.js" : "dist/lib/main.js")
}
