import type { SentBody, ShownCall } from "../../ShownCall.ts"
import { bodyOfText } from "../code/BodyText.ts"
import { NO_FIELDS, OPEN } from "../values/Fields.ts"
import { addHeader, addressOf, calls, type CommandCall, headerText, METHOD } from "./CommandCall.ts"
import type { ShellCommand } from "./ShellWords.ts"

/** Options that take a value in the next word. */
const VALUES = new Set(
  "-O --output-document -o --output-file -a --append-output -t --tries -T --timeout -P --directory-prefix -U --user-agent --header --method --post-data --post-file --body-data --body-file --user --password --http-user --http-password --referer --ca-certificate --certificate --private-key --load-cookies --save-cookies --limit-rate -i --input-file -A -R -l --level -w --wait -e --execute".split(
    " "
  )
)

/** The calls of a wget command, one for each address. */
export const wgetCalls = ({ line, words }: ShellCommand): ReadonlyArray<ShownCall> => {
  const call: CommandCall = {
    client: "wget",
    line,
    method: "",
    query: NO_FIELDS,
    headers: [],
    areHeadersOpen: false,
    body: { _tag: "None" }
  }
  const urls: Array<string> = []
  let data: string | null = null
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? ""
    if (!word.startsWith("-") || word === "-") {
      const address = addressOf(word)
      if (address === null) call.areHeadersOpen = true
      else urls.push(address)
      continue
    }
    const equals = word.startsWith("--") ? word.indexOf("=") : -1
    const option = equals < 0 ? word : word.slice(0, equals)
    const value = equals < 0 ? (words[at + 1] ?? "") : word.slice(equals + 1)
    if (equals < 0 && VALUES.has(option)) at++
    if (option === "--post-data" || option === "--body-data") data = value
    take(call, option, value)
  }
  if (call.method === "") call.method = data === null ? "GET" : "POST"
  if (data !== null) call.body = bodyOf(call, data)
  return METHOD.test(call.method) ? urls.map((url) => calls(call, url)) : []
}

const take = (call: CommandCall, option: string, value: string): void => {
  switch (option) {
    case "--method":
      call.method = METHOD.test(value) ? value.toUpperCase() : "?"
      return
    case "--header":
      return addHeader(call, value)
    case "--post-file":
      call.body = { _tag: "Open" }
      call.method ||= "POST"
      return
    case "--body-file":
      call.body = { _tag: "Open" }
      return
    case "--user":
    case "--http-user":
      call.headers.push({ name: "Authorization", value: OPEN })
      return
    case "--spider":
      call.method ||= "HEAD"
      return
    default:
  }
}

const bodyOf = (call: CommandCall, data: string): SentBody => bodyOfText(data, headerText(call, "content-type"))
