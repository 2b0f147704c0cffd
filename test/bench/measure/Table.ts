/** A table in Markdown, its columns as wide as what they hold; the first to the left, numbers to the right. */
export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: ReadonlyArray<string>) =>
    `| ${widths.map((width, column) => (column === 0 ? (cells[column] ?? "").padEnd(width) : (cells[column] ?? "").padStart(width))).join(" | ")} |`
  const rule = `|${widths.map((width, column) => (column === 0 ? "-".repeat(width + 2) : `${"-".repeat(width + 1)}:`)).join("|")}|`
  return [line(head), rule, ...rows.map(line)].join("\n")
}

export const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(2)} s`
export const milliseconds = (value: number): string => `${Math.round(value)} ms`
export const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`

/** A figure and its goal: `0.21 ≤ 0.25`, or `0.31 > 0.25 ✗`. */
export const held = (value: number, goal: number, digits = 2): string =>
  value <= goal ? `${value.toFixed(digits)} ≤ ${goal}` : `${value.toFixed(digits)} > ${goal} ✗`

/** The same for what should not be less: `0.62 ≥ 0.5`, or `0.41 < 0.5 ✗`. */
export const heldAtLeast = (value: number, goal: number, digits = 2): string =>
  value >= goal ? `${value.toFixed(digits)} ≥ ${goal}` : `${value.toFixed(digits)} < ${goal} ✗`
