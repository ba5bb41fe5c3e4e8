// The package on a server: importing it has no effect and no fault.

import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('each entry can be imported where there is no document', async () => {
  expect('document' in globalThis).toBe(false)
  const before = Object.keys(globalThis)
  const [root, , headless] = await Promise.all([import('./index.ts'), import('./define.ts'), import('./headless.ts')])
  expect(root.NotificationCenter).toBeTypeOf('function')
  expect(root.define()).toBe(root.NotificationCenter)
  expect(headless.createInbox).toBeTypeOf('function')
  // Lit names its versions, and has a registry of its own where there is none.
  const ofLit = /^(lit.*|reactiveElementVersions|customElements)$/
  expect(Object.keys(globalThis).filter((name) => !ofLit.test(name))).toEqual(before)
})

test('the built package names entries and types that are there, and can be imported here too', async () => {
  const built = (path: string): URL => new URL(`dist/package/${path}`, import.meta.url)
  const description: { exports: Record<string, { types: string; default: string }> } = JSON.parse(
    readFileSync(built('package.json'), 'utf8'),
  )
  const entries = Object.values(description.exports).filter((entry) => typeof entry !== 'string')
  expect(Object.keys(description.exports)).toEqual(expect.arrayContaining(['.', './define', './headless', './react']))
  expect(entries).toHaveLength(9)
  for (const entry of entries) {
    expect(existsSync(built(entry.types)), entry.types).toBe(true)
    await import(built(entry.default).href)
  }
  expect(readFileSync(built('types/widget/index.d.ts'), 'utf8')).toContain('NotificationCenter')
})
