// Rule: a fact written twice is compared (house rule 4). Each function takes both sides as data or text and says what differs.

import type { Violation } from './source.ts'

function differ(rule: string, path: string, messages: string[]): Violation[] {
  return messages.map((message) => ({ rule, path, message, level: 'error' }))
}

/** What is only on one side, in words. */
function compare(left: Iterable<string>, right: Iterable<string>, here: string, there: string): string[] {
  const [a, b] = [new Set(left), new Set(right)]
  const missing = [...a].filter((item) => !b.has(item)).map((item) => `\`${item}\` is in ${here} and not in ${there}`)
  const extra = [...b].filter((item) => !a.has(item)).map((item) => `\`${item}\` is in ${there} and not in ${here}`)
  return [...missing, ...extra]
}

/** The cells of every table row whose first cell is in back quotes. */
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

/** Codes and statuses of `contract/errors.ts` against the table of `docs/errors.md`. */
export function compareErrors(errors: Record<string, { status: number }>, page: string): Violation[] {
  const code = Object.entries(errors).map(([name, { status }]) => `${name} ${status}`)
  const documented = rowsOf(page).map(([name, status]) => `${name} ${status}`)
  return differ('errors', 'docs/errors.md', compare(code, documented, 'contract/errors.ts', 'docs/errors.md'))
}

/** The settings as `edge/config.ts` describes them against `docs/config.md`, row by row. */
export function compareSettings(described: string, page: string): Violation[] {
  const lines = (text: string) => text.split('\n').filter((line) => line.startsWith('| `'))
  return differ(
    'settings',
    'docs/config.md',
    compare(lines(described), lines(page), 'edge/config.ts', 'docs/config.md'),
  )
}

/** Commands that the guides name against the scripts of package.json: none may be missing on either side. */
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

/** The folders that the tree in the README names against those that are there. */
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

// The top folders, and those below a folder that the tree opens.
function foldersOf(path: string, opened: Set<string>): string[] {
  const parts = path.split('/').slice(0, -1)
  if (parts.length === 0 || parts[0]?.startsWith('.')) return []
  const found = [parts[0] as string]
  for (let at = 1; at < parts.length && opened.has(parts.slice(0, at).join('/')); at += 1) {
    found.push(parts.slice(0, at + 1).join('/'))
  }
  return found
}

/** Routes as `METHOD /path` of the code against the table of `docs/api.md`. */
export function compareRoutes(routes: string[], page: string): Violation[] {
  const documented = rowsOf(page).flatMap(([cell]) => (/^[A-Z]+ \//.test(cell ?? '') ? [cell as string] : []))
  return differ('routes', 'docs/api.md', compare(routes, documented, 'edge/http', 'docs/api.md'))
}

/** The index of decisions against the files. */
export function compareDecisions(index: string, paths: string[]): Violation[] {
  const files = paths.flatMap((path) => /^docs\/decisions\/(\d{4}-.+\.md)$/.exec(path)?.[1] ?? [])
  const linked = [...index.matchAll(/\]\((\d{4}-[^)]+\.md)\)/g)].map((match) => match[1] as string)
  return differ('decisions', 'docs/decisions/README.md', compare(files, linked, 'docs/decisions', 'its index'))
}

/** Relative links of a page that lead nowhere. */
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
