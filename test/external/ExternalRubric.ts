import { resolve } from "node:path"
import type { Revision } from "../../engine/plugin/Registry.ts"
import { HOUSE_RUBRIC_HEADER } from "../harness/HouseRubric.ts"

/** An external plugin as a rubric names it, and when its criterion is present. */
export interface NamedPlugin {
  readonly plugin: string
  readonly revision: Revision
  readonly params: string
  readonly when: string
}

/** Where the rubric would be: its plugins are named relative to this. */
export const OUTSIDE_RUBRIC_FILE = resolve(import.meta.dirname, "criteria", "rubric.yaml")

/** A small rubric of one category whose plugins all come from outside. */
export const rubricOf = (plugins: ReadonlyArray<NamedPlugin>): Uint8Array =>
  new TextEncoder().encode(`${HOUSE_RUBRIC_HEADER}${plugins
    .map(
      ({ params, plugin, revision, when }, index) => `      - id: A${index + 1}
        plugin: "${plugin}"
        revision: ${JSON.stringify(revision)}
        title: Rule ${index + 1}
        points: ${index === 0 ? 100 - 5 * (plugins.length - 1) : 5}
        params: ${params}
        levels:
          - { status: present, earns: ${index === 0 ? 100 - 5 * (plugins.length - 1) : 5}, when: "${when}" }
          - { status: absent, earns: 0 }
        why: Because of rule ${index + 1}.
        how: Rule ${index + 1} is looked at.
        remedy: { effort: low, steps: [Keep rule ${index + 1}.] }
        references: [{ title: Rule ${index + 1}, url: "https://rules.example.com/${index + 1}" }]
`
    )
    .join("")}changes:
  - { version: 1.0.0, date: 2026-11-21, what: First release., criteria: all }
`)
