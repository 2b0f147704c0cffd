/** The sources of a small site of our own, as each generator wants them: files by path. */
export type Sources = Readonly<Record<string, string>>

/** Where the sites are said to be published. */
export const SITE = "https://docs.lantern.example"

const page = (title: string, description: string, text: string, more = ""): string =>
  `---\ntitle: ${title}\ndescription: ${description}\n${more}---\n# ${title}\n\n${text}\n`

const HOME =
  "The Lantern API switches lamps on and off over HTTP. Start with [keys](./guide/keys.md), then read about [lamps](./guide/lamps.md)."

const KEYS = `Every request to the Lantern API carries a key in the \`Authorization\` header. A key belongs to one project and expires after ninety days.

## Send a key

\`\`\`bash
curl https://api.lantern.example/v1/lamps -H "Authorization: Bearer $LANTERN_KEY"
\`\`\`

| Header | Meaning |
| --- | --- |
| \`Authorization\` | The key, after the word Bearer |
| \`X-Project\` | The project, where a key has several |

## Errors

The API answers 401 without a key and 429 when a project sends more than one hundred requests in a minute.`

const LAMPS = `A lamp is anything that can be switched on and off. Lamps are listed in the order in which they were made, fifty at a time.

## List lamps

Follow \`next\` until it is null. See also [keys](./keys.md).

\`\`\`python
import lantern

for lamp in lantern.Client().lamps():
    print(lamp.name)
\`\`\``

/** Pages in Markdown, below `docs/`. `home`: more front matter of the first page. */
export const markdownPages = (home = ""): Sources => ({
  "docs/index.md": page(
    "Lantern API",
    "Documentation of the Lantern API, which switches lamps on and off over HTTP.",
    HOME,
    home
  ),
  "docs/guide/keys.md": page(
    "Keys",
    "How to get an API key for the Lantern API, send it, and replace it before it expires.",
    KEYS
  ),
  "docs/guide/lamps.md": page(
    "Lamps",
    "Create, list and delete lamps with the Lantern API, with examples in shell and Python.",
    LAMPS
  )
})

/** Pages in reStructuredText. */
export const textPages: Sources = {
  "index.rst":
    "Lantern API\n===========\n\nThe Lantern API switches lamps on and off over HTTP. Start with :doc:`keys`, which tells how requests are authenticated.\n\n.. toctree::\n\n   keys\n",
  "keys.rst":
    "Keys\n====\n\nEvery request to the Lantern API carries a key in the ``Authorization`` header. A key belongs to one project and expires after ninety days.\n\nSend a key\n----------\n\n.. code-block:: bash\n\n   curl https://api.lantern.example/v1/lamps\n\n.. tip:: Keep keys out of the page: a browser shows them to anybody.\n"
}
