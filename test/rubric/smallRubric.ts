import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import { count, flag, share, word } from "../../engine/plugin/Fact.ts"
import type { Revision } from "../../engine/plugin/Registry.ts"
import type { KnownPlugin } from "../../engine/rubric/rules/PluginRules.ts"

/** A rubric of three criteria, one of them on trial; what is not under test in it is right. */
export const smallRubric = `format: 1
id: small
version: 1.1.0
title: Is it small?
verdicts:
  - { from: 50, word: Good, meaning: Enough. }
  - { from: 0, word: Poor, meaning: Too little. }
categories:
  - id: A
    key: A_first
    title: First
    points: 60
    why: It comes first.
    criteria:
      - id: A1
        plugin: has-links
        revision: 2
        title: There are links
        points: 60
        params: { sample: 5 }
        levels:
          - { status: present, earns: 60, when: "facts.links >= 3 && facts.alive >= 0.9" }
          - { status: partial, earns: 20, when: "facts.links >= 1" }
          - { status: absent, earns: 0 }
        why: Links lead on.
        how: They are counted.
        remedy: { effort: low, steps: [Add links.] }
        references: [{ title: Links, url: "https://www.rfc-editor.org/rfc/rfc9309" }]
  - id: B
    key: B_second
    title: Second
    points: 40
    why: It comes second.
    criteria:
      - id: B1
        plugin: has-kind
        revision: 1
        title: There is a kind
        points: 40
        params: {}
        levels:
          - status: present
            earns: 40
            when: >-
              facts.kind == "best" &&
              facts.open
          - { status: absent, earns: 0 }
        why: Kinds matter.
        how: It is looked up.
        remedy: { effort: high, steps: [Have one.] }
        references: [{ title: Kinds, url: "https://www.rfc-editor.org/rfc/rfc9309" }]
experimental:
  - id: B2
    category: B
    plugin: on-trial
    revision: 1
    title: It is tried
    points: 10
    params: {}
    levels:
      - { status: present, earns: 10, when: facts.open }
      - { status: absent, earns: 0 }
    why: One has to try.
    how: By looking.
    remedy: { effort: medium, steps: [Open it.] }
    references: [{ title: Trial, url: "https://www.rfc-editor.org/rfc/rfc9309" }]
changes:
  - { version: 1.1.0, date: 2026-02-01, what: B2 on trial., criteria: [B2] }
  - { version: 1.0.0, date: 2026-01-01, what: First release., criteria: all }
`

const plugin = (
  revision: Revision,
  facts: KnownPlugin<unknown>["facts"],
  params: Schema.ConstraintDecoder<unknown>
): KnownPlugin<unknown> => {
  const decode = SchemaParser.decodeUnknownResult(params, { errors: "all", onExcessProperty: "error" })
  return { revision, facts, bind: (raw) => Result.map(decode(raw), (value): unknown => value) }
}

const HasLinksParams = Schema.Struct({ sample: Schema.Int }).check(
  Schema.makeFilter(({ sample }) => sample !== 13, { message: "are unlucky" })
)
const hasLinksFacts = { links: count("Links."), alive: share("Links that answer.") }

export const smallPlugins: ReadonlyMap<string, KnownPlugin<unknown>> = new Map([
  ["has-links", plugin(2, hasLinksFacts, HasLinksParams)],
  [
    "has-kind",
    plugin(
      1,
      { kind: word(["none", "good", "best"], "The kind."), open: flag("Whether it is open.") },
      Schema.Struct({})
    )
  ],
  ["on-trial", plugin(1, { open: flag("Whether it is open.") }, Schema.Struct({}))]
])

/** The same plugins, of which one has a fact more, `outgoing`, at a revision that says so. */
export const withOutgoing = (revision: Revision): typeof smallPlugins =>
  new Map([
    ...smallPlugins,
    ["has-links", plugin(revision, { ...hasLinksFacts, outgoing: count("Links to other sites.") }, HasLinksParams)]
  ])

/** The small rubric with the first `from` replaced by `to`; throws where there is none, so that a test cannot miss its aim. */
export const edited = (from: string, to: string, text = smallRubric): string => {
  if (!text.includes(from)) throw new Error(`the small rubric has no "${from}"`)
  return text.replace(from, () => to)
}
