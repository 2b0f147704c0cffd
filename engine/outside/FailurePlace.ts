import { fileURLToPath } from "node:url"
import { isOfPlugin } from "./OutsideBounds.ts"

/** A line of a stack: `at name (file:///…:12:5)`. */
const FRAME = /(file:\/\/[^\s()]+):(\d+):(\d+)\)?$/

/** Where a plugin failed, to follow its message: ` (index.js:12:5)`, from the folder of its module; empty where the stack does not tell. */
export const failurePlace = (stack: string, module: string): string => {
  const frames = stack.split("\n").map((line) => FRAME.exec(line.slice(0, 2_000)))
  const own = frames.find((frame) => frame?.[1] !== undefined && isOfPlugin(module, frame[1]))
  const [, url = "", line = "", column = ""] = own ?? []
  if (url === "") return ""
  const folder = module.slice(0, module.lastIndexOf("/") + 1)
  const path = url.startsWith(folder)
    ? decodeURIComponent(url.slice(folder.length))
    : fileURLToPath(url).replace(/^.*[\\/]/, "")
  return ` (${path}:${line}:${column})`
}
