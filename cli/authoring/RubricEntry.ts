import { PLACEHOLDERS } from "../../engine/rubric/rules/Texts.ts"
import type { CriterionNames } from "./CriterionNames.ts"
import { TRIAL_POINTS } from "./TestTemplate.ts"

/** The rubric's entry for a new criterion, without indentation; lines end with line feeds. */
export const rubricEntry = ({ category, criterion, plugin }: CriterionNames, title: string): string =>
  `- id: ${criterion}
  category: ${category.id}
  plugin: ${plugin}
  revision: 1
  title: ${JSON.stringify(title)}
  points: ${TRIAL_POINTS}
  params: {}
  levels:
    - { status: present, earns: ${TRIAL_POINTS}, when: "facts.matching >= 0.8" }
    - { status: absent, earns: 0 }
  why: >-
    ${PLACEHOLDERS.why(criterion)}
  how: >-
    ${PLACEHOLDERS.how(plugin)}
  remedy:
    effort: days
    steps:
      - ${PLACEHOLDERS.step(criterion)}
  references:
    - { title: Where ${criterion} comes from, url: "https://example.com/${plugin}" }
`

/** The same in format 3. */
export const rubricEntryThree = ({ criterion, plugin }: CriterionNames, title: string): string =>
  `- id: ${criterion}
  title: ${JSON.stringify(title)}
  plugin: ${plugin}@1
  points: { ${TRIAL_POINTS}: matching >= 0.8 }
  why: >-
    ${PLACEHOLDERS.why(criterion)}
  how: >-
    ${PLACEHOLDERS.how(plugin)}
  effort: days
  steps:
  - ${PLACEHOLDERS.step(criterion)}
  read:
  - { title: Where ${criterion} comes from, url: "https://example.com/${plugin}" }
`
