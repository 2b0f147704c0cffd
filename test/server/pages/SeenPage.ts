import { type CheerioAPI, load } from "cheerio"
import { expect } from "vitest"
import type { TestService } from "../TestService.ts"
import { htmlFaults } from "./htmlCheck.ts"

/** A page as it came, read as a browser reads it. */
export interface SeenPage {
  readonly answer: Response
  readonly html: string
  readonly $: CheerioAPI
}

/** Asks for a page as a browser without scripts does, and holds it to valid HTML. */
export const seenPage = async (service: TestService, path: string): Promise<SeenPage> => {
  const answer = await fetch(service.url + path, { redirect: "manual", headers: { accept: "text/html,*/*;q=0.8" } })
  const html = await answer.text()
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8")
  expect(await htmlFaults(html)).toEqual([])
  return { answer, html, $: load(html) }
}

/** The texts of all elements of a selector. */
export const textsOf = ({ $ }: SeenPage, selector: string): ReadonlyArray<string> =>
  $(selector)
    .toArray()
    .map((element) => $(element).text())
