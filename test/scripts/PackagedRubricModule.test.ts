import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { type PackedYaml, readYamlSource, unpackYaml } from "../../engine/rubric/source/YamlSource.ts"
import { sourceText } from "../../engine/rubric/source/SourceText.ts"
import { packagedRubricCode } from "../../scripts/PackagedRubricModule.ts"

const ROOT = join(import.meta.dirname, "../..")
const RELEASED = join(ROOT, "test/rubric/released")

interface Packaged {
  readonly packagedRubric: { readonly digest: string; readonly yaml: () => PackedYaml }
}

describe("the rubric in the package", () => {
  const files = [
    join(ROOT, "rubric.yaml"),
    ...readdirSync(RELEASED)
      .filter((name) => name.endsWith(".yaml"))
      .map((name) => join(RELEASED, name))
  ]

  it.each(files)("is the tree of values and places that its YAML has: %s", async (file) => {
    const bytes = readFileSync(file)
    const { packagedRubric }: Packaged = await import(
      `data:text/javascript,${encodeURIComponent(packagedRubricCode(bytes))}`
    )
    expect(packagedRubric.digest).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(unpackYaml(packagedRubric.yaml())).toEqual(readYamlSource(sourceText(file, bytes.toString("utf8"))).root)
  })

  it("must be YAML", () => {
    expect(() => packagedRubricCode(Buffer.from("a: [1"))).toThrow("rubric.yaml is not YAML that a rubric may use")
  })
})
