// Tests that a node restarts after it ends by itself, stays stopped after `stop`, and reports why it does not start.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { findFreePort } from '../servers/server-process.ts'
import { type ClusterNode, createNode } from './node.ts'

vi.setConfig({ testTimeout: 60_000 })

const folder = mkdtempSync(join(tmpdir(), 'nc-node-'))
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A test server that is ready at once and handles SIGTERM like the edge. */
const PROGRAM = `
  process.on('SIGTERM', () => process.exit(0))
  require('node:http').createServer((request, response) => response.end('ok')).listen(process.env.PORT, '127.0.0.1')`

async function givenNode(program: string): Promise<{ node: ClusterNode; said: string[] }> {
  const said: string[] = []
  const port = await findFreePort()
  const node = createNode({
    name: 'node 1',
    port,
    env: { PORT: String(port) },
    program: { args: ['-e', program], cwd: tmpdir() },
    logPath: join(folder, 'node.log'),
    log: (line) => said.push(line),
  })
  ends.push(node.stop)
  return { node, said }
}

test('a killed node comes back on its port as another process', async () => {
  const { node, said } = await givenNode(PROGRAM)
  await node.start()
  const first = node.pid
  await node.kill()
  await expect.poll(async () => node.pid !== first && (await node.isReady())).toBe(true)
  await expect.poll(() => said).toHaveLength(2)
  expect(said).toEqual(['node 1 ended (SIGKILL); starting it again', `node 1 is ready again (process ${node.pid})`])
})

test('a stopped node answers its status and stays away until it is started', async () => {
  const { node, said } = await givenNode(PROGRAM)
  await node.start()
  expect(await node.stop()).toBe(0)
  expect(await node.isReady()).toBe(false)
  await node.start()
  await expect.poll(node.isReady).toBe(true)
  expect(said).toEqual([])
})

test('a node that does not start says what it wrote', async () => {
  const { node } = await givenNode(`console.error('no such setting'); process.exit(1)`)
  await expect(node.start()).rejects.toThrow('no such setting')
})

test('a stopped node is started with another program, and keeps to it', async () => {
  const { node } = await givenNode(PROGRAM)
  await node.start()
  await node.stop()
  const other = PROGRAM.replace("end('ok')", "end('other')")
  await node.start({ args: ['-e', other], cwd: tmpdir() })
  const first = node.pid
  const said = async () => (await fetch(`http://127.0.0.1:${node.port}/`)).text()
  expect(await said()).toBe('other')
  await node.kill()
  await expect.poll(async () => node.pid !== first && (await node.isReady())).toBe(true)
  expect(await said()).toBe('other')
})
