// Tests that the dashboard has the colours of the widget: they stand in two files, one for each.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const NAMES = ['accent', 'on-accent', 'surface', 'raised', 'text', 'muted', 'line']

function colourOf(text: string, name: string): string | undefined {
  return new RegExp(`--_?${name}: (?:var\\(--nc-[\\w-]+, )?(?:var\\(--_service-accent, )?(light-dark\\([^)]*\\))`).exec(
    text,
  )?.[1]
}

test('the shared colours are equal', () => {
  const own = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')
  const widget = readFileSync(new URL('../../widget/elements/notification-center.styles.ts', import.meta.url), 'utf8')
  for (const name of NAMES) {
    expect(colourOf(widget, name), name).toBeDefined()
    expect(colourOf(own, name), name).toBe(colourOf(widget, name))
  }
})
