// The results as Markdown, with the aims of the issue beside them.

import { median } from './numbers.ts'
import type { Findings } from './track.ts'

export interface Mode {
  name: string
  aims: { single: number; batch: number }
  findings: Findings
}

export interface Machine {
  date: string
  commit: string
  cpu: string
  cores: number
  memoryGb: number
  system: string
  node: string
  engine: string
  /** Type of the file system that held the data. */
  disk: string
  /** Load average of the last minute before the run: what else the machine was doing. */
  loadBefore: number
}

// More than this many programs wanted a core already: what is measured is then mostly they.
const BUSY = 0.7

const POST_P99_MS = 15
const GET_P99_MS = 5
const FRAME_P50_MS = 5
const FRAME_P99_MS = 30

export function describeResults(machine: Machine, modes: Mode[]): string {
  const { cpu, cores, memoryGb, system, node, engine, disk, commit, date, loadBefore } = machine
  return `# Benchmark: tracking

Written by \`npm run bench\`; what is measured and how is said in [\`main.ts\`](main.ts). Absolute figures swing by 40 % on shared
machines, ratios by about 15 %: compare ratios.

${date}, commit ${commit}. ${cpu}, ${cores} cores, ${memoryGb} GB, ${system}, Node ${node}, ${engine}, data on ${disk}, load before the run ${loadBefore.toFixed(1)}${
    loadBefore > BUSY ? ' (**busy: take these figures for nothing but a rehearsal**)' : ''
  }.

${modes.map(describeMode).join('\n\n')}
`
}

function describeMode({ name, aims, findings: f }: Mode): string {
  const bare = median(f.barePerSecond)
  const batch = median(f.batchEventsPerSecond)
  const rows = [
    ['Bare node:http, requests/s', whole(bare), '', ''],
    ['Single events/s, 64 connections, one inbox campaign', whole(median(f.singlePerSecond)), '', ''],
    ['… as a ratio to bare', ratio(median(f.ratios)), `≥ ${aims.single}`, verdict(median(f.ratios) >= aims.single)],
    ['Events/s in batches of 100', whole(batch), '', ''],
    ['… as a ratio to bare', ratio(batch / bare), `≥ ${aims.batch}`, verdict(batch / bare >= aims.batch)],
    [
      `POST p50 / p99 at ${whole(f.atRate)}/s (40 %)`,
      pair(f.postP50, f.postP99),
      `p99 ≤ ${POST_P99_MS} ms`,
      verdict(f.postP99 <= POST_P99_MS),
    ],
    [
      'Inbox GET p50 / p99 meanwhile',
      pair(f.getP50, f.getP99),
      `p99 ≤ ${GET_P99_MS} ms`,
      verdict(f.getP99 <= GET_P99_MS),
    ],
    [
      'Event → frame at the client p50 / p99, 500 events/s',
      pair(f.frameP50, f.frameP99),
      `≤ ${FRAME_P50_MS} / ${FRAME_P99_MS} ms`,
      verdict(f.frameP50 <= FRAME_P50_MS && f.frameP99 <= FRAME_P99_MS),
    ],
  ]
  const rounds = f.barePerSecond.map((rate, at) => `${whole(rate)} → ${whole(f.singlePerSecond[at] ?? 0)}`).join(', ')
  const table = rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
  return `## ${name}\n\n| Measured | Median | Aim | |\n|---|---|---|---|\n${table}\n\nRounds (bare → single, alternating): ${rounds}.`
}

const whole = (value: number) => Math.round(value).toLocaleString('en')
const ratio = (value: number) => value.toFixed(2)
const pair = (p50: number, p99: number) => `${p50.toFixed(1)} / ${p99.toFixed(1)} ms`
const verdict = (isMet: boolean) => (isMet ? 'met' : '**missed**')
