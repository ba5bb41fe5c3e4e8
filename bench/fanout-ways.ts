// `node --import tsx bench/fanout-ways.ts [rounds]`: targeted pushes from one process to another over one Redis, by the
// ways of docs/decisions/0106, alternating in one run. Each round ends where a packet would be written to the connection.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { startRedis } from '../tools/servers/redis.ts'
import type { Found, NodeTask } from './fanout/node.ts'
import { WAYS, type WayName } from './fanout/ways.ts'
import { median } from './numbers.ts'

const rounds = Number(process.argv[2] ?? 3)
const names = Object.keys(WAYS) as WayName[]
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
const found: Record<WayName, Found[]> = { adapter: [], nodeByScript: [], nodeByMap: [], userChannel: [] }

for (let round = 1; round <= rounds; round++) {
  for (const way of names) {
    const measured = await measure(way)
    found[way].push(measured)
    const { perSecond, p50Ms, p99Ms } = measured
    console.log(`round ${round} ${way}: ${Math.round(perSecond)}/s, ${p50Ms.toFixed(2)} / ${p99Ms.toFixed(2)} ms`)
  }
}
console.log('\n| Way | Pushes/s | p50 / p99 ms at 2,000/s |\n|---|---|---|')
for (const way of names) {
  const middle = (key: keyof Found) => median(found[way].map((one) => one[key]))
  console.log(
    `| ${way} | ${Math.round(middle('perSecond')).toLocaleString('en')} | ${middle('p50Ms').toFixed(2)} / ${middle('p99Ms').toFixed(2)} |`,
  )
}

async function measure(way: WayName): Promise<Found> {
  const redis = await startRedis()
  const task = { way, url: redis.url, users: 1000, window: 1000, fastMs: 2000, steadyPerSecond: 2000, steadyMs: 2000 }
  const b = start({ role: 'b', ...task })
  try {
    await once(b, 'message')
    const a = start({ role: 'a', ...task })
    const latency = new Promise<Pick<Found, 'p50Ms' | 'p99Ms'>>((resolve) => {
      b.on('message', (word: { heard?: number; p50Ms: number; p99Ms: number }) => {
        if (word.heard === undefined) resolve(word)
        else if (a.connected) a.send(word)
      })
    })
    const perSecond = await new Promise<number>((resolve) => {
      a.on('message', (word: unknown) => {
        if (word === 'done') b.send('tell')
        else if (typeof word === 'object' && word !== null && 'perSecond' in word) {
          b.send('clear')
          resolve(Number(word.perSecond))
        }
      })
    })
    return { perSecond, ...(await latency.finally(() => a.kill())) }
  } finally {
    b.kill()
    await redis.remove()
  }
}

function start(task: NodeTask): ChildProcess {
  const child = fork(join(import.meta.dirname, 'fanout/node.ts'), [JSON.stringify(task)], {
    execArgv: ['--import', 'tsx'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  return child
}
