// Tests which links are refused when a definition is saved: those whose destination no value decides.

import { expect, test } from 'vitest'
import { findLinkFaults } from './link-faults.ts'

const faultsOf = (step: object, schemes: string[] = []) =>
  findLinkFaults({ steps: [{ type: 'split', branches: [{ steps: [{ id: 's', ...step }] }] }] }, schemes).map(
    ({ path }) => path.replace('steps[0].branches[0].steps[0].', ''),
  )

test.each([
  [{ type: 'inbox', link: 'ftp://x.example' }, ['link']],
  [{ type: 'inbox', link: 'javascript:alert(1)', imageUrl: 'mailto:a@b.example' }, ['link', 'imageUrl']],
  [
    {
      type: 'inbox',
      actions: [
        { label: 'a', link: '/a' },
        { label: 'b', link: 'shopapp://x' },
      ],
    },
    ['actions[1].link'],
  ],
  [{ type: 'inbox', bodyFormat: 'markdown', body: '[a](orders/1)' }, ['body']],
  [{ type: 'inbox', bodyFormat: 'text', body: '[a](orders/1)' }, []],
  [{ type: 'inbox', bodyFormat: 'markdown', locales: { de: { body: '<ftp://x>' } } }, ['locales.de.body']],
  [{ type: 'email', markdown: 'Hi [a](ftp://x) and ![b](//x.example/p.png)' }, ['markdown', 'markdown']],
  [{ type: 'email', html: '<a href="ftp://x">a</a><img src=blob:x>' }, ['html', 'html']],
  [{ type: 'email', locales: { de: { html: '<a href="shopapp:x">' } } }, ['locales.de.html']],
  [{ type: 'email', html: '<a href="orders/1"><img src="//x.example/p.png"><a href="#a">' }, []],
  [{ type: 'email', markdown: '[a]({{ event.properties.link }}) [b](tel:+1) [c](sms:+1) [d](#x) [e](/x)' }, []],
  [{ type: 'inbox', link: '{{ event.properties.link }}', actions: [{ label: 'a', link: '' }] }, []],
  [{ type: 'inbox', link: 'mailto:a@b.example,c@d.example?cc=e@f.example&subject=Hi' }, []],
])('%j', (step, paths) => {
  expect(faultsOf(step)).toEqual(paths)
})

test('schemes of apps are allowed by the environment', () => {
  const step = { type: 'email', markdown: '[a](shopapp://x)', locales: { de: { html: '<a href="shopapp:x">' } } }
  expect(faultsOf(step, ['shopapp'])).toEqual([])
  expect(faultsOf(step)).toEqual(['markdown', 'locales.de.html'])
})
