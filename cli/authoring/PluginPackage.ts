import { ENGINE_VERSION } from "../../engine/audit/Version.ts"
import { kindTemplates, type PluginKind } from "./PluginKinds.ts"
import { HEADINGS_GUIDE, type PluginNames } from "./PluginModule.ts"

/** A package with one plugin, as `docgauge plugin new` was told. */
export interface PluginWanted extends PluginNames {
  readonly kind: PluginKind
  /** Of the package: `acme-docs-rules` or `@acme/docs-rules`. */
  readonly name: string
  /** The criterion's id and category: `D8` and `D`. */
  readonly criterion: string
  readonly category: string
  readonly title: string
  /** The rubric that is extended: `docs-ai-readiness@2`. */
  readonly base: string
}

/** The files of the package, by path. */
export const pluginPackage = (wanted: PluginWanted): Readonly<Record<string, string>> => ({
  "package.json": `${JSON.stringify(manifest(wanted), null, 2)}\n`,
  "index.js": kindTemplates[wanted.kind].module(wanted),
  "index.test.js": kindTemplates[wanted.kind].test(wanted),
  "rubric.yaml": rubric(wanted),
  ".github/workflows/test.yml": workflow,
  ".gitignore": "node_modules/\n",
  "README.md": readme(wanted)
})

const manifest = ({ name }: PluginWanted) => ({
  name,
  version: "0.1.0",
  private: true,
  type: "module",
  exports: "./index.js",
  files: ["index.js", "rubric.yaml"],
  scripts: { test: "vitest run && docgauge rubric check rubric.yaml --allow-plugins" },
  peerDependencies: { docgauge: `^${ENGINE_VERSION}` },
  devDependencies: { docgauge: `^${ENGINE_VERSION}`, vitest: "^5.0.0" }
})

const rubric = ({ base, criterion, kind, plugin, title, words }: PluginWanted): string =>
  `# yaml-language-server: $schema=./node_modules/docgauge/dist/rubric.schema.json
#
# What this file does not name is as in ${base}; \`npx docgauge rubric resolve rubric.yaml\` prints the whole.
extends: ${base}

# Criteria on trial are measured and reported apart, and earn nothing.
experimental:
  - id: ${criterion}
    plugin: "./index.js#${plugin}@1"
    title: ${JSON.stringify(title)}
    points: { 1: ${kindTemplates[kind].when} }
    params: { words: ${JSON.stringify(words)} }
    why: An agent that looks for ${words} goes by headings.
    how: ${kindTemplates[kind].how}
    effort: hours
    steps:
      - ${kindTemplates[kind].step(words)}
    read:
      - { title: "W3C: headings", url: "${HEADINGS_GUIDE}" }
`

const workflow = `name: test
on: [push, pull_request]
permissions:
  contents: read
jobs:
  test:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
        with: { persist-credentials: false }
      - uses: actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0
        with: { node-version: 24 }
      - run: npm ci
      - run: npm test
`

const readme = ({ criterion, name, plugin, title }: PluginWanted): string =>
  `# ${name}

A house rule for [docgauge](https://www.npmjs.com/package/docgauge): ${criterion}, "${title}".

| file | what it holds |
|---|---|
| \`index.js\` | the plugin: it measures and reports facts |
| \`rubric.yaml\` | what the facts are worth, why, and what to do about it |
| \`index.test.js\` | small sites, and what the rule earns on each |

\`\`\`sh
npm install
npm test
npx docgauge https://docs.example.com --rubric rubric.yaml --allow-plugins
\`\`\`

Plugins are code that runs with your permissions, so docgauge loads them only with \`--allow-plugins\`.

Elsewhere, install this package beside docgauge, and name the plugin in a rubric as \`plugin: "${name}#${plugin}"\`: the package,
then the plugin's id or export.
`
