import htm from "htm"
import { Fragment, h, type VNode } from "preact"
import { render } from "preact-render-to-string"
import { readFileSync } from "node:fs"
import { ENGINE_VERSION } from "../../audit/Version.ts"

export type { VNode } from "preact"

/** The content of an element: nodes, text, numbers, lists of them, or nothing. */
export type Content = VNode | string | number | boolean | null | undefined | ReadonlyArray<Content>

/** A value in a template: content, or the value of an attribute. */
type TemplateValue = Content | Readonly<Record<string, string | number | boolean | null | undefined>>

const template = htm.bind<VNode>((type, props, ...children) => h(type, props, ...children))

/**
 * A template of HTML: html`<p class=${name}>${text}</p>`. All values are escaped as text or attribute values; entities in the
 * template itself are not decoded. Elements without content end in `/>`.
 */
export const html = (strings: TemplateStringsArray, ...values: ReadonlyArray<TemplateValue>): VNode => {
  const made = template(strings, ...values)
  return isList(made) ? h(Fragment, null, ...made) : made
}

const isList = (made: VNode | ReadonlyArray<VNode>): made is ReadonlyArray<VNode> => Array.isArray(made)

export const renderPage = (page: VNode): string => `<!doctype html>\n${render(page)}\n`

/** Nothing may load or run: the file is read from a disk or as an artifact, and quotes sites. */
export const FILE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

/** The style sheets of the page, without its font files. The package has them with the assets of the service. */
const STYLES = ["base.css", "report.css"]
  .map((name) =>
    readFileSync(new URL(import.meta.url.endsWith(".ts") ? name : `./pages/assets/${name}`, import.meta.url), "utf8")
  )
  .join("\n")
  .replaceAll(/@font-face\s*\{[^}]*\}/g, "")

/** A page as one HTML file. It needs no script and no network; fonts are the reader's. */
export const filePage = (title: string, article: Content): string =>
  renderPage(html`
  <html lang="en">
    <head>
      <meta charset="utf-8"/>
      <meta http-equiv="Content-Security-Policy" content=${FILE_POLICY}/>
      <meta name="viewport" content="width=device-width, initial-scale=1"/>
      <meta name="color-scheme" content="light dark"/>
      <meta name="referrer" content="no-referrer"/>
      <meta name="generator" content=${`docgauge ${ENGINE_VERSION}`}/>
      <title>${title}</title>
      <style dangerouslySetInnerHTML=${{ __html: STYLES }}/>
    </head>
    <body>
      <a class="skip-link" href="#main">Skip to content</a>
      <main id="main" class="page"><article class="report">${article}</article></main>
    </body>
  </html>`)
