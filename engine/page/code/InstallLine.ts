import { trimEnd, trimStart, upTo } from "../../text/WhiteSpace.ts"

/** A command that installs something, as found in a code block. */
interface InstallLine {
  /** Such as `npm`; `script` where an installer is fetched and run. */
  readonly manager: string
  /** The language that the package is a library of; `null` for a program. */
  readonly language: string | null
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
  ["uv", /^uv\s+add\b(.*)/, "python"],
  ["uv", /^uv\s+tool\s+install\b(.*)/, null],
  ["uvx", /^uvx\b(.*)/, null],
  ["poetry", /^poetry\s+add\b(.*)/, "python"],
  ["conda", /^(?:conda|mamba)\s+install\b(.*)/, "python"],
  ["gem", /^(?:gem\s+install|bundle\s+add|gem)\b(.*)/, "ruby"],
  ["cargo", /^cargo\s+add\b(.*)/, "rust"],
  ["cargo", /^cargo\s+install\b(.*)/, null],
  ["go", /^go\s+get\b(.*)/, "go"],
  ["go", /^go\s+install\b(.*)/, null],
  ["composer", /^(?:php\s+)?composer(?:\.phar)?\s+(?:require|global\s+require)\b(.*)/, "php"],
  ["dotnet", /^dotnet\s+add(?:\s+\S+)?\s+package\b(.*)/, "csharp"],
  ["dotnet", /^dotnet\s+tool\s+install\b(.*)/, null],
  ["nuget", /^Install-Package\b(.*)/, "csharp"],
  ["cran", /^(?:install\.packages|pak::pak|(?:remotes|devtools)::install_github)\(\s*(.*)/, "r"],
  ["mix", /^\{:(\w+,.*)/, "elixir"],
  ["dart", /^(?:dart|flutter)\s+pub\s+add\b(.*)/, "dart"],
  ["brew", /^brew\s+(?:install|tap)\b(.*)/, null],
  ["apt", /^(?:apt|apt-get)\s+(?:-y\s+)?install\b(.*)/, null],
  ["docker", /^(?:docker|podman)\s+pull\b(.*)/, null],
  ["helm", /^helm\s+install\b(.*)/, null],
  ["nix", /^nix\s+profile\s+(?:install|add)\b(.*)/, null],
  ["dpkg", /^(?:dpkg|rpm)\s+(?:-i|-U|-ivh|--install)\b(.*)/, null],
  ["dnf", /^(?:dnf|yum|apk|pacman|zypper|winget|scoop|choco)\s+(?:install|add|-S)\b(.*)/, null]
]

const LINE_CHARACTERS = 500
const MAX_LINES = 400

/** The install commands in a code block, in order. */
export const installLines = (code: string): ReadonlyArray<InstallLine> =>
  code.split("\n", MAX_LINES).flatMap((line) => {
    const command = line.slice(0, LINE_CHARACTERS).replace(/^\s*(?:[$%>❯#]\s+)?(?:sudo\s+)?/, "")
    if (isInstaller(command))
      return [{ manager: "script", language: null, package: /https?:\/\/[^\s"'`|)]+/.exec(command)?.[0] ?? "" }]
    for (const [manager, pattern, language] of COMMANDS) {
      const rest = pattern.exec(command)?.[1]
      if (rest !== undefined)
        return [{ manager, language: GLOBAL.test(rest) ? null : language, package: packageIn(rest) }]
    }
    return []
  })

/** Words that may lead to a command in a line of text, and those of the line. */
const [LEAD_WORDS, LINE_WORDS] = [6, 13]

/** The same in a line of text, which begins with the command or ends with it: `Install with npm install orders`. */
export const installLinesInText = (line: string): ReadonlyArray<InstallLine> => {
  const words = line.split(" ")
  if (words.length > LINE_WORDS) return installLines(line)
  for (let start = 0; start <= LEAD_WORDS; start++) {
    const found = installLines(words.slice(start).join(" "))
    const [{ package: name } = { package: "" }] = found
    if (start === 0 ? found.length > 0 : name !== "" && words.at(-1)?.startsWith(name)) return found
  }
  return []
}

/** The image is the word with a folder, and no path of this machine. */
const RUN_IMAGE =
  /^\s*(?:[$%>❯#]\s+)?(?:sudo\s+)?(?:docker|podman)\s+(?:container\s+)?run\s(?:.*\s)?((?!\.)(?:[\w.-]+(?::\d+)?\/)+[\w.-]+)(?::[\w.-]+|@sha256:\w+)?(?=\s|$)/

/** The images of the containers that a code block runs, which fetches them: `docker run -p 80:80 acme/orders:2`. */
export const imagesRun = (code: string): ReadonlyArray<string> =>
  code
    .slice(0, LINE_CHARACTERS * MAX_LINES)
    .replaceAll(/\\\r?\n/g, " ")
    .split("\n", MAX_LINES)
    .flatMap((line) => RUN_IMAGE.exec(line.slice(0, LINE_CHARACTERS))?.[1] ?? [])

/** Installed for the whole machine: a program. */
const GLOBAL = /^\s(?:[^\n]{0,100}\s)?(?:-g|--global)(?=\s|$)/

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

/** The key that packages of a server are signed with. */
const PIPED_KEY = /\b(?:curl|wget)\b[^|\n]{1,400}\|\s*(?:sudo\s+)?(?:gpg2?|apt-key|rpm)\s/

/** `curl … | sh` and its like: it installs a program, and is no call of an API. */
export const isInstaller = (code: string): boolean => {
  const head = code.slice(0, 5_000)
  return (
    PIPED_INSTALLER.test(head) || POWERSHELL_INSTALLER.test(head) || SHELL_OF_CURL.test(head) || PIPED_KEY.test(head)
  )
}
