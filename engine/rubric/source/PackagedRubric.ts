import type { PackedYaml } from "./YamlSource.ts"

/** A rubric file that was parsed, and checked with the plugins of the package, when the package was built. */
export interface PackagedRubric {
  /** SHA-256 of the file's bytes, as `sha256:` and hexadecimal digits. */
  readonly digest: string
  readonly yaml: () => PackedYaml
}

/**
 * The package's own rubric: parsing its YAML takes 95 ms of processor time, and checking it 65 ms, of about 900 of an audit. `scripts/PackageCode.ts` replaces this
 * module; in the source tree, where the file changes, there is none.
 */
export const packagedRubric: PackagedRubric | null = null
