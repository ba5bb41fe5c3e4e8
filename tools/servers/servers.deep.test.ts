// Tests that servers are separate, can be harmed on purpose, and end with their owner.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, test, vi } from 'vitest'
import { dropDatabase, freshDatabase, freshRedis, runSql, startPostgres } from '../../edge/test/support/servers.ts'
import { findFreePort } from './server-process.ts'

// Each case starts programs, which are slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 })

const MARK = 'CREATE SCHEMA mark'
const MARKED = "SELECT to_regnamespace('mark')"

test('each database is empty and its own', async () => {
  const [left, right] = await Promise.all([freshDatabase(), freshDatabase()])
  await runSql(left, MARK)
  expect(await runSql(left, MARKED)).toBe('mark')
  expect(await runSql(right, MARKED)).toBe('')
  await dropDatabase(left)
  await expect(runSql(left, 'SELECT 1')).rejects.toThrow('does not exist')
})

test('each Redis is its own', async () => {
  expect(await freshRedis()).not.toBe(await freshRedis())
})

test('a port that one process was given no other one is given while that lives', async () => {
  const script = `
    import { findFreePort } from ${JSON.stringify(join(import.meta.dirname, 'server-process.ts'))}
    const ports = []
    for (let n = 0; n < 400; n++) ports.push(await findFreePort())
    console.log(JSON.stringify(ports))
    setInterval(() => {}, 1000)`
  const owner = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface({ input: owner.stdout }), 'line')) as [string]
  const theirs = new Set(JSON.parse(line) as number[])
  // By chance about seven would be equal.
  for (let n = 0; n < 400; n++) expect(theirs).not.toContain(await findFreePort())
  owner.kill('SIGKILL')
  await once(owner, 'exit')
})

test('a killed PostgreSQL comes back on its address with what was committed', async () => {
  const server = await startPostgres()
  await runSql(server.url, MARK)
  await server.kill()
  await expect(runSql(server.url, 'SELECT 1')).rejects.toThrow('refused')
  await server.restart()
  expect(await runSql(server.url, MARKED)).toBe('mark')
  // All children must be gone each time: while one holds the shared memory, the server does not start.
  for (let n = 0; n < 5; n++) {
    await server.kill()
    await server.restart()
  }
  await server.stop()
  await server.remove()
})

test('a frozen PostgreSQL answers when it goes on', async () => {
  const server = await startPostgres()
  server.pause()
  let isAnswered = false
  const answer = runSql(server.url, 'SELECT 1').finally(() => {
    isAnswered = true
  })
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(isAnswered).toBe(false)
  server.resume()
  expect(await answer).toBe('1')
  await server.remove()
})

test('the servers and their files are gone when their owner is killed', async () => {
  const script = `
    import { startPostgres } from ${JSON.stringify(join(import.meta.dirname, 'postgres.ts'))}
    import { startRedis } from ${JSON.stringify(join(import.meta.dirname, 'redis.ts'))}
    Promise.all([startPostgres(), startRedis()]).then((servers) => {
      for (const server of servers) console.log(JSON.stringify({ folder: server.folder, pid: server.pid }))
      setInterval(() => {}, 1000)
    })`
  const owner = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const servers: { folder: string; pid: number }[] = []
  for await (const line of createInterface({ input: owner.stdout })) {
    if (servers.push(JSON.parse(line) as { folder: string; pid: number }) === 2) break
  }
  expect(servers.map(({ folder, pid }) => [existsSync(folder), isRunning(pid)])).toEqual([
    [true, true],
    [true, true],
  ])
  owner.kill('SIGKILL')
  await once(owner, 'exit')
  await expect
    .poll(() => servers.map(({ folder, pid }) => [existsSync(folder), isRunning(pid)]))
    .toEqual([
      [false, false],
      [false, false],
    ])
})

/** Returns false for a zombie, which waits for the process that adopted it. */
function isRunning(pid: number): boolean {
  try {
    return !/^State:\s*Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
