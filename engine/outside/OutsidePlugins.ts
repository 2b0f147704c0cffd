import type * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { BoundCriterion } from "../criterion/Registry.ts"
import { draftOf } from "../rubric/Draft.ts"
import { fileText } from "../rubric/FileText.ts"
import type { PluginEntry } from "../rubric/PluginRules.ts"
import { sourceText } from "../rubric/SourceText.ts"
import { readYaml } from "../rubric/YamlSource.ts"
import { pluginSeconds } from "./OutsideLimits.ts"
import { describeOutside } from "./OutsidePlugin.ts"
import { isOutside, resolveOutside } from "./OutsideReference.ts"

const FORBIDDEN = "code from outside runs only with --allow-plugins (DOCGAUGE_ALLOW_PLUGINS=true)"

/**
 * The plugins from outside that a rubric file names, loaded one after the other; none is loaded where they are not allowed.
 * Fails where a setting of their limits is wrong.
 */
export const outsidePlugins = Effect.fn("OutsidePlugins.load")(function*(
  bytes: Uint8Array,
  file: string,
  allow: boolean
): Effect.fn.Return<ReadonlyMap<string, PluginEntry<BoundCriterion>>, Config.ConfigError> {
  const limits = { seconds: yield* pluginSeconds }
  const plugins = new Map<string, PluginEntry<BoundCriterion>>()
  for (const [name, params] of namedIn(bytes, file)) {
    const reference = allow ? resolveOutside(name, file) : Result.fail(FORBIDDEN)
    plugins.set(name, Result.isFailure(reference)
      ? { unavailable: reference.failure }
      : yield* Effect.catch(describeOutside(reference.success, params, limits), ({ message }) => Effect.succeed({ unavailable: message })))
  }
  return plugins
})

/** Plugins from outside that the file names, with their params, as far as the file can be read. */
const namedIn = (bytes: Uint8Array, file: string): ReadonlyMap<string, unknown> => {
  const { finding, text } = fileText(bytes)
  const root = finding === null ? readYaml(sourceText(file, text)).root : null
  if (root === null) return new Map()
  return new Map(draftOf(root).criteria.flatMap(({ params, plugin }) =>
    plugin !== null && isOutside(plugin.value) ? [[plugin.value, params?.plain ?? {}] as const] : []))
}
