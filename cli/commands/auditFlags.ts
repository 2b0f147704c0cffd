import { Argument, Flag } from "effect/cli"

const described = (description: string) => <A>(flag: Flag.Flag<A>) => Flag.withDescription(flag, description)
const optionalText = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), described(description), Flag.optional)
const off = (name: string, description: string) => Flag.Boolean(name).pipe(described(description), Flag.withDefault(false))
const whole = (name: string, metavar: string, description: string) => Flag.Int(name).pipe(Flag.withMetavar(metavar), described(description))

/** Shared by everything that loads a rubric of somebody else's. */
export const allowPlugins = off("allow-plugins", "Run the plugins from outside that a rubric names by path or package: code that is trusted with this machine. --rubric house.yaml --allow-plugins")

/** What `docgauge <base-url>` takes. */
export const auditFlags = {
  url: Argument.String("base-url").pipe(
    Argument.withDescription("Address of the documentation, such as https://docs.example.com"),
    Argument.optional
  ),
  format: Flag.Literals("format", ["text", "json", "markdown", "both"]).pipe(
    described("How to print the report: text, json, markdown, or both (Markdown and JSON), such as --format json"),
    Flag.withDefault("text")
  ),
  output: optionalText("output", "FILE", "Write the report to FILE instead of stdout; with --format both, to FILE.md and FILE.json. --output report.json"),
  minScore: whole("min-score", "N", "Exit 1 where the score is below N. --min-score 75").pipe(Flag.optional),
  baseline: optionalText("baseline", "REPORT.json", "An earlier report to hold this one against. --baseline main.json --max-drop 2"),
  maxDrop: whole("max-drop", "N", "With --baseline: exit 1 where the score fell by more than N. --max-drop 0").pipe(Flag.withDefault(0)),
  rubric: optionalText("rubric", "FILE", "Judge by another rubric. --rubric ./rubric.yaml"),
  record: optionalText("record", "FILE", "Keep every exchange as a WARC archive. --record audit.warc.gz"),
  replay: optionalText("replay", "FILE", "Audit from an archive, without any network; the address may be left out. --replay audit.warc.gz"),
  resolve: Flag.String("resolve").pipe(
    Flag.withMetavar("HOST:PORT:ADDRESS[:PORT]"),
    described("Lead a host to an address, as curl does; * is any name; may be repeated. --resolve '*:443:127.0.0.1:8443'"),
    Flag.atLeast(0)
  ),
  canonicalOrigin: optionalText("canonical-origin", "URL", "The production address that a preview names in its files: read it as the audited one. --canonical-origin https://docs.example.com"),
  allowPrivate: off("allow-private", "Audit addresses that are not public, such as localhost"),
  allowHttp: off("allow-http", "Audit http:// addresses"),
  allowPlugins,
  sample: whole("sample", "N", "Pages to look at. --sample 40").pipe(Flag.withDefault(20)),
  concurrency: whole("concurrency", "N", "Requests at once to a host. --concurrency 2").pipe(Flag.withDefault(6)),
  timeout: whole("timeout", "SECONDS", "Time for gathering evidence. --timeout 60").pipe(Flag.withDefault(100)),
  server: optionalText("server", "URL", "Have a docgauge service audit the site, and print its report. --server https://docgauge.example"),
  quiet: off("quiet", "No progress on stderr"),
  noColor: off("no-color", "No colours, even on a terminal")
} as const
