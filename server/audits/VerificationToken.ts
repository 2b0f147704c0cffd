import { createHmac } from "node:crypto"
import { plainForm } from "../../engine/evidence/Address.ts"

/** Where the token is published, on the host of the documentation. */
export const VERIFICATION_PATH = "/.well-known/docgauge-verification.txt"

/** The name of the `<meta>` element that publishes it instead. */
export const VERIFICATION_NAME = "docgauge-verification"

/** The token of a host: whoever can publish it there may decide how often the host is audited. It tells nothing of the key. */
export const tokenOf = (key: Uint8Array, url: string): string =>
  createHmac("sha256", key).update(new URL(plainForm(url)).host).digest("base64url")

/** Whether a text file has the token on a line of its own. */
export const isInFile = (text: string, token: string): boolean => text.split("\n").some((line) => line.trim() === token)

/** No tag of ours is longer, and no page has more of them before it. */
const TAG = 500
const TAGS = 200

/** Whether the `<head>` of a page has the token in a `<meta>` element. */
export const isInHead = (html: string, token: string): boolean => {
  const end = html.search(/<\/head[\s>]|<body[\s>]/i)
  const head = (end === -1 ? html : html.slice(0, end)).replaceAll(/<!--[\s\S]*?(?:-->|$)/g, "")
  return head.matchAll(/<meta\s/gi).take(TAGS).some(({ index }) => {
    const [tag = ""] = head.slice(index, index + TAG).split(">", 1)
    return attributeOf(tag, "name") === VERIFICATION_NAME && attributeOf(tag, "content") === token
  })
}

const attributeOf = (tag: string, name: "name" | "content"): string => {
  const [, double, single, bare] = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, "i").exec(tag) ?? []
  return (double ?? single ?? bare ?? "").trim()
}
