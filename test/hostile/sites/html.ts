import { type HostileSites, LINKS, nested, pages, PROSE } from "../HostileSite.ts"

const numbered = (count: number, one: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => one(index)).join("")

/** HTML that is deep, wide or repetitive. */
export const htmlSites: HostileSites = {
  "deep-tags": {
    attacks: "A page nests 200,000 elements.",
    listener: pages(() => nested("<div>", "</div>", 200_000, PROSE))
  },
  "deep-inline": {
    attacks: "A page opens formatting elements that are never closed, which the adoption agency algorithm copies.",
    listener: pages(() => `${"<b><i><a href=x>".repeat(20_000)}${"<p>".repeat(20_000)}${PROSE}`)
  },
  "many-attributes": {
    attacks: "One element has 300,000 attributes.",
    listener: pages(() => `<div ${numbered(300_000, (index) => `a${index}=b `)}>x</div>`)
  },
  "huge-attribute": {
    attacks: "One class attribute names a million classes, and one id is four megabytes long.",
    listener: pages(() => `<div class="${"note ".repeat(1_000_000 / 2)}"><p id="${"i".repeat(2_000_000)}">x</p></div>`)
  },
  "unterminated-tag": {
    attacks: "A megabyte of `<a <a <a` ends without an end of any tag.",
    listener: pages(() => '<a href="'.repeat(100_000))
  },
  comments: {
    attacks: "Comments open inside comments, a hundred thousand times, and never close.",
    listener: pages(() => "<!-- <!--".repeat(100_000))
  },
  entities: {
    attacks: "A megabyte of character references that nearly are one.",
    listener: pages(() => `<p>${"&notanentit&amp&#x11ffff;&CounterClockwiseContourIntegra".repeat(20_000)}</p>`)
  },
  "deep-svg": {
    attacks: "Foreign content switches between SVG, MathML and HTML fifty thousand times.",
    listener: pages(() => nested("<svg><foreignObject><math><mtext>", "</mtext></math></foreignObject></svg>", 50_000))
  },
  templates: {
    attacks: "Templates nest in templates.",
    listener: pages(() => nested("<template>", "</template>", 50_000, PROSE))
  },
  "foster-parents": {
    attacks: "Text and cells in wrong places of 20,000 nested tables are moved out of them.",
    listener: pages(() => `${"<table>x<td>".repeat(20_000)}${PROSE}`)
  },
  "wide-table": {
    attacks: "A table has cells that span ten million columns and rows.",
    listener: pages(
      () =>
        `<table><tr>${"<th colspan=9999999 rowspan=9999999>Error</th>".repeat(200)}</tr>${"<tr><td colspan=65534>404</td></tr>".repeat(5_000)}</table>`
    )
  },
  "many-tables": {
    attacks: "A page has 20,000 tables with a heading each.",
    listener: pages(() =>
      numbered(
        20_000,
        (index) => `<h3>Error ${index}</h3><table><tr><th>Code<th>Meaning<tr><td>${index}<td>Not found</table>`
      )
    )
  },
  "many-headings": {
    attacks: "A page has 60,000 headings, each of which opens a section.",
    listener: pages(() =>
      numbered(60_000, (index) => `<h${(index % 6) + 1} id=h${index}>Rate limits ${index}</h${(index % 6) + 1}>`)
    )
  },
  "many-menus": {
    attacks: "Navigation is 2,000 menus deep, with links at every level.",
    listener: pages(() => nested('<nav><ul><li><a href="/guide/p1">p</a>', "</li></ul></nav>", 2_000))
  },
  "many-definitions": {
    attacks: "A definition list has 100,000 terms without a definition.",
    listener: pages(() => `<dl>${"<dt>rate_limited".repeat(100_000)}<dd>x</dl>`)
  },
  "white-space": {
    attacks: "Text is megabytes of white space of all kinds between single letters.",
    listener: pages(() => `<p>${`${" \t\n\u00a0\u2003".repeat(20_000)}a`.repeat(6)}</p>`)
  },
  "long-word": {
    attacks: "A paragraph is one word of two megabytes, with hyphens, dots and underscores.",
    listener: pages(() => `<p>${"rate-limit_x.".repeat(150_000)}</p>`)
  },
  "many-scripts": {
    attacks: "Ten thousand scripts look like those that set up an API viewer, and none is whole.",
    listener: pages(() =>
      '<script>SwaggerUIBundle({url:"/a", spec: {"a":[</script><script>window.__x = {"openapi":</script>'.repeat(5_000)
    )
  },
  "long-script": {
    attacks: "A script repeats the beginning of an API viewer's settings without an end, a megabyte long.",
    listener: pages(() => `<script>${'SwaggerUIBundle({ spec: {"openapi":['.repeat(30_000)}</script>`)
  },
  "structured-data": {
    attacks: "JSON-LD nests 100,000 levels and repeats itself in 5,000 scripts.",
    listener: pages(
      () =>
        `<script type="application/ld+json">${"[".repeat(100_000)}</script>${'<script type="application/ld+json">{"@graph":[{"@type":"TechArticle","dateModified":"2026-11-21"}]}</script>'.repeat(5_000)}`
    )
  },
  hidden: {
    attacks: "Ten thousand nested elements are hidden by style, attribute and class in turn.",
    listener: pages(() =>
      nested('<div style="color:red;display:none" hidden class="hidden sr-only">', "</div>", 10_000, PROSE)
    )
  },
  "many-metas": {
    attacks: "The head has 50,000 meta and link elements with robots directives and languages.",
    listener: pages(
      () => "",
      LINKS,
      numbered(
        50_000,
        (index) =>
          `<meta name="robots" content="max-snippet:${index}, noai"><link rel="alternate" hreflang="en" href="/guide/p1">`
      )
    )
  },
  "meta-charset": {
    attacks: "The charset of a page has 400,000 letters, which a library takes for as many arguments of one call.",
    listener: pages(() => "", LINKS, `<meta charset="${"a".repeat(400_000)}">`)
  },
  selects: {
    attacks: "A version menu offers 100,000 versions.",
    listener: pages(
      () =>
        `<select name="version">${numbered(100_000, (index) => `<option value="/v${index}">v${index}.0.0</option>`)}</select>`
    )
  }
}
