// Tests the code of the first steps: its form in each language, and texts that would end a literal.

import { expect, test } from 'vitest'
import { javaLiteral, javaScriptLiteral, phpLiteral } from './literals.ts'
import { eventSnippet, LANGUAGES, tagSnippet, tokenSnippet } from './snippets.ts'

const VALUES = {
  host: 'https://nc.example',
  keys: { sdkSecretKey: 'nc_sdk_1', frontApiKey: 'nc_front_1' },
  userId: 'u_1',
}
const EVENT = {
  name: 'order.shipped',
  properties: { note: `It's "here" \\ now`, count: 2, tags: ['a'], more: { on: true } },
}

test.each(LANGUAGES)('the code for %s has the keys that are known, and names those that are not', (language) => {
  const event = eventSnippet(language, VALUES, EVENT)
  expect(event).toContain('nc_sdk_1')
  expect(event).toContain('order.shipped')
  expect(tokenSnippet(language, VALUES)).toContain('YOUR_AUTH_SECRET_KEY')
  expect(tagSnippet(VALUES)).toContain('api-key="nc_front_1"')
})

test('literals keep quotation marks and backslashes', () => {
  const { properties } = EVENT
  const inJavaScript = javaScriptLiteral(properties)
  expect(new Function(`return ${inJavaScript}`)()).toEqual(properties)
  expect(javaLiteral(properties)).toBe(
    'Map.of(\n  "note", "It\'s \\"here\\" \\\\ now",\n  "count", 2,\n  "tags", List.of("a"),\n  "more", Map.of("on", true)\n)',
  )
  expect(phpLiteral(properties)).toBe(
    `[\n  'note' => 'It\\'s "here" \\\\ now',\n  'count' => 2,\n  'tags' => ['a'],\n  'more' => ['on' => true]\n]`,
  )
})

test('the shell reads the body of the event as it is', async () => {
  const { execFileSync } = await import('node:child_process')
  const code = eventSnippet('curl', VALUES, EVENT).replace(/^curl/, 'show')
  const printed = execFileSync('bash', ['-c', `show() { printf '%s' "\${@: -1}"; }; ${code}`], { encoding: 'utf8' })
  expect(JSON.parse(printed)).toEqual({ sdkSecretKey: 'nc_sdk_1', userId: 'u_1', ...EVENT })
})
