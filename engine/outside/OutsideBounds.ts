import { isBuiltin, registerHooks } from "node:module"
import process from "node:process"

/** Modules of Node that only compute. */
const HARMLESS: ReadonlySet<string> = new Set([
  "assert",
  "buffer",
  "events",
  "path",
  "path/posix",
  "punycode",
  "querystring",
  "string_decoder",
  "url",
  "util"
])

/** Ways to the network that need no import. */
const CLIENTS = ["fetch", "WebSocket", "EventSource"]

/** What this program consists of, and its libraries: they read the site for the plugin. */
const OWN_FOLDER = new URL(import.meta.url.endsWith(".ts") ? "../" : "./", import.meta.url).href

/**
 * Keeps a plugin from outside to the site that it is given: without network, file system, processes and threads of its own,
 * which no archive records and no replay repeats. It holds authors to the rules of a plugin; it is no sandbox for hostile
 * code, which `--allow-plugins` lets in.
 */
export const keepToTheSite = (module: string): void => {
  const folder = packageOf(module)
  registerHooks({
    resolve: (specifier, context, next) => {
      if (isBuiltin(specifier) && !HARMLESS.has(specifier.replace(/^node:/, "")) && isOf(folder, context.parentURL))
        throw new Error(`it uses ${specifier}: a plugin reads the site and nothing else`)
      return next(specifier, context)
    }
  })
  for (const name of CLIENTS) Object.defineProperty(globalThis, name, { configurable: true, value: refusing(name) })
  process.getBuiltinModule = refusing("process.getBuiltinModule")
}

const refusing = (name: string) =>
  function (): never {
    throw new Error(`it uses ${name}: a plugin reads the site and nothing else`)
  }

/** Of a plugin in a package its folder; of one that a rubric names by path "", all that is no package. */
const packageOf = (module: string): string => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+\//.exec(module)?.[0] ?? ""

/** Whether a file is the plugin's own: of its package, and neither ours nor a library's. */
export const isOfPlugin = (module: string, file: string): boolean => isOf(packageOf(module), file)

const isOf = (folder: string, parent: string | undefined): boolean =>
  parent !== undefined &&
  parent.startsWith(folder) &&
  !parent.startsWith(OWN_FOLDER) &&
  !parent.slice(folder.length).includes("/node_modules/")
