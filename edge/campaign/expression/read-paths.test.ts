// Tests which paths of data a template reads, loops and quoted texts included.

import { expect, test } from 'vitest'
import { processorMs } from '../../test/support/processor-time.ts'
import { listTemplatePaths } from './read-paths.ts'

const paths = (source: string) => listTemplatePaths(source).map((path) => path.join(' '))

test.each([
  ['an output', 'Total {{ event.properties.total }}', ['event properties total']],
  ['a key in brackets', '{{ event.properties["odd key"][0].x }}', ['event properties odd key 0 x']],
  ['a filter with a value', '{{ "event.a" | append: event.properties.b }}', ['event properties b']],
  [
    'a tag',
    '{% if event.properties.a == event.properties.b-c %}x{% endif %}',
    ['event properties a', 'event properties b-c'],
  ],
  [
    'loops in loops',
    '{% for one in event.properties.items %}{% for tag in one.tags limit: 3 %}{{ tag.name }}{% endfor %}{{ one.sku }}{% endfor %}{{ one.sku }}',
    [
      'event properties items',
      'event properties items [] tags',
      'event properties items [] tags [] name',
      'event properties items [] sku',
    ],
  ],
  [
    'events of a digest',
    '{% for e in events %}{{ e.properties.n }}{% endfor %}{{ events.size }}',
    ['events [] properties n', 'events size'],
  ],
  ['a loop over something else', '{% for event in user.attributes.list %}{{ event.properties.a }}{% endfor %}', []],
  ['what is no data of the event', '{{ user.name }} {{ my.event.properties.a }} event.properties.b', []],
  [
    'a comment',
    '{% comment %}{{ event.properties.a }}{% endcomment %}{% raw %}{{ event.properties.b }}{% endraw %}',
    [],
  ],
  [
    'what stands behind the end of raw',
    '{% raw %}{{ a }}{% endraw %}{% comment %}{{ event.properties.a }}{% endcomment %}{{ event.properties.b }}',
    ['event properties b'],
  ],
])('%s', (_what, source, expected) => {
  expect(paths(source)).toEqual(expected)
})

test('a long template takes no long time', async () => {
  const source = `${'{% for a in event.properties.x %}'.repeat(1000)}${'{{ event.properties.'.repeat(20_000)}`
  expect(await processorMs(() => listTemplatePaths(source))).toBeLessThan(2000)
})
