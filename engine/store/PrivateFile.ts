import * as Effect from "effect/Effect"
import { chmod, mkdir, open, stat } from "node:fs/promises"
import { dirname } from "node:path"
import process from "node:process"

/** Permission bits of users that are neither the owner nor in the group; the one of them to write; the sticky bit. */
const OTHERS = 0o007
const OTHERS_WRITE = 0o002
const STICKY = 0o1000

/** What SQLite keeps beside a database. */
const BESIDE = ["", "-wal", "-shm", "-journal"]

/**
 * Makes a database file and its folders for the user of this process alone: it holds keys. SQLite gives its `-wal` and
 * `-shm` the mode of the database. Where the file cannot be made, opening it says so.
 */
export const makePrivate = (path: string): Effect.Effect<void> =>
  Effect.ignore(Effect.tryPromise(async () => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    const handle = await open(path, "ax", 0o600)
    await handle.close()
  }))

/**
 * Narrows what was there before. A file that everyone may read, as versions up to 0.1 made it, becomes its owner's alone; one
 * that only its group may read was made so on purpose, for a backup say, and stays. A folder may be shared with other
 * programs: it is never changed, but a warning says where others could replace the database.
 */
export const narrow = Effect.fn("PrivateFile.narrow")(function*(path: string) {
  // Windows has no such modes.
  if (process.platform === "win32") return
  for (const file of BESIDE.map((ending) => path + ending)) {
    // A path that names a folder by mistake ("file:///") must not shut everyone out of that folder.
    const mode = yield* modeOf(file, "file")
    if (mode === null || (mode & OTHERS) === 0) continue
    yield* Effect.tryPromise(() => chmod(file, 0o600)).pipe(
      Effect.andThen(Effect.logInfo(`${file} could be read by every user of this machine: now only by its owner.`)),
      Effect.catch(() => Effect.logWarning(`${file} holds keys and can be read by every user of this machine. Let its owner run: chmod 600 ${file}`))
    )
  }
  const folder = dirname(path)
  const mode = yield* modeOf(folder, "folder")
  if (mode !== null && (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0) {
    yield* Effect.logWarning(`Every user of this machine can write to ${folder} and so replace the database. Run: chmod o-w ${folder}`)
  }
})

/** `null` where there is no such thing: a folder that is given as a database, `/` for one, must keep its mode. */
const modeOf = (path: string, kind: "file" | "folder"): Effect.Effect<number | null> =>
  Effect.orElseSucceed(Effect.tryPromise(async () => {
    const found = await stat(path)
    return (kind === "file" ? found.isFile() : found.isDirectory()) ? found.mode : null
  }), () => null)
