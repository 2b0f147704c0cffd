import * as Context from "effect/Context"
import { statfs } from "node:fs/promises"

/** Free space on the file system of a folder that this process may use, in bytes. Rejects if it cannot be read. */
export type FreeSpaceReading = (folder: string) => Promise<number>

const fromStatfs: FreeSpaceReading = async (folder) => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** How free space is read: by statfs, unless a test provides something else. */
export const FreeSpace = Context.Reference<FreeSpaceReading>("docgauge/store/FreeSpace", {
  defaultValue: () => fromStatfs
})
