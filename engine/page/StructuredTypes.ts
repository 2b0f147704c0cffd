import type { StructuredData } from "./Page.ts"

/** Types that describe the site or the page's frame, not the page. */
const SITE_TYPES = new Set([
  "Organization",
  "WebSite",
  "BreadcrumbList",
  "Corporation",
  "ListItem",
  "SearchAction",
  "EntryPoint",
  "PropertyValueSpecification",
  "ImageObject",
  "ContactPoint",
  "PostalAddress",
  "SiteNavigationElement",
  "WPHeader",
  "WPFooter",
  "WPSideBar"
])

/** Whether structured data says something about the page itself. */
export const describesPage = ({ types }: StructuredData): boolean => types.some((type) => !SITE_TYPES.has(type))
