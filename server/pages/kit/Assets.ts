import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { packageFile, packageFiles } from "../../files/PackageFiles.ts"

/** A style sheet or a script of the pages, by its file name. */
export type AssetName = `${string}.css` | `${string}.js`

/** The text of an asset. Throws for an unknown name. */
export const assetText = (name: string): string => {
  const file = packageFile(name)
  if (file === null) throw new Error(`there is no asset ${name}`)
  return readFileSync(file, "utf8")
}

const isAsset = (name: string): name is AssetName => /^[\w.-]+\.(?:css|js)$/.test(name)

const hashOf = (name: AssetName): string => createHash("sha256").update(assetText(name)).digest("hex").slice(0, 10)

const paths: ReadonlyMap<string, string> = new Map(
  packageFiles().filter(isAsset).map((name) => [name, `/assets/${name.replace(/\.(\w+)$/, `-${hashOf(name)}.$1`)}`])
)

/** All assets by their paths. */
export const assetsByPath: ReadonlyMap<string, string> = new Map([...paths].map(([name, path]) => [path, name]))

/** The path of an asset, with the hash of its content: `/assets/base-3f2a9c10d4.css`. Throws for an unknown name. */
export const assetPath = (name: AssetName): string => {
  const path = paths.get(name)
  if (path === undefined) throw new Error(`there is no asset ${name}`)
  return path
}
