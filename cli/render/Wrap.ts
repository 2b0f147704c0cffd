/** Breaks a text at spaces into lines of at most `width` characters; a longer word gets its own line. */
export const wrap = (text: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === "" ? word : `${line} ${word}`
  }
  return line === "" ? lines : [...lines, line]
}

/** The wrapped text with every line indented. */
export const block = (text: string, width: number, indent: string): ReadonlyArray<string> =>
  wrap(text, Math.max(20, width - indent.length)).map((line) => indent + line)
