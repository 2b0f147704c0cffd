import * as Effect from "effect/Effect"
import process from "node:process"

/** Writes a report to stdout and waits until everything is written: a pipe may be slower than we are. */
export const writeOut = (text: string, format = "text"): Effect.Effect<void> =>
  Effect.callback((resume) => {
    process.stdout.write(isGithubLog() ? logText(text, format) : text, () => resume(Effect.void))
  })

/*
 * GitHub's runner reads commands from what a step prints: a line that begins with `::`, after white space, and `##[` anywhere in a
 * line. A site has a say in reports and messages, so neither may come from it.
 */

/** Whether what is printed becomes the log of a GitHub workflow. */
export const isGithubLog = (): boolean => process.env["GITHUB_ACTIONS"] === "true"

/** Text without anything that GitHub's runner would take for a command: a space is put between the marks. */
export const withoutCommands = (text: string): string =>
  text.replaceAll("##[", "# #[").replaceAll(/^([^\S\r\n\u2028\u2029]*):(?=:)/gm, "$1: ")

/** JSON of the same value; a line of it can only begin with a bracket, a quote or white space. */
const jsonWithoutCommands = (text: string): string => text.replaceAll("##[", "#\\u0023[")

/** HTML or XML of the same content. */
const markupWithoutCommands = (text: string): string =>
  text.replaceAll("##[", "#&#35;[").replaceAll(/^([^\S\r\n\u2028\u2029]*):(?=:)/gm, "$1&#58;")

/** A report for a GitHub log. JSON and markup stay what they are to a program that reads them. */
export const logText = (text: string, format: string): string => {
  if (format === "github") return text
  if (format === "json" || format === "sarif" || text.startsWith("{")) return jsonWithoutCommands(text)
  return format === "html" || format === "junit" ? markupWithoutCommands(text) : withoutCommands(text)
}
