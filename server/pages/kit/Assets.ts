import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { packageFile, packageFiles } from "../../files/PackageFiles.ts"

/** A style sheet, script, font or image of the pages, by its file name. */
export type AssetName = `${string}.${"css" | "js" | "svg" | "png" | "ico" | "woff2"}`

/** The bytes of an asset. Throws for an unknown name. */
export const assetBytes = (name: string): Uint8Array => {
  const file = packageFile(name)
  if (file === null) throw new Error(`there is no asset ${name}`)
  return readFileSync(file)
}

/** The text of an asset; a style sheet has the paths of the files that it names. Throws for an unknown name. */
export const assetText = (name: string): string => {
  const text = new TextDecoder().decode(assetBytes(name))
  return name.endsWith(".css")
    ? text.replaceAll(/url\("([\w.-]+)"\)/g, (_, file: string) => `url("${pathOf(file)}")`)
    : text
}

const isAsset = (name: string): name is AssetName => /^[\w.-]+\.(?:css|js|svg|png|ico|woff2)$/.test(name)

const pathOf = (name: string): string => {
  const content = name.endsWith(".css") ? assetText(name) : assetBytes(name)
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 10)
  return `/assets/${name.replace(/\.(\w+)$/, `-${hash}.$1`)}`
}

const paths: ReadonlyMap<string, string> = new Map(
  packageFiles()
    .filter(isAsset)
    .map((name) => [name, pathOf(name)])
)

export const assetsByPath: ReadonlyMap<string, string> = new Map([...paths].map(([name, path]) => [path, name]))

/** The path of an asset, with the hash of its content: `/assets/base-3f2a9c10d4.css`. Throws for an unknown name. */
export const assetPath = (name: AssetName): string => {
  const path = paths.get(name)
  if (path === undefined) throw new Error(`there is no asset ${name}`)
  return path
}
