import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import { HttpServerRequest } from "effect/http/HttpServerRequest"
import { nothingHere } from "../../http/NoRoute.ts"
import { packageFile, packageFiles } from "../../PackageFiles.ts"
import { LastingContent } from "./LastingContent.ts"

/** A style sheet or a script of the pages, by its file name. */
export type AssetName = `${string}.css` | `${string}.js`

const TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8"
}

/** The address has the content's hash in it: what is there never changes. */
const HEADERS = { "cache-control": "public, max-age=31536000, immutable" }

const paths = new Map<string, string>()

/** The path of an asset, with the hash of its content: `/assets/base-3f2a9c10d4.css`. Throws where there is none of that name. */
export const assetPath = (name: AssetName): string => {
  const known = paths.get(name)
  if (known !== undefined) return known
  const hash = createHash("sha256").update(contentOf(name)).digest("hex").slice(0, 10)
  const path = `/assets/${name.replace(/\.(\w+)$/, `-${hash}.$1`)}`
  paths.set(name, path)
  return path
}

const contentOf = (name: string): string => {
  const file = packageFile(name)
  if (file === null) throw new Error(`there is no asset ${name}`)
  return readFileSync(file, "utf8")
}

const isAsset = (name: string): name is AssetName => /^[\w.-]+\.(?:css|js)$/.test(name)

/** GET /assets/{name}-{hash}.{ext}: read and compressed when first asked for. */
export const assetRoutes = HttpRouter.use((router) =>
  Effect.gen(function*() {
    const made = new Map<string, LastingContent>()
    const names = new Map(packageFiles().filter(isAsset).map((name) => [assetPath(name), name]))

    const find = (path: string): LastingContent | null => {
      const name = names.get(path)
      if (name === undefined) return null
      const content = made.get(path) ?? new LastingContent(contentOf(name), { type: TYPES[name.split(".").at(-1) ?? ""] ?? "", headers: HEADERS })
      made.set(path, content)
      return content
    }

    yield* router.add("GET", "/assets/:file", Effect.gen(function*() {
      const request = yield* HttpServerRequest
      const { file = "" } = yield* HttpRouter.params
      const content = find(`/assets/${file}`)
      return content === null ? nothingHere(request) : yield* content.to(request)
    }))
  }))
