import * as Context from "effect/Context"
import { Flag } from "effect/cli"

/*
 * Flags that several commands share, under the same name and meaning.
 */

/** An annotation of a command: the headings under which its help lists the flags, each with the definitions of its flags. */
export const FlagGroups = Context.Reference<Readonly<Record<string, Readonly<Record<string, unknown>>>>>(
  "docgauge/cli/FlagGroups",
  { defaultValue: () => ({}) }
)

/** `allow-http`, which a definition has under the key `allowHttp`. */
export const flagName = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export const described =
  (description: string) =>
  <A>(flag: Flag.Flag<A>) =>
    Flag.withDescription(flag, description)

export const optionalText = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), described(description), Flag.optional)

/** A flag that may be given several times. */
export const repeated = (name: string, metavar: string, description: string) =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), described(description), Flag.atLeast(0))

/** `--format`; the default is text. */
export const formatFlag = <const Formats extends readonly ["text", ...ReadonlyArray<string>]>(
  formats: Formats,
  description: string
) => Flag.Literals("format", formats).pipe(Flag.withMetavar("FORMAT"), described(description), Flag.withDefault("text"))

/** A boolean flag, false by default. */
export const off = (name: string, description: string) =>
  Flag.Boolean(name).pipe(described(description), Flag.withDefault(false))

export const rubric = optionalText(
  "rubric",
  "FILE",
  "Use this rubric instead of the built-in one. --rubric ./rubric.yaml"
)

export const allowPlugins = off(
  "allow-plugins",
  "Run plugins that the rubric names by path or package, with your permissions: use it only with code you trust. --rubric house.yaml --allow-plugins"
)

export const noColor = off("no-color", "Print without colours")

export const resolve = repeated(
  "resolve",
  "HOST:PORT:ADDRESS[:PORT]",
  "Connect to ADDRESS instead of HOST, as with curl --resolve; * matches any host; repeatable. --resolve '*:443:127.0.0.1:8443'"
)

export const allowPrivate = off("allow-private", "Audit hosts that are not public, such as localhost")

export const allowHttp = off("allow-http", "Audit http:// URLs")
