import { normalise } from "../../evidence/Address.ts"
import { attribute, contentOf, type Element } from "../dom/HtmlTree.ts"
import type { DomWalk } from "../dom/DomWalk.ts"
import type { SpecViewer } from "../Page.ts"
import { schemasInScript, type Shown, shownByConfiguration, shownByScript } from "../script/ViewerScript.ts"

type Kind = SpecViewer["kind"]

const MAX_VIEWERS = 20

/** Elements that show a description, and the attributes that name it or hold it. */
const ELEMENTS: ReadonlyArray<readonly [element: string, kind: Kind, address: string, document: string | null]> = [
  ["redoc", "redoc", "spec-url", null],
  ["rapi-doc", "rapidoc", "spec-url", null],
  ["rapi-doc-mini", "rapidoc", "spec-url", null],
  ["openapi-explorer", "rapidoc", "spec-url", null],
  ["elements-api", "stoplight", "apidescriptionurl", "apidescriptiondocument"],
  ["api-reference", "scalar", "spec-url", null],
  ["asyncapi-component", "asyncapi", "schemaurl", "schema"]
]

/**
 * The API description viewers in a page, and what each is set up to show.
 *
 * @param base what URLs in the page are resolved against.
 * @param url the page's own: viewers read its query.
 */
export const readViewers = (walk: DomWalk, base: string, url: string): ReadonlyArray<SpecViewer> => {
  const scripts = walk.byName.get("script") ?? []
  const shown = [
    ...ELEMENTS.flatMap(([name, kind, address, document]) =>
      (walk.byName.get(name) ?? []).map((element) =>
        toldBy(kind, {
          url: written(attribute(element, address)),
          inline: document === null ? null : written(attribute(element, document))
        })
      )
    ),
    ...scripts.flatMap((script) => shownBy(script)),
    ...(isGraphqlViewer(walk) ? scripts.flatMap(schemasOf) : [])
  ]
  shown.push(...(isRedocusaurus(walk) ? inMainScript(scripts) : besideViewers(scripts, shown.some(tells))))
  const [first] = shown
  const asked = first === undefined ? [] : namedInQuery(first.kind, url)
  return [...shown, ...asked].slice(0, MAX_VIEWERS).map((one) => located(one, base))
}

const written = (text: string | null): string | null => (text === null || text.trim() === "" ? null : text)

/** What a viewer is told; one that is told nothing is set up by a script. */
const toldBy = (kind: Kind, told: Partial<Omit<Shown, "kind">>): Shown => {
  const shown = { kind, url: null, inline: null, configuration: null, computed: null, ...told }
  return tells(shown) ? shown : { ...shown, computed: "" }
}

const tells = ({ configuration, inline, url }: Shown): boolean =>
  url !== null || inline !== null || configuration !== null

/** With absolute URLs. */
export const located = ({ computed, configuration, inline, kind, url }: Shown, base: string): SpecViewer => ({
  kind,
  url: url === null ? null : normalise(url, base),
  inline,
  computed,
  configuration: configuration === null ? null : normalise(configuration, base)
})

const shownBy = (script: Element): ReadonlyArray<Shown> => {
  const isOutside = attribute(script, "src") !== null
  if (attribute(script, "id") !== "api-reference") return isOutside ? [] : shownByScript(contentOf(script))
  const address = written(attribute(script, "data-url"))
  const content = isOutside ? null : written(contentOf(script))
  return address === null && content === null
    ? shownByConfiguration("scalar", attribute(script, "data-configuration") ?? "")
    : [toldBy("scalar", { url: address, inline: content })]
}

/** GraphiQL, Playground and Voyager, by their scripts or by the element that they are drawn in. */
const GRAPHQL_VIEWER = /(?:^|[/@.-])(?:graphiql|graphql-(?:playground|voyager)(?:-react)?|altair-static)(?:[/@.-]|$)/i
const GRAPHQL_ELEMENT = /^(?:graphiql|graphql-playground|playground|voyager)$/i
const GRAPHQL_TYPE = /^(?:application|text)\/(?:x-)?graphql$/i

const isGraphqlViewer = ({ byName }: DomWalk): boolean =>
  (byName.get("script") ?? []).some((script) => GRAPHQL_VIEWER.test(attribute(script, "src")?.slice(0, 500) ?? "")) ||
  (byName.get("div") ?? []).some((element) => GRAPHQL_ELEMENT.test(attribute(element, "id")?.slice(0, 100) ?? ""))

/** A schema in a script of its own type, or one that a script of the viewer builds. */
const schemasOf = (script: Element): ReadonlyArray<Shown> => {
  if (attribute(script, "src") !== null) return []
  if (!GRAPHQL_TYPE.test(attribute(script, "type") ?? "")) return schemasInScript(contentOf(script))
  const content = written(contentOf(script))
  return content === null ? [] : [toldBy("script", { inline: content })]
}

/** `/redoc/?url=/openapi.json`, `/swagger-ui/?configUrl=/v3/api-docs/swagger-config`. */
const namedInQuery = (kind: Kind, url: string): ReadonlyArray<Shown> => {
  const query = URL.parse(url)?.searchParams
  const shown = toldBy(kind, {
    url: written(query?.get("url") ?? null),
    configuration: written(query?.get("configUrl") ?? null)
  })
  return tells(shown) ? [shown] : []
}

/** Scripts in which Swagger UI's own page, and packages that serve it, keep its configuration. */
const CONFIGURATION = /(?:^|\/)swagger-(?:initializer|ui-init|config)\.js(?:$|\?)/

/** The viewers themselves. */
const BUNDLES: ReadonlyArray<readonly [kind: Kind, source: RegExp]> = [
  ["swagger-ui", /(?:^|\/)swagger-ui-(?:bundle|standalone-preset)(?:\.min)?\.js(?:$|\?)/],
  ["stoplight", /(?:^|\/)web-components\.min\.js(?:$|\?)/],
  ["rapidoc", /(?:^|\/)rapidoc(?:-min)?\.js(?:$|\?)/],
  ["redoc", /(?:^|\/)redoc(?:\.standalone)?(?:\.min)?\.js(?:$|\?)/],
  ["scalar", /(?:^|\/)@scalar\/api-reference(?:[@/]|$)/],
  ["asyncapi", /(?:^|\/)asyncapi-ui(?:\.min)?\.js(?:$|\?)/]
]

const kindOf = (source: string): Kind | undefined => BUNDLES.find(([, bundle]) => bundle.test(source))?.[0]

/** Redoc in Docusaurus: the site's main script names its descriptions. */
const isRedocusaurus = ({ byName }: DomWalk): boolean =>
  (byName.get("div") ?? []).some((element) => attribute(element, "class")?.includes("redocusaurus") === true)

const MAIN_SCRIPT = /(?:^|\/)assets\/js\/main\.[\w.]{1,40}js$/

const inMainScript = (scripts: ReadonlyArray<Element>): ReadonlyArray<Shown> =>
  scripts
    .flatMap((script) => attribute(script, "src") ?? [])
    .filter((source) => MAIN_SCRIPT.test(source))
    .slice(0, 1)
    .map((source) => toldBy("redoc", { configuration: source }))

/** Scripts of the page's folder that may start the viewer where no script in the page does. */
const STARTERS = 2

const besideViewers = (scripts: ReadonlyArray<Element>, isTold: boolean): ReadonlyArray<Shown> => {
  const sources = scripts.flatMap((script) => attribute(script, "src") ?? [])
  const known = sources.filter((source) => CONFIGURATION.test(source))
  const kind = sources.map(kindOf).find((one) => one !== undefined)
  const isStartedHere =
    isTold ||
    scripts.some(
      (script) =>
        attribute(script, "src") === null &&
        /SwaggerUI|Redoc\.init|createApiReference|AsyncApiStandalone/.test(contentOf(script))
    )
  const starters =
    known.length > 0 || isStartedHere || kind === undefined
      ? known
      : sources.filter((source) => kindOf(source) === undefined && !/^(?:[a-z]+:)?\/\//i.test(source))
  return starters.slice(0, STARTERS).map((source) => toldBy(kind ?? "swagger-ui", { configuration: source }))
}
