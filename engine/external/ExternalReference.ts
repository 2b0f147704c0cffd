import * as Result from "effect/Result"
import { createRequire } from "node:module"
import { dirname, resolve } from "node:path"
import { pathToFileURL } from "node:url"

/** An external plugin, which a rubric names by path (`./criteria/has-glossary.ts`) or package (`@acme/criteria#has-glossary`). */
export interface ExternalReference {
  /** As written in the rubric. */
  readonly name: string
  readonly module: URL
  /** The name of the export; `null`: the module's only plugin. */
  readonly exported: string | null
}

/** Paths begin with a dot or a slash, and packages have a `#` before the export; anything else is a built-in plugin. */
export const isExternal = (name: string): boolean => /^\.{0,2}\//.test(name) || name.includes("#")

/**
 * What Node's `import` looks for in `exports` of a package. `require.resolve` takes them from Node.js 22 on, without a word in its
 * documentation, and is the only resolver of Node's that takes a folder as well; Vite relies on it, too.
 */
const AS_IMPORT = { paths: undefined, conditions: new Set(["node", "import", "module-sync"]) }

/** Resolves the module relative to the rubric file's folder. The error is one clause. */
export const resolveExternal = (name: string, rubricFile: string): Result.Result<ExternalReference, string> => {
  const [specifier = "", exported = null] = name.split("#", 2)
  return Result.map(
    /^\.{0,2}\//.test(specifier)
      ? Result.succeed(resolve(dirname(rubricFile), specifier))
      : resolvePackage(specifier, rubricFile),
    (path) => ({ name, module: pathToFileURL(path), exported })
  )
}

/** A package that exports a module only to `require` is loaded by its path all the same. */
const resolvePackage = (specifier: string, rubricFile: string): Result.Result<string, string> => {
  const { resolve: find } = createRequire(pathToFileURL(resolve(rubricFile)))
  return Result.try({ try: () => find(specifier, AS_IMPORT), catch: unresolved(specifier) }).pipe(
    Result.orElse((message) =>
      Result.mapError(
        Result.try(() => find(specifier)),
        () => message
      )
    )
  )
}

const unresolved =
  (specifier: string) =>
  (error: unknown): string =>
    error instanceof Error && "code" in error && error.code === "ERR_PACKAGE_PATH_NOT_EXPORTED"
      ? `the package of "${specifier}" is installed, but does not export that`
      : `the package "${specifier}" is not installed in the rubric's folder or above it`
