import * as Context from "effect/Context"
import { statfs } from "node:fs/promises"

/** Free space, in bytes, that this process may use on the file system of a folder. Rejects where that cannot be told. */
export type FreeSpaceReading = (folder: string) => Promise<number>

const fromStatfs: FreeSpaceReading = async (folder) => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

/** How free space is read: by statfs, unless a test provides something else. */
export const FreeSpace = Context.Reference<FreeSpaceReading>("docgauge/store/FreeSpace", { defaultValue: () => fromStatfs })
