import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { packageFile } from "../../files/PackageFiles.ts"

/** A style sheet or a script of the pages, by its file name. */
export type AssetName = `${string}.css` | `${string}.js`

const paths = new Map<string, string>()

/** The path of an asset, with the hash of its content: `/assets/base-3f2a9c10d4.css`. Throws for an unknown name. */
export const assetPath = (name: AssetName): string => {
  const known = paths.get(name)
  if (known !== undefined) return known
  const hash = createHash("sha256").update(assetText(name)).digest("hex").slice(0, 10)
  const path = `/assets/${name.replace(/\.(\w+)$/, `-${hash}.$1`)}`
  paths.set(name, path)
  return path
}

/** The text of an asset. Throws for an unknown name. */
export const assetText = (name: string): string => {
  const file = packageFile(name)
  if (file === null) throw new Error(`there is no asset ${name}`)
  return readFileSync(file, "utf8")
}
