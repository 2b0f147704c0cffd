import { type Zippable, zipSync } from "fflate"
import { isSafePath } from "../site/FilePath.ts"
import type { OutputFile } from "./OutputFiles.ts"
import { OUTPUT_FOLDER } from "./PlanWords.ts"

/** The date of every entry. In local time, which is what a zip has: the same bytes in every time zone. */
const DATE = new Date(2000, 0, 1, 12)

/** Files as a zip, in one folder and in the order given; the same files give the same bytes. A path that could lead out of a folder is left out. */
export const zipOf = (files: ReadonlyArray<Pick<OutputFile, "path" | "text">>): Uint8Array => {
  const entries: Zippable = {}
  for (const { path, text } of files) {
    if (isSafePath(path)) entries[`${OUTPUT_FOLDER}/${path}`] = new TextEncoder().encode(text)
  }
  return zipSync(entries, { mtime: DATE })
}
