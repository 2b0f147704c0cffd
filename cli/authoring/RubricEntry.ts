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
    - { status: present, earns: ${TRIAL_POINTS}, when: "facts.meeting >= 0.8" }
    - { status: absent, earns: 0 }
  why: >-
    Say what an agent loses where ${criterion} is not met.
  how: >-
    Say what ${plugin} looks at, and what it decides where it could be decided otherwise.
  remedy:
    effort: medium
    steps:
      - Say what to do to meet ${criterion}.
  references:
    - { title: Where ${criterion} comes from, url: "https://example.com/${plugin}" }
`
