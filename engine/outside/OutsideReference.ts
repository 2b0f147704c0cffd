import * as Result from "effect/Result"
import { createRequire } from "node:module"
import { dirname, resolve } from "node:path"
import { pathToFileURL } from "node:url"

/** An external plugin, which a rubric names by path (`./criteria/has-glossary.ts`) or package (`@acme/criteria#has-glossary`). */
export interface OutsideReference {
  /** As written in the rubric. */
  readonly name: string
  /** The module's file. */
  readonly module: URL
  /** The name of the export; `null`: the module's only plugin. */
  readonly exported: string | null
}

/** Paths begin with a dot or a slash, and packages have a `#` before the export; anything else is a built-in plugin. */
export const isOutside = (name: string): boolean => /^\.{0,2}\//.test(name) || name.includes("#")

/** Resolves the module relative to the rubric file's folder. The error is one clause. */
export const resolveOutside = (name: string, rubricFile: string): Result.Result<OutsideReference, string> => {
  const [specifier = "", exported = null] = name.split("#", 2)
  try {
    const path = /^\.{0,2}\//.test(specifier)
      ? resolve(dirname(rubricFile), specifier)
      : createRequire(pathToFileURL(resolve(rubricFile))).resolve(specifier)
    return Result.succeed({ name, module: pathToFileURL(path), exported })
  } catch {
    return Result.fail(`the package "${specifier}" is not installed in the rubric's folder or above it`)
  }
}
