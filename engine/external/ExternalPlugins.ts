import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { BoundCriterion } from "../plugin/Registry.ts"
import type { PluginEntry } from "../rubric/rules/PluginRules.ts"
import { readSource } from "../rubric/RubricSource.ts"
import { limitsOf, pluginSeconds } from "./ExternalLimits.ts"
import { describeExternal, type ExternalReference } from "./ExternalPlugin.ts"
import { createRequire } from "node:module"
import { dirname, resolve } from "node:path"
import { pathToFileURL } from "node:url"

const FORBIDDEN = "external plugins run only with --allow-plugins (a service: DOCGAUGE_ALLOW_PLUGINS=true)"

/**
 * The external plugins that a rubric file names, loaded one after the other; none if they are not allowed. Fails if a setting of
 * their limits is invalid.
 */
export const externalPlugins = Effect.fn("ExternalPlugins.load")(function* (
  bytes: Uint8Array,
  file: string,
  allow: boolean
): Effect.fn.Return<ReadonlyMap<string, PluginEntry<BoundCriterion>>, Config.ConfigError> {
  const limits = limitsOf(yield* pluginSeconds)
  const plugins = new Map<string, PluginEntry<BoundCriterion>>()
  for (const [name, params] of yield* namedIn(bytes, file)) {
    const reference = allow ? resolveExternal(name, file) : Result.fail(FORBIDDEN)
    plugins.set(
      name,
      Result.isFailure(reference)
        ? { unavailable: reference.failure }
        : yield* Effect.catch(describeExternal(reference.success, params, limits), ({ message }) =>
            Effect.succeed({ unavailable: message })
          )
    )
  }
  return plugins
})

/** External plugins that the file names, with their params, as far as the file can be parsed. */
const namedIn = (bytes: Uint8Array, file: string): Effect.Effect<ReadonlyMap<string, unknown>> =>
  Effect.match(readSource(bytes, file), {
    onFailure: () => new Map<string, unknown>(),
    onSuccess: ({ draft }) =>
      new Map<string, unknown>(
        draft.criteria.flatMap(({ params, plugin }) =>
          plugin !== null && isExternal(plugin.value) ? [[plugin.value, params?.plain ?? {}] as const] : []
        )
      )
  })

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
