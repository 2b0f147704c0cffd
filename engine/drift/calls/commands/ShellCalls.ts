import type { ShownCall } from "../../ShownCall.ts"
import { curlCalls } from "./Curl.ts"
import { httpieCall } from "./Httpie.ts"
import { type ShellCommand, shellCommands } from "./ShellWords.ts"
import { wgetCalls } from "./Wget.ts"

/** Words before a command that change nothing in what it calls. */
const BEFORE = new Set("sudo time exec command do then else ! npx watch nohup { ( $ % >".split(" "))

const SETTING = /^[A-Za-z_]\w{0,60}=/

/** The command without what is before its name. */
const named = (command: ShellCommand): ShellCommand => {
  let from = 0
  while (
    from < command.words.length - 1 &&
    (BEFORE.has(command.words[from] ?? "") || SETTING.test(command.words[from] ?? ""))
  )
    from++
  return from === 0 ? command : { ...command, words: command.words.slice(from) }
}

const callsOf = (command: ShellCommand): ReadonlyArray<ShownCall> => {
  const name = (command.words[0] ?? "").replace(/^.*[\\/]/, "").replace(/\.exe$/i, "")
  switch (name) {
    case "curl":
      return curlCalls(command)
    case "wget":
      return wgetCalls(command)
    case "http":
    case "https":
    case "xh":
    case "xhs": {
      const call = httpieCall(command)
      return call === null ? [] : [call]
    }
    default:
      return []
  }
}

/** The calls of commands in a shell's text: curl, wget, HTTPie and xh. */
export const shellCalls = (text: string, known: ReadonlyMap<string, string>): ReadonlyArray<ShownCall> =>
  shellCommands(text, known).flatMap((command) => callsOf(named(command)))
