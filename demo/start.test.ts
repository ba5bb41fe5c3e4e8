// The start of the demo: whoever asks from the first moment on gets the page.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findFreePort } from '../tools/servers/server-process.ts'
import { startDemo } from './start.ts'

test('the first answer at its address is the page', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-start-'))
  const port = await findFreePort()
  const starting = startDemo({ DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'silent' })
  let answer: Response | undefined
  const ask = async () => {
    answer ??= await fetch(`http://127.0.0.1:${port}/`).catch(() => undefined)
    return answer !== undefined
  }
  await expect.poll(ask, { interval: 2, timeout: 20_000 }).toBe(true)
  expect(answer?.status).toBe(200)
  expect(await answer?.text()).toContain('<!doctype html>')
  await (await starting).close()
  await rm(dataDir, { recursive: true, force: true })
})
