// Runs dependency-cruiser with the rules of .dependency-cruiser.mjs and reports what it finds.

import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import type { ICruiseResult } from 'dependency-cruiser'
import type { Violation } from './source.ts'

const CHECKOUT = resolve(import.meta.dirname, '../..')
const FOLDERS = ['contract', 'edge', 'widget', 'dashboard', 'demo', 'sdk', 'bench', 'tools']

/** Reads the imports of all folders below `root` and applies the rules. @throws when dependency-cruiser fails */
export async function readImports(root: string, folders = FOLDERS): Promise<ICruiseResult> {
  const program = resolve(CHECKOUT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')
  const args = [program, ...folders, '-c', resolve(CHECKOUT, '.dependency-cruiser.mjs'), '-T', 'json']
  // Runs as a separate process: under the tsx loader, dependency-cruiser gets another shape of swc's visitor.
  const options = { cwd: root, maxBuffer: 256 * 1024 * 1024, env: { ...process.env, NODE_OPTIONS: '' } }
  return await new Promise((resolve, reject) => {
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      // The exit status is the number of errors; the output contains them.
      if (stdout.startsWith('{')) return resolve(JSON.parse(stdout) as ICruiseResult)
      const ending = `${error?.signal ?? error?.code ?? 'no fault'}, ${stdout.length} characters of output`
      reject(new Error(`dependency-cruiser failed (${ending}): ${stderr}`, { cause: error }))
    })
  })
}

/** Returns the violations; a circle that an import of types closes is one. */
export function checkImports(result: ICruiseResult): Violation[] {
  const others = result.summary.violations.filter(({ cycle }) => cycle === undefined)
  const rules = result.summary.ruleSetUsed?.forbidden ?? []
  const reasons = new Map(rules.map(({ name, comment }) => [name, comment === undefined ? '' : `: ${comment}`]))
  return [
    ...circlesOf(result).map((circle) =>
      violation('no circles', circle[0] as string, `imports itself: ${circle.join(' → ')}`),
    ),
    ...others.map(({ rule, from, to }) =>
      violation(rule.name, from, `may not import ${to}${reasons.get(rule.name) ?? ''}`),
    ),
  ]
}

function violation(rule: string, path: string, message: string): Violation {
  return { rule, path, message, level: 'error' }
}

/** Returns each circle once, as the paths on the way. */
export function circlesOf({ summary }: ICruiseResult): string[][] {
  const circles = summary.violations.flatMap(({ from, cycle }) =>
    cycle === undefined ? [] : [[from, ...cycle.map(({ name }) => name)]],
  )
  return [...new Map(circles.map((circle) => [[...new Set(circle)].sort().join(), circle])).values()]
}
