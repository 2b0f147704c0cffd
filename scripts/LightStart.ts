import process from "node:process"
import type { Plugin } from "rolldown"

/*
 * What makes the bundle start sooner: most of a cold start is spent on loading what that run does not use. From source
 * everything runs as it is written.
 */

/** Parts of Node that are large, or load others that are: together a tenth of a cold start. */
const LARGE_BUILTINS = /^node:(child_process|crypto|dns|https?|http2|readline|zlib)$/

/** Each of their names is read when it is first used, and the part loaded with it; most programs use few of them. */
const readWhenUsed: Plugin = {
  name: "builtins-when-used",
  resolveId: (id) => (LARGE_BUILTINS.test(id) ? `\0${id}.cjs` : null),
  load: (id) => {
    const name = /^\0node:(\w+)\.cjs$/.exec(id)?.[1]
    return name === undefined ? null : `
      const whole = () => process.getBuiltinModule("${name}")
      const parts = ${JSON.stringify(Object.keys(process.getBuiltinModule(name) ?? {}))}
      for (const part of parts) Object.defineProperty(exports, part, { enumerable: true, get: () => whole()[part] })`
  }
}

/** Libraries of which every start reads as little as is used of them. */
const LEAN: ReadonlyMap<string, string> = new Map([
  // As its index puts it together, without the clients that are not used.
  ["undici", `
    import Client from "undici/lib/dispatcher/client.js"
    import Dispatcher from "undici/lib/dispatcher/dispatcher.js"
    import api from "undici/lib/api/index.js"
    Object.assign(Dispatcher.prototype, api)
    export { Client }`],
  ["iconv-lite", `
    import { createRequire } from "node:module"
    const require = createRequire(import.meta.url)
    export default { decode: (bytes, charset) => require("./iconv-lite.cjs").decode(bytes, charset) }`]
])

/** What undici loads for uses that are not ours: HTTP/2, requests of `node:http` as bodies, header limits that are not said. */
const UNUSED_BY_UNDICI: ReadonlyMap<string, string> = new Map([
  ["./client-h2.js", "module.exports = () => { throw new Error(\"HTTP/2 is not in this package\") }"],
  ["node:http", "module.exports = { maxHeaderSize: 16384, IncomingMessage: class IncomingMessage {} }"]
])

const inPart: Plugin = {
  name: "libraries-in-part",
  resolveId: (id, importer = "") =>
    importer.startsWith("\0") ? null
      : LEAN.has(id) ? `\0${id}`
      : importer.includes("/node_modules/undici/") && UNUSED_BY_UNDICI.has(id) ? `\0undici:${id}.cjs`
      : null,
  load: (id) => LEAN.get(id.slice("\0".length)) ?? UNUSED_BY_UNDICI.get(/^\0undici:(.+)\.cjs$/.exec(id)?.[1] ?? "") ?? null
}

/** A splitter of text into characters as people see them, which takes 5 ms to make and serves help alone. */
const SEGMENTER = /const graphemeSegmenter = \/\*#__PURE__\*\/(new Intl\.Segmenter\([^()]*\));/

const madeWhenUsed: Plugin = {
  name: "segmenter-when-used",
  transform: {
    filter: { id: /\/effect\/dist\/cli\/CliOutput\.js$/ },
    handler(code, id) {
      if (!SEGMENTER.test(code)) throw new Error(`${id} makes its segmenter in another way now: see ${import.meta.filename}`)
      return code.replace(SEGMENTER, (_, making: string) => `
        let segmenter
        const graphemeSegmenter = { segment: (text) => (segmenter ??= ${making}).segment(text) };`)
    }
  }
}

/** The plugins of the bundler that see to it. */
export const lightStart: ReadonlyArray<Plugin> = [inPart, readWhenUsed, madeWhenUsed]
