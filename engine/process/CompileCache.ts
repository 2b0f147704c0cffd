import type { Stats } from "node:fs"
import * as nodeModule from "node:module"
import { homedir } from "node:os"
import { dirname, isAbsolute, join, resolve } from "node:path"
import process from "node:process"
import { databaseFile, DEFAULT_DATABASE_URL } from "../store/sqlite/DatabaseFile.ts"

/*
 * Compiled code is cached from one start to the next. Node runs what it finds in the cache without checking who wrote it, and its own
 * default is the temporary folder that all users of the machine share: so we cache only where no other user can write.
 */

// An `import` would load the parts of `node:fs` that are not used, too: 3 ms, of 30 that Node takes to start.
const { lstatSync, mkdirSync, realpathSync } = process.getBuiltinModule("node:fs")

/** Permission bits: group or others may write; only the owner of an entry may rename or delete it. */
const OTHERS_WRITE = 0o022
const STICKY = 0o1000

/**
 * Caches the compiled code of this process, its threads and its audit processes in the first of these folders that only this user can
 * change, and nowhere if there is none. `null` is passed over. What `NODE_COMPILE_CACHE` or `NODE_DISABLE_COMPILE_CACHE` say stays as it is.
 */
export const cacheCompiledCode = (folders: ReadonlyArray<string | null>): void => {
  const { NODE_COMPILE_CACHE = "", NODE_DISABLE_COMPILE_CACHE = "" } = process.env
  if (NODE_COMPILE_CACHE !== "" || NODE_DISABLE_COMPILE_CACHE !== "") return
  for (const folder of folders) {
    const own = folder === null ? null : privateFolder(resolve(folder))
    if (own === null) continue
    // Deno has no such cache.
    nodeModule.enableCompileCache?.(own)
    // By this variable, Node enables the cache in each thread and audit process before it loads their code.
    process.env["NODE_COMPILE_CACHE"] = own
    return
  }
}

/** The folder for a command: `docgauge` in the folder for caches of this user; `null` if that is unknown. */
export const userCacheFolder = (): string | null => {
  const { LOCALAPPDATA = "", XDG_CACHE_HOME = "" } = process.env
  const caches =
    process.platform === "win32"
      ? LOCALAPPDATA
      : isAbsolute(XDG_CACHE_HOME)
        ? XDG_CACHE_HOME
        : join(homeFolder(), ".cache")
  return isAbsolute(caches) ? join(caches, "docgauge") : null
}

/** The folders for a service, in order: beside the file of its database, if that is one, and that of the user. */
export const serviceCacheFolders = (
  databaseUrl = process.env["DOCGAUGE_DATABASE_URL"] ?? DEFAULT_DATABASE_URL
): ReadonlyArray<string | null> => {
  const file = databaseFile(databaseUrl)
  // Windows does not tell us who else may write to a folder; that of the user is private.
  return process.platform === "win32" || file === null
    ? [userCacheFolder()]
    : [join(dirname(file), "compile-cache"), userCacheFolder()]
}

const homeFolder = (): string => {
  try {
    return homedir()
  } catch {
    // The user of a container may have none.
    return ""
  }
}

/** The real path of a folder, created if it is missing; `null` unless only this user and root can change or replace it. */
const privateFolder = (path: string): string | null => {
  const user = process.geteuid?.()
  try {
    // Before anything is created, so that root leaves nothing in the home of another user.
    if (user !== undefined && !isOutOfReach(existingPart(path), user)) return null
    makeFolder(path)
    const real = realpathSync(path)
    if (user === undefined) return real
    const { mode, uid } = lstatSync(real)
    return isOutOfReach(path, user) && uid === user && (mode & OTHERS_WRITE) === 0 ? real : null
  } catch {
    return null
  }
}

/** Whether there is something at the path, maybe a link to nothing. */
const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** The path itself, or the nearest folder above it that exists. */
const existingPart = (path: string): string => (exists(path) ? path : existingPart(dirname(path)))

/** Creates a folder and those above it. Node's `recursive` never returns where the system will not make one, such as in `/proc`. */
const makeFolder = (path: string): void => {
  if (exists(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path, 0o700)
  } catch (error) {
    // Another start may have just made it.
    if (!exists(path)) throw error
  }
}

/** Whether only this user and root can put something else at this path. */
const isOutOfReach = (path: string, user: number): boolean =>
  [path, realpathSync(path)].flatMap(foldersTo).every((part) => isGuarded(lstatSync(part), user))

/** The path and all folders above it. */
const foldersTo = (path: string): ReadonlyArray<string> =>
  path === dirname(path) ? [path] : [path, ...foldersTo(dirname(path))]

const isGuarded = (stats: Stats, user: number): boolean =>
  (stats.uid === user || stats.uid === 0) &&
  (stats.isSymbolicLink() || (stats.mode & OTHERS_WRITE) === 0 || (stats.mode & STICKY) !== 0)
