// Tests which snippets and translations a template is found to use.

import { expect, test } from 'vitest'
import { usedTextsIn } from './used-texts.ts'

const NONE = { snippets: [], keys: [], isOpen: false }

test.each([
  ['{{ \'a.b\' | t: count: 2 }}{{- "c"|t -}}', { ...NONE, keys: ['a.b', 'c'] }],
  ["{% assign x = 'a' | t %}{% echo 'b' | t %}{% liquid\n echo 'c' | t\n%}", { ...NONE, keys: ['a', 'b', 'c'] }],
  ["{{ event.properties.status | prepend: 'order.' | t }}", { ...NONE, isOpen: true }],
  ["{{ 'a' | t | append: 'b' | t }}", { ...NONE, keys: ['a'], isOpen: true }],
  ["{% render 'footer', year: 1 %}{%- render \"x\" -%}{% render 'x' %}", { ...NONE, snippets: ['footer', 'x'] }],
  ["{% liquid\n render 'a'\n%}", { ...NONE, snippets: ['a'] }],
  ["| t | n |\n we render 'nothing' = 'a' | t", NONE],
  ['{{ a | truncate: 3 }}{{ event.properties.t }}', NONE],
])('%s', (source, used) => {
  expect(usedTextsIn(source)).toEqual(used)
})

test('marks and quotation marks that nothing ends take linear time', () => {
  const source = `{% raw %}${'{{ | t render "'.repeat(30_000)}{% endraw %}${"render '".repeat(10_000)}`
  expect(usedTextsIn(source)).toEqual({ ...NONE, isOpen: false })
})
