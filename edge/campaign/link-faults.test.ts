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
  [{ type: 'email', markdown: '[a][r] [r]\n\n [r]: javascript:x "title"\n[s]: <ftp://x>' }, ['markdown', 'markdown']],
  [{ type: 'email', markdown: '[a]: see below\n[b]: https://b.example\n[c]: {{ event.properties.c }}' }, []],
  [{ type: 'email', html: '<a href="ftp://x">a</a><img src=blob:x>' }, ['html', 'html']],
  [{ type: 'email', locales: { de: { html: '<a href="shopapp:x">' } } }, ['locales.de.html']],
  [{ type: 'email', html: '<a href="www.x.example/a">a</a><img src=" WWW.x.example/p.png">' }, ['html', 'html']],
  [{ type: 'email', html: '<a href="wwwhat/1"><a href="/www.x.example"><img srcset="/p.png 1x, www2/p.png 2x">' }, []],
  [{ type: 'email', html: '<a href="orders/1"><img src="//x.example/p.png"><a href="#a">' }, []],
  [{ type: 'email', markdown: '[a]({{ event.properties.link }}) [b](tel:+1) [c](sms:+1) [d](#x) [e](/x)' }, []],
  [{ type: 'inbox', link: '{{ event.properties.link }}', actions: [{ label: 'a', link: '' }] }, []],
  [{ type: 'inbox', link: 'mailto:a@b.example,c@d.example?cc=e@f.example&subject=Hi' }, []],
  [{ type: 'inbox', link: '{% assign u = "javascript:x" %}{{ u }}' }, ['link']],
  [{ type: 'inbox', link: '{% capture u %}javascript:x{% endcapture %}{{ u }}' }, ['link']],
  [
    { type: 'inbox', link: '{{ "javascript:" | append: "x" }}', imageUrl: '{{ "x" | prepend: "mailto:" }}' },
    ['link', 'imageUrl'],
  ],
  [{ type: 'email', html: '{% assign logo = "data:image/png;base64,iVBORw0KGgo=" %}<img src="{{ logo }}">' }, []],
  [{ type: 'email', markdown: '{% assign mail = "help@x.example" %}Write to <{{ mail }}>' }, []],
  [{ type: 'email', markdown: '{% assign b = "Acme" %}Support <{{ b }}>' }, []],
  [{ type: 'email', html: '{% assign u = "https://x.example" | append: "/a" %}<a href="{{ u }}">a</a>' }, []],
  [{ type: 'inbox', link: '{% assign u = "/a" %}{% if event.b %}{% assign u = "/b" %}{% endif %}{{ u }}' }, []],
])('%j', (step, paths) => {
  expect(faultsOf(step)).toEqual(paths)
})

const P = 'event.properties.p'
test.each([
  `{% capture u %}https://shop.example{{ ${P} }}{% endcapture %}{{ u }}`,
  `{% assign u = "https://shop.example" | append: ${P} %}{{ u }}`,
  `{{ "https://shop.example" | append: ${P} }}`,
  `{{ ${P} | prepend: "https://shop.example" }}`,
  `{% assign h = "https://shop" | append: ".example" %}{% capture u %}{{ h }}{{ ${P} }}{% endcapture %}{{ u }}`,
  `{{ "https://shop.example" | append: ${P} | strip }}`,
  `{{ "https://shop.example" | append: ${P} | uri_escape }}`,
  `{% assign p = ${P} | uri_escape %}{% assign u = "https://shop.example" | append: p %}{{ u }}`,
  `{% capture u %}https://shop.example{{ ${P} | uri_escape }}{% endcapture %}{{ u }}`,
  `{% if event.b %}{% assign u = "/x" %}{% else %}{% assign u = "https://shop.example" | append: ${P} %}{% endif %}{{ u }}`,
])('an address that is built before it is printed continues no host: %s', (built) => {
  const message = expect.stringContaining('could continue the host')
  const [before, printed] = [built.slice(0, built.lastIndexOf('{{')), built.slice(built.lastIndexOf('{{'))]
  for (const [step, path] of [
    [{ type: 'inbox', link: built }, 'link'],
    [{ type: 'email', html: `${before}<a href="${printed.replaceAll('"', "'")}">a</a>` }, 'html'],
    [{ type: 'email', markdown: `${before}[a](${printed.replaceAll(' ', '')})` }, 'markdown'],
  ] as const) {
    const faults = findLinkFaults({ steps: [{ id: 's', ...step }] }, [])
    expect(faults).toMatchObject([{ path: `steps[0].${path}`, message }])
  }
})

test.each([
  `{% capture u %}https://shop.example/{{ ${P} }}{% endcapture %}{{ u }}`,
  `{{ "https://shop.example/a?b=" | append: ${P} }}`,
  `{% assign u = ${P} %}{{ u }}`,
  `{% assign u = ${P} | strip %}{{ u }}`,
  `{{ ${P} | strip }}`,
  `{% assign q = ${P} | url_encode %}https://shop.example/?q={{ q }}`,
  `https://shop.example/{{ ${P} | uri_escape }}`,
  `/orders/{% capture u %}x{{ ${P} }}{% endcapture %}{{ u }}`,
])('one that continues no host has no fault: %s', (link) => {
  expect(faultsOf({ type: 'inbox', link })).toEqual([])
})

test('schemes of apps are allowed by the environment', () => {
  const step = { type: 'email', markdown: '[a](shopapp://x)', locales: { de: { html: '<a href="shopapp:x">' } } }
  expect(faultsOf(step, ['shopapp'])).toEqual([])
  expect(faultsOf(step)).toEqual(['markdown', 'locales.de.html'])
})
