// Writes results.md: one section for each benchmark and variant, between markers, so that one run keeps the other sections.

import type { Benchmark, Finding } from './benchmark.ts'

export const HEAD = `# Benchmarks

Written by \`npm run bench\`, each section by its own benchmark and on the machine that it names; a new run
replaces the section of the same benchmark, profile and engines. Absolute figures swing by 40 % on shared machines, ratios of one
run by about 15 %: compare ratios.
`

/** Returns the file's text with this benchmark's section replaced, or appended when it is new. */
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

/** Formats the table and the notes of a finding. */
export function describe({ rows, notes = [] }: Finding): string {
  const lines = rows.map(({ what, value, aim, isMet }) => {
    const verdict = isMet === undefined ? '' : isMet ? 'met' : '**missed**'
    return `| ${[what, value, aim ?? '', verdict].join(' | ')} |`
  })
  const table = ['| Measured | Median | Aim | |', '|---|---|---|---|', ...lines].join('\n')
  return [table, ...notes].join('\n\n')
}
