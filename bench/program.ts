// A benchmark that is a program of its own: its last table becomes the result. `--full` is passed on.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Bench, Benchmark, Row } from './benchmark.ts'
import { ROOT } from './edges.ts'

/** `args` begins with the program's path in the checkout. It prints a table: measured, value and, where there is one, the aim. */
export function programBenchmark(
  name: string,
  measures: string,
  args: (bench: Pick<Bench, 'isFull'>) => string[],
): Benchmark {
  return {
    name,
    measures,
    async run(bench) {
      const child = spawn(process.execPath, ['--import', 'tsx', ...args(bench)], {
        cwd: ROOT,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const stop = () => child.kill('SIGTERM')
      process.once('exit', stop)
      const exited = once(child, 'exit')
      const rows: Row[] = []
      for await (const line of createInterface({ input: child.stdout })) {
        const cells = cellsOf(line)
        if (cells !== undefined) rows.push(toRow(cells))
        else if (line.trim() !== '' && !line.startsWith('|')) bench.say(line)
      }
      const [status] = await exited
      process.off('exit', stop)
      if (status !== 0) throw new Error(`${name} ended with exit ${status}`)
      return { rows: rows.slice(1) }
    },
  }
}

/** The cells of a table's line; undefined for other lines and for the line below the heads. */
function cellsOf(line: string): string[] | undefined {
  if (!line.startsWith('|') || /^[|\s:-]+$/.test(line)) return undefined
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())
}

function toRow([what = '', value = '', aim = '', ...rest]: string[]): Row {
  const more = rest.filter((cell) => cell !== '')
  const all = more.length === 0 ? value : [value, ...more].join('; ')
  return aim === '' ? { what, value: all } : { what, value: all, aim }
}
