import { randomUUID } from "node:crypto"
import { appendFile, open, rename } from "node:fs/promises"
import { join } from "node:path"
import { FILE_MODE, isFileMissing, writePart } from "./ArchiveFolder.ts"

/** A file of changes in size, one number per line, that several processes append to and read. */
export interface SizeLedger {
  readonly note: (bytes: number) => Promise<void>
  /** The sum of all changes since it was last read or skipped; `null` if the ledger has been restarted since. */
  readonly read: () => Promise<number | null>
  /** Skips to its end, or restarts it if it is missing or too long. */
  readonly skip: () => Promise<void>
}

/** A longer ledger is restarted, in bytes. */
const LONGEST = 1024 * 1024

/** Its unique first line: `ledger UUID`. */
const HEADER = /^ledger [\da-f-]{36}\n$/u
const HEADER_LENGTH = 44

export const makeSizeLedger = (folder: string): SizeLedger => {
  const path = join(folder, "ledger")
  let header = ""
  let offset = 0

  const skip = async (): Promise<void> => {
    const known = await readFrom(path, Infinity)
    if (known !== null && HEADER.test(known.header) && known.size <= LONGEST) {
      header = known.header
      offset = known.size
      return
    }
    header = `ledger ${randomUUID()}\n`
    offset = HEADER_LENGTH
    await rename(await writePart(folder, Buffer.from(header)), path)
  }

  return {
    note: async (bytes) => {
      if (bytes !== 0) await appendFile(path, `${bytes}\n`, { mode: FILE_MODE })
    },
    read: async () => {
      const found = await readFrom(path, offset)
      if (found === null || found.header !== header) return null
      offset += found.lines.length
      return found.lines.split("\n").reduce((sum, line) => sum + Number(line), 0)
    },
    skip
  }
}

/** The header, the size, and complete lines from an offset on; `null` if the file does not exist. */
const readFrom = async (
  path: string,
  offset: number
): Promise<{ readonly header: string; readonly size: number; readonly lines: string } | null> => {
  try {
    const handle = await open(path, "r")
    try {
      const { size } = await handle.stat()
      const text = async (start: number, length: number): Promise<string> => {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start)
        return buffer.toString("latin1", 0, bytesRead)
      }
      const lines = size > offset ? await text(offset, size - offset) : ""
      return { header: await text(0, HEADER_LENGTH), size, lines: lines.slice(0, lines.lastIndexOf("\n") + 1) }
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (isFileMissing(error)) return null
    throw error
  }
}
