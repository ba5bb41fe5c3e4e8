// Tests that a stamp changes with its inputs and that an interrupted build is not fresh.

import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isFresh, removeStamp, stampOf, writeStamp } from './fresh.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'nc-fresh-'))
  mkdirSync(join(root, 'a/dist'), { recursive: true })
  writeFileSync(join(root, 'a/x.ts'), 'one')
})
afterEach(() => rmSync(root, { recursive: true }))

test('a changed, touched, added or removed source changes the stamp; outputs and tests do not', () => {
  const stamps = [stampOf(root, ['a'])]
  const isNew = () => {
    stamps.push(stampOf(root, ['a']))
    return stamps.at(-1) !== stamps.at(-2)
  }
  writeFileSync(join(root, 'a/dist/main.js'), 'built')
  writeFileSync(join(root, 'a/x.test.ts'), 'a test')
  expect(isNew()).toBe(false)
  writeFileSync(join(root, 'a/x.ts'), 'three')
  expect(isNew()).toBe(true)
  utimesSync(join(root, 'a/x.ts'), 1, 1)
  expect(isNew()).toBe(true)
  writeFileSync(join(root, 'a/y.ts'), '')
  expect(isNew()).toBe(true)
  rmSync(join(root, 'a/y.ts'))
  expect(isNew()).toBe(true)
})

test('fresh is: same stamp, all outputs there, not cut off', () => {
  const dist = join(root, 'a/dist')
  writeFileSync(join(dist, 'main.js'), 'built')
  expect(isFresh(dist, 's', ['main.js'])).toBe(false)
  writeStamp(dist, 's')
  expect(isFresh(dist, 's', ['main.js'])).toBe(true)
  expect(isFresh(dist, 't', ['main.js'])).toBe(false)
  expect(isFresh(dist, 's', ['main.js', 'writer.js'])).toBe(false)
  removeStamp(dist)
  expect(isFresh(dist, 's', ['main.js'])).toBe(false)
})
