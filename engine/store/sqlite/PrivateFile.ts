import * as Effect from "effect/Effect"
import { chmod, mkdir, open, stat } from "node:fs/promises"
import { dirname } from "node:path"
import process from "node:process"

/** Permission bits of others; their write bit; the sticky bit. */
const OTHERS = 0o007
const OTHERS_WRITE = 0o002
const STICKY = 0o1000

/** Suffixes of SQLite's files next to a database. */
const BESIDE = ["", "-wal", "-shm", "-journal"]

/**
 * Creates a database file and its folders for the user of this process only, because the database contains keys. SQLite gives
 * `-wal` and `-shm` the mode of the database. If the file cannot be created, opening it fails with the reason.
 */
export const makePrivate = (path: string): Effect.Effect<void> =>
  Effect.ignore(
    Effect.tryPromise(async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const handle = await open(path, "ax", 0o600)
      await handle.close()
    })
  )

/**
 * Restricts the permissions of existing files. A file that everyone can read, as versions up to 0.1 created it, becomes readable
 * by its owner only; a file that only its group can read was made so on purpose, for example for a backup, and is not changed. A
 * folder may be shared with other programs, so it is never changed, but a warning says if others could replace the database.
 */
export const narrow = Effect.fn("PrivateFile.narrow")(function* (path: string) {
  // Windows does not have these modes.
  if (process.platform === "win32") return
  for (const file of BESIDE.map((ending) => path + ending)) {
    // A path that names a folder by mistake ("file:///") must not lock everyone out of that folder.
    const mode = yield* modeOf(file, "file")
    if (mode === null || (mode & OTHERS) === 0) continue
    yield* Effect.tryPromise(() => chmod(file, 0o600)).pipe(
      Effect.andThen(
        Effect.logInfo(`${file} was readable by every user of this machine. Now only its owner can read it.`)
      ),
      Effect.catch(() =>
        Effect.logWarning(
          `${file} contains keys and is readable by every user of this machine. As its owner, run: chmod 600 ${file}`
        )
      )
    )
  }
  const folder = dirname(path)
  const mode = yield* modeOf(folder, "folder")
  if (mode !== null && (mode & OTHERS_WRITE) !== 0 && (mode & STICKY) === 0) {
    yield* Effect.logWarning(
      `Every user of this machine can write to ${folder}, and so can replace the database. Run: chmod o-w ${folder}`
    )
  }
})

/** `null` if it is missing or not a file: a folder given as a database, such as `/`, must keep its mode. */
const modeOf = (path: string, kind: "file" | "folder"): Effect.Effect<number | null> =>
  Effect.orElseSucceed(
    Effect.tryPromise(async () => {
      const found = await stat(path)
      return (kind === "file" ? found.isFile() : found.isDirectory()) ? found.mode : null
    }),
    () => null
  )
