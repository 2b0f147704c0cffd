import { suggestion } from "./NearestName.ts"
import type { Diagnostic, Span } from "./SourceText.ts"
import type { YamlEntry, YamlNode, YamlSource } from "./YamlSource.ts"

/** What a criterion can measure without a plugin of its own, and the plugin that does. */
const PLUGINS: Readonly<Record<string, string>> = { pages: "measure-pages", description: "measure-description" }

const REVISION = 1

/**
 * A file in which each criterion with `measure: { pages: … }` or `measure: { description: … }` names the plugin that measures it, with
 * what stands there as its params. Every part keeps its place.
 */
export const withMeasures = ({ diagnostics, root }: YamlSource): YamlSource => {
  if (root === null) return { diagnostics, root }
  const found: Array<Diagnostic> = []
  const isThree = root.entries.get("format")?.node.plain === 3
  const spelt = (node: YamlNode): YamlNode => {
    const measure = node.entries.get("measure")
    if (measure === undefined) return node
    const fault = faultOf(node, measure)
    if (fault === null) return plugged(node, measure, isThree || isMap(node.entries.get("points")?.node))
    found.push(fault)
    return node
  }
  const criteriaOf = (node: YamlNode): YamlNode => under(node, "criteria", spelt)
  const whole = under(under(criteriaOf(root), "experimental", spelt), "categories", criteriaOf)
  // What else would be said of such a criterion follows from this.
  return { root: found.length > 0 ? null : whole, diagnostics: [...diagnostics, ...found] }
}

const isMap = (node: YamlNode | undefined): boolean => (node?.entries.size ?? 0) > 0

/** A map whose list under a key has other items. */
const under = (node: YamlNode, key: string, each: (item: YamlNode) => YamlNode): YamlNode => {
  const entry = node.entries.get(key)
  if (entry === undefined || !entry.node.items.some((item) => item.entries.size > 0)) return node
  const items = entry.node.items.map(each)
  const list = { ...entry.node, items, plain: items.map(({ plain }) => plain) }
  return map(new Map(node.entries).set(key, { key: entry.key, node: list }), node.span)
}

const map = (entries: ReadonlyMap<string, YamlEntry>, span: Span): YamlNode => ({
  plain: Object.fromEntries([...entries].map(([key, { node }]) => [key, node.plain])),
  span,
  entries,
  items: []
})

const leaf = (plain: unknown, span: Span): YamlNode => ({ plain, span, entries: new Map(), items: [] })

const faultOf = (criterion: YamlNode, { key, node }: YamlEntry): Diagnostic | null => {
  const kinds = [...node.entries.keys()]
  const other = ["plugin", "revision", "params"].find((name) => criterion.entries.has(name))
  const fault = (message: string, hint: string | null): Diagnostic => ({ rule: "value", span: key, message, hint })
  if (other !== undefined) return fault(`a criterion with "measure" has no "${other}"`, "keep one of the two")
  const [kind = ""] = kinds
  if (kinds.length !== 1) return fault('"measure" takes either "pages" or "description"', EXAMPLE)
  return Object.hasOwn(PLUGINS, kind)
    ? null
    : fault(`"measure" has no "${kind}"`, suggestion(kind, Object.keys(PLUGINS), "it takes"))
}

const EXAMPLE = 'such as measure: { pages: { select: "meta[name=owner]", attribute: content } }'

/** In format 3 a plugin's revision follows its name. */
const plugged = (criterion: YamlNode, { key, node }: YamlEntry, isThree: boolean): YamlNode => {
  const [[kind, params] = ["", { key, node }]] = node.entries
  const plugin = PLUGINS[kind] ?? ""
  const named: ReadonlyArray<readonly [string, YamlEntry]> = isThree
    ? [["plugin", { key: params.key, node: leaf(`${plugin}@${REVISION}`, params.key) }]]
    : [
        ["plugin", { key: params.key, node: leaf(plugin, params.key) }],
        ["revision", { key: params.key, node: leaf(REVISION, params.key) }]
      ]
  const entries = [...criterion.entries].flatMap((entry) =>
    entry[0] === "measure" ? [...named, ["params", params] as const] : [entry]
  )
  return map(new Map(entries), criterion.span)
}
