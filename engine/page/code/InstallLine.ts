import { trimEnd, trimStart, upTo } from "../../text/Trim.ts"

/** A command that installs something, as found in a code block. */
export interface InstallLine {
  /** Such as `npm`; `script` where an installer is fetched and run. */
  readonly manager: string
  /**
   * The package's name, version and extras left out; empty where the line names none (`npm install`). Of a script its
   * URL.
   */
  readonly package: string
}

/** A manager's commands, and the ecosystem's language where an SDK line tells one: what runs programs tells none. */
const COMMANDS: ReadonlyArray<readonly [manager: string, command: RegExp, language: string | null]> = [
  ["npm", /^npm\s+(?:install|i|add)\b(.*)/, "javascript"],
  ["pnpm", /^pnpm\s+(?:install|i|add)\b(.*)/, "javascript"],
  ["yarn", /^yarn\s+(?:global\s+)?add\b(.*)/, "javascript"],
  ["bun", /^bun\s+(?:install|add|i)\b(.*)/, "javascript"],
  ["npx", /^(?:npx|bunx)\b(.*)/, null],
  ["pip", /^(?:(?:python3?|py)\s+-m\s+)?(?:uv\s+)?pip3?\s+install\b(.*)/, "python"],
  ["pipx", /^pipx\s+install\b(.*)/, null],
  ["uv", /^uv\s+(?:add|tool\s+install)\b(.*)/, "python"],
  ["uvx", /^uvx\b(.*)/, null],
  ["poetry", /^poetry\s+add\b(.*)/, "python"],
  ["conda", /^(?:conda|mamba)\s+install\b(.*)/, "python"],
  ["gem", /^(?:gem\s+install|bundle\s+add|gem)\b(.*)/, "ruby"],
  ["cargo", /^cargo\s+(?:add|install)\b(.*)/, "rust"],
  ["go", /^go\s+(?:get|install)\b(.*)/, "go"],
  ["composer", /^(?:php\s+)?composer(?:\.phar)?\s+(?:require|global\s+require)\b(.*)/, "php"],
  ["dotnet", /^dotnet\s+(?:add(?:\s+\S+)?\s+package|tool\s+install)\b(.*)/, "csharp"],
  ["nuget", /^Install-Package\b(.*)/, "csharp"],
  ["cran", /^(?:install\.packages|pak::pak|(?:remotes|devtools)::install_github)\(\s*(.*)/, "r"],
  ["mix", /^\{:(\w+,.*)/, "elixir"],
  ["dart", /^(?:dart|flutter)\s+pub\s+add\b(.*)/, "dart"],
  ["brew", /^brew\s+(?:install|tap)\b(.*)/, null],
  ["apt", /^(?:apt|apt-get)\s+(?:-y\s+)?install\b(.*)/, null],
  ["docker", /^(?:docker|podman)\s+pull\b(.*)/, null],
  ["dnf", /^(?:dnf|yum|apk|pacman|zypper|winget|scoop|choco)\s+(?:install|add|-S)\b(.*)/, null]
]

const LINE_CHARACTERS = 500
const MAX_LINES = 400

/** The install commands in a code block, in order. */
export const installLines = (code: string): ReadonlyArray<InstallLine> =>
  code.split("\n", MAX_LINES).flatMap((line) => {
    const command = line.slice(0, LINE_CHARACTERS).replace(/^\s*(?:[$%>❯#]\s+)?(?:sudo\s+)?/, "")
    if (isInstaller(command)) return [{ manager: "script", package: /https?:\/\/[^\s"'`|)]+/.exec(command)?.[0] ?? "" }]
    for (const [manager, pattern] of COMMANDS) {
      const rest = pattern.exec(command)?.[1]
      if (rest !== undefined) return [{ manager, package: packageIn(rest) }]
    }
    return []
  })

/** The language of the packages that a manager installs; `null` where it installs programs of any kind. */
export const languageOfManager = (manager: string): string | null =>
  COMMANDS.find(([name]) => name === manager)?.[2] ?? null

const packageIn = (rest: string): string => {
  const word = rest
    .split(/[\s,()]+/)
    .map((part) => trimStart(trimEnd(part, "\"'`;"), "\"'`"))
    .find((part) => part !== "" && !part.startsWith("-") && part !== "install")
  return upTo(upTo(word ?? "", "[").replace(/(.)@[^/@]*$/, "$1"), "=<>~!^")
}

const PIPED_INSTALLER = /\b(?:curl|wget|fetch)\b[^|\n]{1,400}\|\s*(?:sudo\s+)?(?:-\S+\s+)?(?:env\s+)?(?:ba|z|da|k)?sh\b/
const POWERSHELL_INSTALLER =
  /\b(?:irm|iwr|Invoke-RestMethod|Invoke-WebRequest)\b[^|\n]{1,400}\|\s*(?:iex|Invoke-Expression)\b/i
const SHELL_OF_CURL = /\b(?:ba|z)?sh\s+(?:-c\s+)?["'<(]{1,3}\s*\$?\(?\s*(?:curl|wget)\b/

/** `curl … | sh` and its like: it installs a program, and is no call of an API. */
export const isInstaller = (code: string): boolean => {
  const head = code.slice(0, 5_000)
  return PIPED_INSTALLER.test(head) || POWERSHELL_INSTALLER.test(head) || SHELL_OF_CURL.test(head)
}
