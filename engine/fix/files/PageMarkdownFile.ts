import type { Conversion } from "../../page/conversion/Conversion.ts"
import type { Page } from "../../page/Page.ts"
import { filePathOf, type GeneratedFile } from "../site/GeneratedFile.ts"
import type { NoVersion } from "../site/MarkdownForms.ts"

/** The Markdown of a page that has no version of its own, as `convertPage` made it. */
export type MarkdownOf = (page: Page) => Conversion

/** The Markdown version of a page, to be published at `url` (`null`: it has none on this host); a reason where there is none. */
export const pageMarkdown = (conversion: Conversion, url: string | null): GeneratedFile | NoVersion => {
  if (conversion._tag === "NotConverted") return conversion.reason
  const path = url === null ? null : filePathOf(url)
  return url === null || path === null
    ? "no_url"
    : { path, url, plugins: ["b1-markdown-twins", "b3-markdown-faithful"], text: conversion.text, completes: null }
}
