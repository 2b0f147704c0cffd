import { type Content, html } from "./Html.ts"
import { assetPath } from "./Assets.ts"
import { NAME } from "./Layout.ts"

/** The metadata of a page for search engines, previews and agents. */
export interface PageMetadata {
  /** The URL of the service, without a trailing slash. */
  readonly base: string
  /** The canonical URL. */
  readonly url: string
  readonly title: string
  readonly description: string
  /** `TechArticle` by default. */
  readonly type?: "TechArticle" | "WebPage"
  /** `YYYY-MM-DD`; omitted if unknown. */
  readonly changed?: string | undefined
  /** Pages above this one, from the top. */
  readonly above: ReadonlyArray<{ readonly title: string; readonly url: string }>
}

/** What previews of a page show. */
export interface Preview extends Pick<PageMetadata, "base" | "description" | "title" | "type" | "url"> {
  /** The page's own image, 1200 by 630 pixels; our card by default. */
  readonly image?: { readonly url: string; readonly alt: string }
}

/** Open Graph of a page. */
export const preview = ({
  base,
  description,
  image = { url: `${base}${assetPath("card.png")}`, alt: "docgauge: how well can an AI agent use your documentation?" },
  title,
  type,
  url
}: Preview): Content => [
  html`<meta property="og:type" content=${type === "WebPage" ? "website" : "article"}/>`,
  html`<meta property="og:site_name" content=${NAME}/>`,
  html`<meta property="og:title" content=${title}/>`,
  html`<meta property="og:description" content=${description}/>`,
  html`<meta property="og:url" content=${url}/>`,
  html`<meta property="og:image" content=${image.url}/>`,
  html`<meta property="og:image:type" content="image/png"/>`,
  html`<meta property="og:image:width" content="1200"/>`,
  html`<meta property="og:image:height" content="630"/>`,
  html`<meta property="og:image:alt" content=${image.alt}/>`,
  html`<meta name="twitter:card" content="summary_large_image"/>`
]

/** Canonical URL, Open Graph and JSON-LD (schema.org) of a page of our own documentation. */
export const pageMetadata = (page: PageMetadata): Content => [
  html`<link rel="canonical" href=${page.url}/>`,
  preview(page),
  html`<script type="application/ld+json" dangerouslySetInnerHTML=${{ __html: linkedData(page) }}/>`
]

/** A data block, which the Content-Security-Policy permits because it is not executed. */
const linkedData = ({ above, base, changed, description, title, type = "TechArticle", url }: PageMetadata): string => {
  const service = { "@type": "Organization", name: NAME, url: `${base}/` }
  const graph = [
    {
      "@type": type,
      headline: title,
      description,
      url,
      inLanguage: "en",
      ...(changed === undefined ? {} : { dateModified: changed }),
      author: service,
      publisher: service,
      isPartOf: { "@type": "WebSite", name: NAME, url: `${base}/` }
    },
    {
      "@type": "BreadcrumbList",
      itemListElement: [...above, { title, url }].map((item, index) => ({
        "@type": "ListItem",
        position: index + 1,
        name: item.title,
        item: item.url
      }))
    }
  ]
  return JSON.stringify({ "@context": "https://schema.org", "@graph": graph }).replaceAll("<", "\\u003c")
}
