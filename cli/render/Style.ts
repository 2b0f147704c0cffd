import { styleText } from "node:util"

/** Terminal colours; no-ops if the output is not a terminal or colours are off. */
export interface Style {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly good: (text: string) => string
  readonly fair: (text: string) => string
  readonly poor: (text: string) => string
}

const coloured = (format: Parameters<typeof styleText>[0]) => (text: string) =>
  styleText(format, text, { validateStream: false })

export const colours: Style = {
  bold: coloured("bold"),
  dim: coloured("dim"),
  good: coloured("green"),
  fair: coloured("yellow"),
  poor: coloured("red")
}

const asIs = (text: string): string => text

export const plain: Style = { bold: asIs, dim: asIs, good: asIs, fair: asIs, poor: asIs }
