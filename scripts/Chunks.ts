/*
 * Which modules are one file of the built package. Without these, the bundler makes a file of all modules that the same entry points
 * and `import()`s need: some eighty files before a command's first request, of which each costs a third of a millisecond to find and
 * to link. With them a command's first request leaves 40 to 60 ms earlier, and an audit takes 6 % less time and CPU (34 sites of the corpus).
 */

interface Chunk {
  readonly name: string
  /** Modules; all that they import statically comes with them, unless an earlier chunk has it. Entry points can't be in a chunk: it would wait for itself. */
  readonly modules: RegExp
}

/** Earlier ones come first: what two of them need is in the first. */
const CHUNKS: ReadonlyArray<Chunk> = [
  // All that the main thread of a command loads, so that its thread starts early.
  {
    name: "launch",
    modules: /[\\/](?:cli[\\/](?:Commands|Supervisor)|engine[\\/](?:audit[\\/]Version|process[\\/]CompileCache))\.ts$/
  },
  // What reports and share images need.
  { name: "compression", modules: /[\\/]node_modules[\\/]fflate[\\/]/ },
  // What both fetching and reading pages need.
  {
    name: "addresses",
    modules:
      /[\\/]engine[\\/](?:evidence[\\/](?:Address|Exchange)|text[\\/](?:EventStream|JsonText|MarkupText|UrlPath))\.ts$/
  },
  // All that the thread that reads API descriptions loads.
  { name: "descriptions", modules: /[\\/]engine[\\/]apispec[\\/]read[\\/]ReadSpec\.ts$/ },
  // All that the thread that reads pages loads: nothing of Effect.
  { name: "pages", modules: /[\\/]engine[\\/]parse[\\/]PageTask\.ts$/ },
  // What an audit needs until its first request, without the command line.
  {
    name: "fetching",
    modules: /[\\/]engine[\\/](?:audit[\\/]Audit|parse[\\/]ParserPool|evidence[\\/]http[\\/]GuardedHttp)\.ts$/
  },
  {
    name: "command",
    modules: /[\\/]cli[\\/](?:Program|commands[\\/]audit|audit[\\/]AuditAndPrint|audit[\\/]LocalAudit)\.ts$/
  },
  // What docgauge.yaml is read with, before the first request: rubrics are read with it too.
  {
    name: "sources",
    modules:
      /[\\/]engine[\\/](?:rubric[\\/]source[\\/](?:NearestName|Problem|SchemaDiagnostics|SourceText|YamlSource)|site[\\/]sample[\\/]NamedPages)\.ts$/
  },
  // What it loads while the first answers are on their way.
  {
    name: "judging",
    modules:
      /[\\/](?:engine[\\/]audit[\\/]AuditSteps|engine[\\/]site[\\/]wellknown[\\/]Robots|cli[\\/]io[\\/]Rubrics)\.ts$/
  }
]

/** As the bundler wants them. */
export const chunkGroups = CHUNKS.map(({ modules, name }, index) => ({
  name,
  test: modules,
  priority: CHUNKS.length - index
}))
