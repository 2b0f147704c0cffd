/** An instruction of a Dockerfile. */
export interface Instruction {
  readonly name: string
  readonly text: string
}

/** The instructions of a Dockerfile by stage, comments and continued lines put right. */
export const stagesOf = (dockerfile: string): ReadonlyArray<ReadonlyArray<Instruction>> => {
  const lines = dockerfile
    .split("\n")
    .filter((line) => !/^\s*#/.test(line))
    .join("\n")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "")
  const stages: Array<Array<Instruction>> = []
  for (const line of lines) {
    const [, name = "", text = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? []
    if (name === "FROM") stages.push([])
    stages.at(-1)?.push({ name, text })
  }
  return stages
}

/** What an instruction says; all of them, for one that may stand several times. */
export const saidBy = (stage: ReadonlyArray<Instruction>, name: string): ReadonlyArray<string> =>
  stage.filter((instruction) => instruction.name === name).map(({ text }) => text)

/** The exec form of `CMD` and its like. */
export const execForm = (text: string): ReadonlyArray<string> => {
  const words: unknown = JSON.parse(text.slice(text.indexOf("[")))
  return Array.isArray(words) ? words.map(String) : []
}
