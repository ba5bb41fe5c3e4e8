// Compares facts that are written in two places, such as error codes in code and docs. Each function returns the differences.

import type { Violation } from './source.ts'

function differ(rule: string, path: string, messages: string[]): Violation[] {
  return messages.map((message) => ({ rule, path, message, level: 'error' }))
}

/** Returns a message for each item that is on one side only. */
function compare(left: Iterable<string>, right: Iterable<string>, here: string, there: string): string[] {
  const [a, b] = [new Set(left), new Set(right)]
  const missing = [...a].filter((item) => !b.has(item)).map((item) => `\`${item}\` is in ${here} and not in ${there}`)
  const extra = [...b].filter((item) => !a.has(item)).map((item) => `\`${item}\` is in ${there} and not in ${here}`)
  return [...missing, ...extra]
}

/** Returns the cells of every table row whose first cell is in back quotes. */
function rowsOf(markdown: string): string[][] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    )
}

/** Compares the settings that `edge/config.ts` describes with `docs/config.md`, row by row. */
export function compareSettings(described: string, page: string): Violation[] {
  const lines = (text: string) => text.split('\n').filter((line) => line.startsWith('| `'))
  return differ(
    'settings',
    'docs/config.md',
    compare(lines(described), lines(page), 'edge/config.ts', 'docs/config.md'),
  )
}

/** A command in code marks, in quotes, or after `npm run nc --` or its name in code; a word in angle brackets or capitals stands for any. */
const NC_COMMAND = /(?:npm run nc -- |\$\{NC\} |(?:`|<code>|[“"'‘])nc (?:-- )?)([a-z][a-z-]*)(?: ([a-z][a-z-]*))?/g

/** Compares the commands of `nc` that a text names with the table of `docs/cli.md`, which equals the code. */
export function compareNcCommands(path: string, text: string, page: string): Violation[] {
  const known = new Set(rowsOf(page).map(([name = '']) => name.split(' -')[0] as string))
  const nouns = new Set([...known].map((name) => name.split(' ')[0] as string))
  const unknown = [...text.matchAll(NC_COMMAND)].flatMap(([, noun = '', verb]) => {
    const isKnown = verb === undefined ? nouns.has(noun) : known.has(`${noun} ${verb}`) || known.has(noun)
    return isKnown || noun === 'help' ? [] : [[noun, verb].filter(Boolean).join(' ')]
  })
  return differ(
    'nc-commands',
    path,
    [...new Set(unknown)].map((command) => `there is no command \`nc ${command}\``),
  )
}

/** Compares the commands that the guides name with the scripts of package.json, in both directions. */
export function compareCommands(scripts: Record<string, unknown>, guides: Record<string, string>): Violation[] {
  const named = new Set<string>()
  const found = Object.entries(guides).flatMap(([path, text]) => {
    const commands = [...text.matchAll(/npm (?:run ([\w:-]+)|(start|test)\b)/g)].map((m) => (m[1] ?? m[2]) as string)
    for (const command of commands) named.add(command)
    const unknown = commands.filter((command) => !Object.hasOwn(scripts, command))
    return differ(
      'commands',
      path,
      [...new Set(unknown)].map((command) => `there is no script \`${command}\``),
    )
  })
  const silent = Object.keys(scripts).filter((script) => !named.has(script) && !/^(pre|post)/.test(script))
  return [
    ...found,
    ...differ(
      'commands',
      'package.json',
      silent.map((script) => `no guide names the script \`${script}\``),
    ),
  ]
}

/** Compares the folders of the tree in the README with the folders of the checkout. */
export function compareTree(readme: string, paths: string[]): Violation[] {
  const block = /```tree\n([\s\S]*?)```/.exec(readme)?.[1]
  if (block === undefined) return differ('tree', 'README.md', ['there is no block marked `tree`'])
  const named: string[] = []
  const parents: string[] = []
  for (const line of block.split('\n')) {
    const match = /^( *)([\w.-]+)\//.exec(line)
    if (match === null) continue
    const depth = (match[1] as string).length / 2
    parents.length = depth
    parents.push(match[2] as string)
    named.push(parents.join('/'))
  }
  const opened = new Set(named.flatMap((path) => (path.includes('/') ? [path.slice(0, path.lastIndexOf('/'))] : [])))
  const folders = new Set(paths.flatMap((path) => foldersOf(path, opened)))
  return differ('tree', 'README.md', compare(named, folders, 'the tree', 'the checkout'))
}

// Returns the top-level folder, and the folder below it where the tree lists sub-folders.
function foldersOf(path: string, opened: Set<string>): string[] {
  const parts = path.split('/').slice(0, -1)
  if (parts.length === 0 || parts[0]?.startsWith('.')) return []
  const found = [parts[0] as string]
  for (let at = 1; at < parts.length && opened.has(parts.slice(0, at).join('/')); at += 1) {
    found.push(parts.slice(0, at + 1).join('/'))
  }
  return found
}

/** Finds metrics that a text names and the table of `docs/operations.md`, which equals the code, does not have. */
export function checkMetrics(path: string, text: string, operations: string): Violation[] {
  const known = new Set(rowsOf(operations).map(([name]) => name))
  const named = [...text.matchAll(/\bnc_[a-z_]+/g)].map(([name]) => name.replace(/_(?:bucket|count|sum)$/, ''))
  const unknown = [...new Set(named)].filter((name) => !known.has(name))
  return differ(
    'metrics',
    path,
    unknown.map((name) => `there is no metric \`${name}\``),
  )
}

/** Compares the alerts with the sections of the runbook, and the address in each alert with its section. */
export function compareRunbook(alerts: string, runbook: string): Violation[] {
  const names = [...alerts.matchAll(/^ *- alert: (\w+)$/gm)].map((match) => match[1] as string)
  const sections = [...runbook.matchAll(/^## (.+)$/gm)].map((match) => match[1] as string)
  const linked = [...alerts.matchAll(/^ *runbook_url: (.+)$/gm)].map((match) => match[1] as string)
  const expected = names.map((name) => `docs/runbook.md#${name.toLowerCase()}`)
  return [
    ...differ('runbook', 'docs/runbook.md', compare(names, sections, 'the alerts', 'the runbook')),
    ...differ('runbook', 'deploy/monitoring/alerts.yaml', compare(expected, linked, 'the alerts', 'their addresses')),
  ]
}

/** Finds relative links of a page whose target does not exist. */
export function checkLinks(path: string, text: string, paths: Set<string>): Violation[] {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : ''
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => (match[1] as string).split('#')[0] as string)
  const local = links.filter((link) => link !== '' && !/^(https?|mailto):/.test(link) && !link.startsWith('/'))
  const isThere = (link: string) => {
    const target = new URL(folder + link, 'file:///').pathname.slice(1)
    return paths.has(target) || [...paths].some((known) => known.startsWith(target.replace(/\/?$/, '/')))
  }
  return differ(
    'links',
    path,
    local.filter((link) => !isThere(link)).map((link) => `the link ${link} leads nowhere`),
  )
}

/** Finds links to headings that do not exist; `pages` maps each page to its text. */
export function checkAnchors(path: string, text: string, pages: ReadonlyMap<string, string>): Violation[] {
  const links = [...text.matchAll(/\]\(([^)\s#]*)#([\w-]+)\)/g)]
  const broken = links.filter(([, link, anchor]) => {
    if (/^https?:/.test(link as string)) return false
    const target = link === '' ? path : new URL(link as string, `file:///${path}`).pathname.slice(1)
    const page = pages.get(target)
    return page !== undefined && !anchorsOf(page).has(anchor as string)
  })
  return differ(
    'links',
    path,
    broken.map(([, link, anchor]) => `the heading ${link}#${anchor} is not there`),
  )
}

/** Finds pages and headings named in comments of a source (`docs/api.md#sign-in`) that do not exist. */
export function checkComments(path: string, text: string, pages: ReadonlyMap<string, string>): Violation[] {
  const comments = text.split('\n').flatMap((line) => /(?:^|\s)(?:\/\/|\/?\*)(.*)$/.exec(line)?.[1] ?? [])
  const named = comments.flatMap((comment) => [...comment.matchAll(/(?<![\w./])(docs\/[\w./-]+\.md)(?:#([\w-]+))?/g)])
  const broken = named.filter(([, name, anchor]) => {
    const page = pages.get(name as string)
    return page === undefined || (anchor !== undefined && !anchorsOf(page).has(anchor))
  })
  return differ(
    'links',
    path,
    broken.map(([name]) => `a comment names ${name}, which is not there`),
  )
}

/** Returns the anchors that GitHub generates for the headings of a page. */
function anchorsOf(page: string): Set<string> {
  const titles = [...page.matchAll(/^#+ (.+)$/gm)].map((match) => (match[1] as string).toLowerCase())
  return new Set(titles.map((title) => title.replace(/[^\w\- ]/g, '').replaceAll(' ', '-')))
}

const NAMED_PATH = /`((?:bench|contract|dashboard|demo|deploy|docs|edge|examples|sdk|tools|widget)\/[\w./-]*)`/g

/** Finds files and folders named in back quotes that do not exist. Build output is not in the checkout. */
export function checkNamedPaths(path: string, text: string, paths: Set<string>): Violation[] {
  const named = new Set([...text.matchAll(NAMED_PATH)].map((match) => match[1] as string))
  const isThere = (name: string) =>
    paths.has(name) || [...paths].some((known) => known.startsWith(name.replace(/\/?$/, '/')))
  const missing = [...named].filter((name) => !name.includes('/dist/') && !isThere(name))
  return differ(
    'paths',
    path,
    missing.map((name) => `\`${name}\` is not there`),
  )
}

/** Requires that each journey of the architecture names its files; `checkNamedPaths` checks that these exist. */
export function checkJourneys(architecture: string): Violation[] {
  const journeys = [...architecture.matchAll(/^## (The journey of .+)$([\s\S]*?)(?=^## )/gm)]
  const silent = journeys.filter(([, , section]) => (section ?? '').match(NAMED_PATH) === null)
  const messages = silent.map(([, title]) => `"${title}" names no file`)
  return differ('journey', 'docs/architecture.md', journeys.length > 0 ? messages : ['there is no journey'])
}
