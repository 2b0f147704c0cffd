import { type HtmlElement, type HtmlText, node } from "./HtmlNodes.ts"

/*
 * Syntax of Markdown that the converter does not write: it is marked by controls, which no text has (`HtmlNodes.text` leaves them out),
 * and written after the conversion.
 */

const TICKED = "\u0001"
const OPEN = "\u0002"
const INLINE = "\u0003"
const DISPLAY = "\u0004"

/** The box of a task. */
export const taskMark = (isDone: boolean): HtmlText => ({ text: `${isDone ? TICKED : OPEN} ` })

/** A formula in TeX, which is written as it is: as code is. */
export const formulaNode = (tex: string, display: boolean): HtmlElement => {
  const mark = display ? DISPLAY : INLINE
  return node("code", [{ text: `${mark}${tex.replaceAll(CONTROLS, "")}${mark}` }])
}

const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g

const FORMULA = /`{1,9} ?([\u0003\u0004])([^\u0003\u0004]{1,20000})[\u0003\u0004] ?`{1,9}/g

/** Markdown with the syntax that its marks stand for. */
export const withMarksWritten = (markdown: string): string =>
  withoutMarks(
    markdown.replaceAll(FORMULA, (_, mark: string, tex: string) => (mark === DISPLAY ? `$$${tex}$$` : `$${tex}$`))
  )

/** A text as it is read where nothing is marked up. */
export const withoutMarks = (text: string): string =>
  text
    .replaceAll(/\u0001 ?/g, "[x] ")
    .replaceAll(/\u0002 ?/g, "[ ] ")
    .replaceAll(/[\u0003\u0004]/g, "")
