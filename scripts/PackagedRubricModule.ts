import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { readFileSync, realpathSync } from "node:fs"
import { join } from "node:path"
import type { Plugin } from "rolldown"
import { loadRubric } from "../engine/rubric/RubricFile.ts"
import { sourceText } from "../engine/rubric/source/SourceText.ts"
import { packYaml, readYamlSource } from "../engine/rubric/source/YamlSource.ts"
import { plugins } from "../plugins/index.ts"

const root = join(import.meta.dirname, "..")

/** Fails if the path does not exist: the package would silently parse its rubric at run time. */
const REPLACED = realpathSync(join(root, "engine", "rubric", "source", "PackagedRubric.ts"))

/** The module with the rubric in `bytes`, parsed. */
export const packagedRubricCode = (bytes: Uint8Array): string => {
  const { root: node } = readYamlSource(sourceText("rubric.yaml", new TextDecoder().decode(bytes)))
  if (node === null) throw new Error("rubric.yaml is not YAML that a rubric may use")
  const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`
  return `export const packagedRubric = { digest: ${JSON.stringify(digest)}, yaml: () => JSON.parse(${JSON.stringify(JSON.stringify(packYaml(node)))}) }`
}

/** The module with the package's own rubric. Fails if the rubric has problems: the package does not look for them again. */
export const checkedRubricCode = async (): Promise<string> => {
  const bytes = readFileSync(join(root, "rubric.yaml"))
  await Effect.runPromise(loadRubric(bytes, "rubric.yaml", plugins))
  return packagedRubricCode(bytes)
}

/** Puts the parsed rubric of the package into its code. */
export const packagedRubricModule: Plugin = {
  name: "packaged-rubric",
  load: (id) => (id === REPLACED ? checkedRubricCode() : null)
}
