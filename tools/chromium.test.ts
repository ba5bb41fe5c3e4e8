// Finding Chromium: what is named wins, what is not there is said.

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findChromium, findInPlaces } from './chromium.mjs'

const folder = mkdtempSync(join(tmpdir(), 'nc-chromium-'))
afterAll(() => rmSync(folder, { recursive: true }))
const program = join(folder, 'chromium')
writeFileSync(program, '#!/bin/sh\n')
chmodSync(program, 0o755)

test('a CHROME_PATH that cannot be run is refused by name, then the right one is taken', async () => {
  const missing = join(folder, 'missing')
  await expect(findChromium({ env: { CHROME_PATH: missing } })).rejects.toThrow(missing)
  expect(await findChromium({ env: { CHROME_PATH: program } })).toBe(program)
})

test('PATH and the usual places are searched; nothing there is undefined', () => {
  expect(findInPlaces({ PATH: folder }, [])).toBe(program)
  expect(findInPlaces({ PATH: '' }, [folder])).toBe(program)
  expect(findInPlaces({ PATH: '' }, [])).toBeUndefined()
})
