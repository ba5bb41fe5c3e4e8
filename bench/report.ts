// results.md: one section for each benchmark and variant (profile, engines), between marks, so that a run of one leaves the others as they are.

import type { Benchmark, Finding } from './benchmark.ts'

export const HEAD = `# Benchmarks

Written by \`npm run bench\`, each section by its own benchmark and on the machine that it names; a new run
replaces the section of the same benchmark, profile and engines. Absolute figures swing by 40 % on shared machines, ratios of one
run by about 15 %: compare ratios.
`

/** The text of the file with this benchmark's section of that variant put in the place of its former one, or at the end. */
export function putSection(
  text: string,
  { name, measures }: Pick<Benchmark, 'name' | 'measures'>,
  variant: string,
  machine: string,
  finding: Finding,
): string {
  const [from, to] = [`<!-- ${name} ${variant} -->`, `<!-- /${name} ${variant} -->`]
  const section = `${from}\n## ${name}, ${variant}: ${measures}\n\n${machine}\n\n${describe(finding)}\n${to}`
  const body = text.startsWith('# Benchmarks\n') ? text : HEAD
  const start = body.indexOf(from)
  const end = body.indexOf(to)
  if (start === -1 || end === -1) return `${body.trimEnd()}\n\n${section}\n`
  return body.slice(0, start) + section + body.slice(end + to.length)
}

/** The table and the notes. */
export function describe({ rows, notes = [] }: Finding): string {
  const lines = rows.map(({ what, value, aim, isMet }) => {
    const verdict = isMet === undefined ? '' : isMet ? 'met' : '**missed**'
    return `| ${[what, value, aim ?? '', verdict].join(' | ')} |`
  })
  const table = ['| Measured | Median | Aim | |', '|---|---|---|---|', ...lines].join('\n')
  return [table, ...notes].join('\n\n')
}
