/* What the rules of all languages have in common. */

import type { CallClient } from "../../ShownCall.ts"
import { addAll } from "../code/ClientRules.ts"
import {
  addressText,
  type CodeClient,
  type CodeRequest,
  type CodeValue,
  dict,
  isNothing,
  placeholderOf,
  textValue,
  UNKNOWN,
  within
} from "../code/CodeValue.ts"

const VERBS = new Set(["get", "post", "put", "patch", "delete", "head", "options"])

/** The method that a function is named after; `null` if it is none. */
export const verbOf = (name: string): string | null => (VERBS.has(name) ? name.toUpperCase() : null)

/** A method as it is given; `null` where it is not known. */
export const methodOf = (value: CodeValue | undefined): string | null =>
  value?._tag === "Text" && /^[A-Za-z]{3,10}$/.test(value.text) ? value.text.toUpperCase() : null

export const request = (value: CodeRequest): CodeValue => ({ _tag: "Request", request: value })

export const client = (kind: CallClient, base: CodeValue | null): CodeClient => ({
  client: kind,
  base,
  query: dict(),
  headers: dict()
})

/** An absolute address, or one that begins with a name that holds the host. */
const isWhole = (address: string): boolean => /^(?:[a-z][a-z\d+.-]{0,20}:\/\/|\{)/i.test(address)

/** How an address is put below a client's base: as URLs are resolved, or the one after the other. */
type Joining = "resolved" | "appended"

/** Where a client calls `address`. What authors often mean otherwise than it is resolved is not known. */
export const below = (base: CodeValue | null, address: CodeValue, joining: Joining): CodeValue => {
  const path = addressText(address)
  if (base === null || path === null || isWhole(path)) return address
  const root = base._tag === "Unknown" ? placeholderOf(base.path) : addressText(base)
  if (root === null) return UNKNOWN
  if (path === "") return textValue(root)
  const rest = path.startsWith("/") ? path.slice(1) : path
  if (joining === "resolved" && !root.startsWith("{") && !keepsBase(root, path)) return UNKNOWN
  return textValue(`${root.endsWith("/") ? root : `${root}/`}${rest}`)
}

/** Resolving gives the same as appending. */
const keepsBase = (root: string, path: string): boolean => {
  const folder = /^[a-z]+:\/\/[^/]*(\/.*)?$/i.exec(root)?.[1] ?? "/"
  return folder === "/" || (folder.endsWith("/") && !path.startsWith("/"))
}

/** Gives a request what its client sends with each. */
export const sendBy = (made: CodeRequest, by: CodeClient, address: CodeValue, joining: Joining): void => {
  made.address = below(by.base, address, joining)
  addAll(made.headers, by.headers)
  addAll(made.query, by.query)
}

/** `Accept: text/plain`: a header as one text. */
export const headerLine = (text: string): readonly [name: string, value: CodeValue] | null => {
  const colon = text.indexOf(":")
  return colon <= 0 ? null : [text.slice(0, colon).trim(), textValue(text.slice(colon + 1).trim())]
}

/** The value of an option that is set, and not to nothing. */
export const given = (value: CodeValue | undefined): CodeValue | null =>
  value === undefined || isNothing(value) ? null : value

export const textOf = (value: CodeValue | undefined): string => (value === undefined ? "" : (within(value) ?? ""))
