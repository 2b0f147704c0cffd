import * as Result from "effect/Result"
import { createRequire } from "node:module"
import { dirname, resolve } from "node:path"
import { pathToFileURL } from "node:url"

/** A plugin that a rubric names by path (`./criteria/has-glossary.ts`) or package (`@acme/criteria#has-glossary`). */
export interface OutsideReference {
  /** As the rubric has it. */
  readonly name: string
  /** The module's file. */
  readonly module: URL
  /** The export; `null`: the module's only plugin. */
  readonly exported: string | null
}

/** Paths begin with a dot or a slash, packages have a `#` before the export; all else is a plugin of ours. */
export const isOutside = (name: string): boolean => /^\.{0,2}\//.test(name) || name.includes("#")

/** Finds the module, from the folder of the rubric file. The failure says in one clause what is wrong. */
export const resolveOutside = (name: string, rubricFile: string): Result.Result<OutsideReference, string> => {
  const [specifier = "", exported = null] = name.split("#", 2)
  try {
    const path = /^\.{0,2}\//.test(specifier)
      ? resolve(dirname(rubricFile), specifier)
      : createRequire(pathToFileURL(resolve(rubricFile))).resolve(specifier)
    return Result.succeed({ name, module: pathToFileURL(path), exported })
  } catch {
    return Result.fail(`the package "${specifier}" is not installed beside the rubric`)
  }
}
