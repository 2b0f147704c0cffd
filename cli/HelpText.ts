import * as Context from "effect/Context"
import * as Option from "effect/Option"
import type { HelpDoc } from "effect/cli"
import { FlagGroups, flagName } from "./io/Flags.ts"
import { block, type Style, wrap } from "./render/Style.ts"

/** Longer lines are hard to read, even where the terminal has room. */
const MOST_COLUMNS = 100

/** Column at which descriptions start at the latest; what is longer has its description on the next line. */
const LAST_COLUMN = 28

interface Row {
  readonly name: string
  /** What stands after the name: the value that a flag takes. */
  readonly value: string
  readonly description: string
}

interface Section {
  readonly title: string
  readonly lines: ReadonlyArray<string>
}

/**
 * The help of a command for a terminal with this many columns: its subcommands, then its flags under the headings of `FlagGroups`. Commands of
 * examples are not wrapped, so that they can be copied.
 */
export const helpText = (doc: HelpDoc.HelpDoc, columns: number, style: Style): string => {
  const width = Math.min(columns, MOST_COLUMNS)
  const table = (title: string, rows: ReadonlyArray<Row>, column = columnOf(rows)): Section => ({
    title,
    lines: rows.flatMap((row) => linesOf(row, column, width, style))
  })
  const groups = flagGroupsOf(doc)
  const flagColumn = columnOf(groups.flatMap(({ rows }) => rows))
  const sections = [
    { title: "DESCRIPTION", lines: block(doc.description, width, "  ") },
    { title: "USAGE", lines: [`  ${doc.usage}`] },
    table("ARGUMENTS", (doc.args ?? []).map(argumentRow)),
    table("SUBCOMMANDS", (doc.subcommands ?? []).flatMap(({ commands }) => commands).map(subcommandRow)),
    ...groups.map(({ rows, title }) => table(title, rows, flagColumn)),
    { title: "EXAMPLES", lines: (doc.examples ?? []).flatMap((example) => exampleLines(example, style)) }
  ]
  return sections
    .filter(({ lines }) => lines.length > 0)
    .map(({ lines, title }) => [style.bold(title), ...lines].join("\n"))
    .join("\n\n")
}

/** The flags that a command's groups do not name stand under FLAGS. */
const flagGroupsOf = ({
  annotations,
  flags,
  globalFlags = []
}: HelpDoc.HelpDoc): ReadonlyArray<{ readonly title: string; readonly rows: ReadonlyArray<Row> }> => {
  const groups = Object.entries(Context.get(annotations, FlagGroups)).map(([title, group]) => ({
    title,
    names: Object.keys(group).map(flagName)
  }))
  const titleOf = (flag: HelpDoc.FlagDoc): string =>
    groups.find(({ names }) => names.includes(flag.name))?.title ?? "Flags"
  return [
    ...["Flags", ...groups.map(({ title }) => title)].map((title) => ({
      title: title.toUpperCase(),
      rows: flags.filter((flag) => titleOf(flag) === title).map(flagRow)
    })),
    { title: "GLOBAL FLAGS", rows: globalFlags.map(flagRow) }
  ]
}

/** Effect's own flags have their choices as the type too: `<all|trace|…>`. */
const flagRow = ({ aliases, description, name, type }: HelpDoc.FlagDoc): Row => ({
  name: [`--${name}`, ...aliases].join(", "),
  value: type === "boolean" ? "" : type.startsWith("<") ? " CHOICE" : ` ${type}`,
  description: withoutKnownChoices(Option.getOrElse(description, () => ""))
})

/** Effect lists the choices at the end of each description, even where that has named them all. */
const withoutKnownChoices = (description: string): string => {
  const [listed = "", own = "", choices = ""] = /^(.*) \(choices: (.*)\)$/s.exec(description) ?? []
  const words = new Set(own.match(/[\w-]+/g))
  return listed !== "" && choices.split(", ").every((choice) => words.has(choice)) ? own : description
}

const argumentRow = ({ description, name, required, variadic }: HelpDoc.ArgDoc): Row => ({
  name: variadic ? `${name}...` : name,
  value: "",
  description: `${Option.getOrElse(description, () => "")}${required ? "" : " (optional)"}`
})

const subcommandRow = ({ description, name, shortDescription }: HelpDoc.SubcommandDoc): Row => ({
  name,
  value: "",
  description: shortDescription ?? description
})

const leftOf = ({ name, value }: Row): string => `  ${name}${value}  `

const columnOf = (rows: ReadonlyArray<Row>): number =>
  Math.max(0, ...rows.map((row) => leftOf(row).length).filter((length) => length <= LAST_COLUMN))

const linesOf = (row: Row, column: number, width: number, style: Style): ReadonlyArray<string> => {
  const [first = "", ...rest] = wrapped(row.description, Math.max(20, width - column))
  const left = leftOf(row)
  const styled = `  ${style.bold(row.name)}${style.dim(row.value)}`
  const indented = (line: string): string => " ".repeat(column) + line
  return left.length > column
    ? [styled, indented(first), ...rest.map(indented)]
    : [`${styled}${" ".repeat(column - left.length + 2)}${first}`, ...rest.map(indented)]
}

/** A flag of an example stays on one line with its value. */
const wrapped = (description: string, width: number): ReadonlyArray<string> =>
  wrap(description.replaceAll(/(--[a-z]+(?:-[a-z]+)*|\(default:) /g, `$1${NO_BREAK}`), width).map((line) =>
    line.replaceAll(NO_BREAK, " ")
  )

const NO_BREAK = "\u00a0"

const exampleLines = ({ command, description = "" }: HelpDoc.ExampleDoc, style: Style): ReadonlyArray<string> => [
  `  ${style.dim(`# ${description}`)}`,
  `  ${command}`
]
