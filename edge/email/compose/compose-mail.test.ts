// Tests composed mails as they arrive: the parts, the addresses in them, the headers, and hostile content.

import { parse } from 'parse5'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import type { MessageContent } from '../../../contract/api.ts'
import type { EmailLook } from '../../../contract/resources/notification-config.ts'
import { compileMail } from '../../campaign/steps/email.ts'
import type { ComposeInput } from '../../domain/mail/compose-mail.ts'
import { NO_LINK_RULES } from '../../domain/tenant/link-rules.ts'
import { createRenderLayout } from '../../flow/mail/render-layout.ts'
import { processorMs } from '../../test/support/processor-time.ts'
import { buildMime } from '../build-mime.ts'
import { listElements } from '../test/page-tree.ts'
import { createMailComposer } from './compose-mail.ts'

const OWN = 'https://nc.example/v1/t'
const UNSUBSCRIBE = `${OWN}/u/7`
const PREFERENCES = `${OWN}/p/7`
const composer = createMailComposer({
  publicUrl: () => 'https://nc.example/base',
  links: {
    open: ({ messageId }) => `${OWN}/o/${messageId}.gif`,
    click: ({ messageId }, target) => `${OWN}/c/${messageId}-${encodeURIComponent(target)}`,
    unsubscribe: ({ messageId }) => `${OWN}/u/${messageId}`,
    preferences: ({ messageId }) => `${OWN}/p/${messageId}`,
  },
  renderLayout: createRenderLayout(),
})
const LOOK: EmailLook = {
  senderName: null,
  senderAddress: null,
  replyTo: null,
  layout: null,
  layoutFormat: 'html',
  tracking: { opens: true, clicks: true },
}
const NOTHING = { event: {}, user: {}, enriched: {}, events: [], campaign: {}, env: {} }

type Step = Partial<Parameters<typeof compileMail>[0]>

/** Renders a step as a run does. */
function contentOf(step: Step, scope: object = {}, locale: string | null = null): MessageContent {
  const { render } = compileMail({ id: 'mail', type: 'email', subject: 'Your order', ...step } as never)
  return render({ ...NOTHING, ...scope }, { category: null, locale, fallbackTitle: 'x' })
}

function compose(step: Step, changes: Partial<ComposeInput> = {}, scope?: object) {
  return composer.compose({
    messageId: 7,
    environmentId: 3,
    userId: 'ada',
    content: contentOf(step, scope),
    to: { name: 'Ada', address: 'ada@example.org' },
    look: undefined,
    links: NO_LINK_RULES,
    from: { name: 'Shop', address: 'shop@example.com' },
    locale: null,
    isCritical: false,
    tracksItself: false,
    ...changes,
  })
}

const elementsOf = (html: string) => listElements(parse(html))
const hrefs = (html: string) =>
  elementsOf(html).flatMap(({ path, attributes: { href } }) =>
    path.endsWith('/a') && href !== undefined ? [href] : [],
  )
/** The style that was written into the first element of this name and text. */
const styleOf = (html: string, tag: string, text: string) =>
  new RegExp(`<${tag}\\b[^>]*\\bstyle="([^"]*)"[^>]*>${text}`).exec(html)?.[1]

test('Markdown becomes a page with inlined styles, and its media queries stay', async () => {
  const { html } = await compose({ markdown: '# Hello\n\nText **bold**\n\n- one\n\n| a |\n|---|\n| 1 |' })
  expect(html).toMatch(/^<!doctype html>/i)
  expect(styleOf(html, 'h1', 'Hello')).toMatch(/margin: 0 0 16px;.*font-size: 26px/)
  expect(html).toContain('<strong>bold</strong>')
  expect(html).toContain('@media (prefers-color-scheme: dark)')
  expect(html).toContain('@media (max-width: 480px)')
  expect(html).toContain('<meta name="color-scheme" content="light dark">')
  expect(html).toContain('<html lang="en" dir="ltr">')
})

test('a paragraph of one bold link becomes a button, and nothing else does', async () => {
  const { html, text } = await compose({
    markdown: '**[See it](https://a.example/)**\n\n**[No](https://b.example/) button**\n\n[None](https://c.example/)',
  })
  expect(html.match(/class="button"/g)).toHaveLength(1)
  expect(html).toMatch(
    /class="button"[\s\S]*?<td style="[^"]*background: #2f5fe0[^"]*"><a href="https:\/\/a\.example\/"/,
  )
  expect(styleOf(html, 'a', 'See it')).toMatch(/display: inline-block/)
  expect(text).toContain('See it [https://a.example/]')
})

test('the sender stands above the mail, and the way out below it in the language of the user', async () => {
  const german = await compose(
    { markdown: 'x' },
    { locale: 'de-AT', from: { name: '  Öko <b>', address: 'a@b.example' } },
  )
  expect(german.html).toContain('<html lang="de" dir="ltr">')
  expect(german.html).toMatch(/class="tile"[^>]*>Ö</)
  expect(german.html).toContain('Öko &lt;b&gt;')
  expect(german.html).toMatch(new RegExp(`href="${UNSUBSCRIBE}"[^>]*>Abbestellen</a>`))
  expect(german.text).toContain(`Abbestellen: ${UNSUBSCRIBE}`)
  expect((await compose({ markdown: 'x' }, { locale: 'ar' })).html).toContain('<html lang="ar" dir="rtl">')
  for (const locale of ['tlh', '', '__proto__', 'constructor']) {
    expect((await compose({ markdown: 'x' }, { locale })).html).toContain('>Unsubscribe</a>')
  }
})

test('pages and layouts have the language of the body, and keep one that their author wrote', async () => {
  const locales = { ar: { html: '<html><body>x</body></html>' }, fr: { markdown: 'x' } }
  const htmlFor = async (locale: string, look?: Partial<EmailLook>) => {
    const step = { html: '<html lang="en"><body>y</body></html>', locales }
    const content = contentOf(step, {}, locale)
    return (await compose({}, { content, locale, look: { ...LOOK, ...look } })).html
  }
  expect(await htmlFor('ar-EG')).toMatch(/^<html lang="ar" dir="rtl"><body lang="ar" dir="rtl">/)
  expect(await htmlFor('fr-CA')).toContain('<html lang="fr" dir="ltr">')
  expect(await htmlFor('de')).toContain('<html lang="en">')
  expect(await htmlFor('ar', { layout: '<html><body>{{ content }}</body></html>' })).toMatch(
    /^<html lang="ar" dir="rtl">/,
  )
  const layout = '<mjml><mj-body><mj-text>{{ content }}</mj-text></mj-body></mjml>'
  expect(await htmlFor('fr', { layout, layoutFormat: 'mjml' })).toMatch(/<html lang="fr" dir="ltr"/)
})

test('mails that can be turned off have both headers, critical ones neither header nor link', async () => {
  const optional = await compose({ markdown: 'x' })
  expect(optional.headers).toEqual({
    'Auto-Submitted': 'auto-generated',
    'List-Unsubscribe': `<${UNSUBSCRIBE}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })
  const critical = await compose({ markdown: 'x' }, { isCritical: true })
  expect(critical.headers).toEqual({ 'Auto-Submitted': 'auto-generated' })
  expect(critical.html + critical.text).not.toContain('/v1/t/u/')
  expect(critical.html).toContain('cannot be turned off')
})

test('the preheader is the first text of the mail, and hidden', async () => {
  for (const look of [undefined, { ...LOOK, layout: '<body class="a"><p>{{ content }}</p></body>' }]) {
    const { html } = await compose({ markdown: 'Body', preheader: 'Soon & <b>' }, { look })
    const [, style, text] = /<body[^>]*>\s*<div style="([^"]*)">([^<]*)</.exec(html) ?? []
    expect(style).toContain('display:none')
    expect(text).toMatch(/^Soon &amp; &lt;b&gt;/)
  }
  const own = '<body><i>{{ preheader }}</i>{{ content }}</body>'
  const printed = await compose({ markdown: 'Body', preheader: 'Soon' }, { look: { ...LOOK, layout: own } })
  expect(printed.html.match(/Soon/g)).toHaveLength(1)
})

test('the text part names the recipients of a mailto link alone', async () => {
  const html = '<a href="mailto:a@b.example,c@d.example?subject=Hi%20you">Write</a> <a href="mailto:?body=x">Share</a>'
  expect((await compose({ html })).text).toMatch(/^Write \[a@b\.example,c@d\.example\] Share$/m)
})

test('links of web addresses are followed, and all others stay', async () => {
  const step = {
    html: `<a href="https://a.example/?x=1&amp;y=%22">1</a> <A HREF='/orders/7'>2</A> <a class=b href=http://c.example/ü>3</a>
      <a href="mailto:x@a.example">4</a> <a href="tel:+1">5</a> <a href="#top">6</a> <a name="x">7</a>
      <a title="a > b" href="https://d.example">8</a> <a href="https://user:pw@e.example/">9</a>
      <a href="https://f.example/${'a'.repeat(3000)}">10</a> <a href="http:///">11</a> <img src="/p.png">`,
  }
  const { html, text } = await compose(step, { tracksItself: true })
  const click = (target: string) => `${OWN}/c/7-${encodeURIComponent(target)}`
  expect(hrefs(html)).toEqual([
    click('https://a.example/?x=1&y=%22'),
    click('https://nc.example/base/orders/7'),
    click('http://c.example/%C3%BC'),
    'mailto:x@a.example',
    'tel:+1',
    '#top',
    click('https://d.example/'),
    `https://f.example/${'a'.repeat(3000)}`,
    UNSUBSCRIBE,
    PREFERENCES,
  ])
  expect(html).toContain(`<img src="https://nc.example/base/p.png"`)
  expect(html.match(/\/v1\/t\/o\/7\.gif/g)).toHaveLength(1)
  expect(html).toMatch(/\/o\/7\.gif"[^>]*><\/body>/)
  expect(text).toContain('https://nc.example/base/orders/7')
  expect(text).not.toContain('/v1/t/c/')
})

test.each(['/\\[', '/\\\\x:y/', 'https://[', 'http://a b/', 'https://%', '//[', '/%'])(
  'the address %j stops no mail',
  async (address) => {
    const { html } = await compose({ html: `<a href="${address}">x</a>`, preheader: 'p' }, { tracksItself: true })
    expect(html).toContain('>x</a>')
  },
)

test.each([
  [{ opens: true, clicks: false }, 1, 0],
  [{ opens: false, clicks: true }, 0, 1],
  [{ opens: false, clicks: false }, 0, 0],
])('tracking %j adds %d pixels and changes %d links', async (tracking, pixels, links) => {
  const step = { markdown: '[a](https://a.example/)' }
  const { html } = await compose(step, { tracksItself: true, look: { ...LOOK, tracking } })
  expect(html.match(/\/v1\/t\/o\//g) ?? []).toHaveLength(pixels)
  expect(html.match(/\/v1\/t\/c\//g) ?? []).toHaveLength(links)
  const provided = await compose(step, { look: { ...LOOK, tracking } })
  expect(provided.tracking).toEqual(tracking)
  expect(provided.html).not.toMatch(/\/v1\/t\/[oc]\//)
})

test('a preview has no address of its own in it', async () => {
  const preview = await compose({ markdown: '[a](https://a.example/)' }, { messageId: 0, tracksItself: true })
  expect(hrefs(preview.html)).toEqual(['https://a.example/', '#', '#'])
  expect(preview.html + preview.text + JSON.stringify(preview.headers)).not.toContain('/v1/t/')
})

test('the look names the sender, and the integration stands in for it', async () => {
  const from = { name: 'Shop', address: 'shop@example.com' }
  expect((await compose({ markdown: 'x' }, { look: LOOK })).from).toEqual(from)
  const look = { ...LOOK, senderName: 'Loam', senderAddress: 'hi@loam.example', replyTo: 're@loam.example' }
  const mail = await compose({ markdown: 'x' }, { look })
  expect(mail).toMatchObject({ from: { name: 'Loam', address: 'hi@loam.example' }, replyTo: 're@loam.example' })
  expect(mail.html).toContain('>Loam<')
})

test('a layout prints the content as it is, and all other values escaped', async () => {
  const layout = `<style>p { color: teal } @media print { p { color: red } }</style><title>{{ subject }}</title>
    {% if senderName == "Shop" %}<h2>{{ senderName }}</h2>{% endif %}<main>{{ content }}</main><a href="{{ unsubscribeUrl }}">stop</a>`
  const { html } = await compose(
    { subject: 'A <b> & {{ event.name }}', markdown: 'Text & *more*' },
    { look: { ...LOOK, layout }, tracksItself: true },
    { event: { name: '"{{ content }}"' } },
  )
  expect(html).toContain('<main><p style="color: teal;">Text &amp; <em>more</em></p>')
  expect(html).toContain('<title>A &lt;b&gt; &amp; &quot;{{ content }}&quot;</title>')
  expect(html).toContain('<h2>Shop</h2>')
  expect(html).toContain('@media print { p { color: red } }')
  expect(hrefs(html)).toEqual([UNSUBSCRIBE])
})

test('an MJML layout is converted around the content', async () => {
  const layout = `<mjml><mj-head><mj-style>.content p { color: teal }</mj-style></mj-head><mj-body><mj-section><mj-column>
    <mj-text css-class="content">{{ content }}</mj-text><mj-button href="{{ unsubscribeUrl }}">Stop</mj-button></mj-column></mj-section></mj-body></mjml>`
  const { html } = await compose({ markdown: '# Hi\n\nText' }, { look: { ...LOOK, layout, layoutFormat: 'mjml' } })
  expect(html).toMatch(/<p style="[^"]*color: teal;">Text<\/p>/)
  expect(hrefs(html)).toEqual([UNSUBSCRIBE])
  expect(html).not.toContain('<mj-')
})

test('a layout that prints the content too often fails in words', async () => {
  const layout = '{% for i in (1..500) %}{{ content }}{% endfor %}'
  const mail = compose({ markdown: 'word '.repeat(6000) }, { look: { ...LOOK, layout } })
  await expect(mail).rejects.toMatchObject({ name: 'TemplateError', message: expect.stringContaining('characters') })
})

test('HTML that is a whole page keeps its look, with the way out at its end', async () => {
  const html = '<!doctype html><html><head><style>p { color: teal }</style></head><body><p>Page</p></body></html>'
  const mail = await compose({ html, preheader: 'Soon' }, { tracksItself: true })
  expect(mail.html.match(/<body/g)).toHaveLength(1)
  expect(mail.html).not.toContain('class="sheet"')
  expect(styleOf(mail.html, 'p', 'Page')).toBe('color: teal;')
  expect(hrefs(mail.html)).toEqual([UNSUBSCRIBE, PREFERENCES])
  expect(mail.html).toMatch(/<body><div style="display:none[\s\S]*Page[\s\S]*\/u\/7[\s\S]*\/o\/7\.gif[\s\S]*<\/body>/)
})

test('the text part is what was given, else it is made from the content', async () => {
  const given = await compose({ markdown: '# A', text: 'My own {{ event.name }}' }, {}, { event: { name: '<b>' } })
  expect(given.text).toMatch(/^My own <b>\n\n--\n/)
  const made = await compose({
    markdown:
      '# Title\n\nText *here* & [link](/a)\n\n- one\n- two\n\n| Plant | Count |\n|---|---|\n| Fern | 3 |\n\n![pic](/p.png)',
  })
  expect(made.text).toMatch(/^Title\n\nText here & link \[https:\/\/nc\.example\/base\/a\]\n\n \* one\n \* two\n/)
  expect(made.text).toMatch(/Plant {3}Count\nFern {4}3/)
  const html = await compose({
    html: '<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table><style>x{}</style>',
  })
  expect(html.text).toMatch(/^a b *\n+c/)
})

test('what arrives has both parts, the headers and non-ASCII texts', async () => {
  const mail = await compose(
    { subject: 'Grüße 🎈 {{ event.name }}', markdown: 'Hallo **Zoë**' },
    { to: { name: 'Zoë "Z" <x@y.example>\r\nBcc: v@evil.example', address: 'zoë@exämple.org' } },
    { event: { name: 'a\r\nBcc: v@evil.example' } },
  )
  const parsed = await PostalMime.parse(await buildMime(mail))
  expect(parsed.subject).toBe('Grüße 🎈 a Bcc: v@evil.example')
  expect(parsed.bcc).toBeUndefined()
  expect(parsed.html).toContain('<strong>Zoë</strong>')
  expect(parsed.text).toContain('Hallo Zoë')
  const headers = new Map(parsed.headers.map(({ key, value }) => [key, value]))
  expect(headers.get('list-unsubscribe')).toBe(`<${UNSUBSCRIBE}>`)
  expect(headers.get('auto-submitted')).toBe('auto-generated')
})

test('values of users change no markup, and links of theirs run no code', async () => {
  const name =
    '</p><script>alert(1)</script><img src=x onerror=alert(1)> [a](javascript:alert(1)) {{ 7 | times: 6 }} {% raw %}'
  const link = 'javascript:alert(1)'
  const markdown = await compose(
    { markdown: 'Hi {{ event.name }} [x]({{ event.link }})' },
    {},
    { event: { name, link } },
  )
  const html = await compose(
    { html: '<p title="{{ event.name }}">Hi {{ event.name }} <a href="{{ event.link }}">x</a></p>' },
    {},
    { event: { name, link } },
  )
  for (const mail of [markdown, html]) {
    const elements = elementsOf(mail.html)
    expect(elements.filter(({ path }) => /\/(?:script|img)$/.test(path))).toEqual([])
    expect(elements.flatMap(({ attributes }) => Object.keys(attributes)).filter((key) => key.startsWith('on'))).toEqual(
      [],
    )
    expect(hrefs(mail.html).filter((href) => /^\s*javascript/i.test(href))).toEqual([])
    expect(mail.html).not.toContain('42')
  }
})

test('a value of an attribute that looks like a link stays in its attribute', async () => {
  const name = "<a href='https://a.example/' href=https://b.example/> onclick=alert(1) x"
  const step = { html: '<p title="{{ event.name }}">x</p><a href="https://c.example/" title="{{ event.name }}">y</a>' }
  for (const times of [1, 3000]) {
    const { html } = await compose(step, { tracksItself: true }, { event: { name: name.padEnd(times * 3, '.') } })
    const titles = elementsOf(html).flatMap(({ attributes }) =>
      'onclick' in attributes ? ['onclick'] : (attributes.title ?? []),
    )
    expect(titles).toEqual([0, 1].map(() => expect.stringContaining(name)))
    expect(html.match(/\/v1\/t\/c\//g)).toHaveLength(1)
  }
})

test('nothing is loaded from disk or network', async () => {
  const html = `<link rel="stylesheet" href="file:///etc/passwd"><link rel="stylesheet" href="http://127.0.0.1:1/a.css">
    <style>@import url("file:///etc/passwd"); p { background: url(file:///etc/passwd) }</style><p>x</p>`
  const mail = await compose({ html })
  expect(mail.html).not.toContain('root:')
  expect(mail.html).toContain('url(file:///etc/passwd)')
})

const rules = Array.from({ length: 1500 }, (_, i) => `*{a${i}:b}`).join('')
test.each([
  ['deep elements', '<div>'.repeat(10_000)],
  ['deep tables', '<table><tr><td>'.repeat(4000)],
  ['deep lists', '<ul><li>'.repeat(7000)],
  ['hidden depth', '<div><table></div></table>'.repeat(2500)],
  ['unclosed tags', '<a '.repeat(20_000)],
  ['unclosed quotes', '<a href="'.repeat(7000)],
  ['unclosed comments', '<!--'.repeat(15_000)],
  ['unclosed bodies', '<body'.repeat(12_000)],
  ['a cell of a million columns', `<table class="grid"><tr>${'<td colspan=1000000 rowspan=1000000>x'.repeat(10)}`],
  ['a style sheet for all elements', `<style>${rules}</style>${'<p>x'.repeat(1500)}`],
  ['a long attribute name', `<a ${'x'.repeat(60_000)}>`],
  ['unbalanced ends', '</div></p></table></body></html>'.repeat(1500)],
])('%s cost little and end nothing', async (_, html) => {
  const content = contentOf({ html: 'x' }) as MessageContent & { email: { html: string } }
  content.email.html = `${html}<a href="https://a.example/">end</a>`
  const mail = await compose({ html: 'x' }, { content, tracksItself: true })
  expect(mail.html).toContain('end')
})

test.each([
  ['brackets', '['.repeat(30_000)],
  ['quotes', '>'.repeat(30_000)],
  ['a table of all cells', `${'a|'.repeat(400)}\n${'-|'.repeat(400)}\n${'x\n'.repeat(15_000)}`],
  ['a tall table', `a|\n-\n${'x\n'.repeat(15_000)}`],
  ['a table in a quote', `> ${'a|'.repeat(400)}\n> ${'-|'.repeat(400)}\n${'> x\n'.repeat(6000)}`],
  ['dashes', `|\n${'-'.repeat(30_000)}x`],
])('Markdown of %s costs little', async (_, markdown) => {
  const ms = await processorMs(async () => expect((await compose({ markdown })).text).not.toBe(''))
  expect(ms).toBeLessThan(700)
})

test('a Markdown table has at most 5,000 cells; a larger one is text', async () => {
  const table = (rows: number) => `a|b\n-|-\n${'x|y\n'.repeat(rows)}`
  expect((await compose({ markdown: table(2400) })).html).toContain('<table class="grid"')
  const larger = await compose({ markdown: `${table(2600)}\n**end**` })
  expect(larger.html).not.toContain('<table class="grid"')
  expect(larger.html).toContain('<strong>end</strong>')
  expect(larger.text).toContain('x|y\nx|y')
  // Lines of dashes are no tables, and many small tables are below the bound.
  const small = `${'---\n'.repeat(200)}\n${`${table(3)}\n`.repeat(50)}`
  expect((await compose({ markdown: small })).html).toContain('<table class="grid"')
})

test('no text becomes a header', async () => {
  const hostile = 'x\r\nBcc: victim@example.org'
  const mail = await compose({ html: 'x' }, { look: { ...LOOK, senderName: hostile } })
  const to = { name: hostile, address: 'a@b.example' }
  const mime = (await buildMime({ ...mail, subject: hostile, to })).toString()
  expect(mime.slice(0, mime.indexOf('\r\n\r\n'))).not.toMatch(/^bcc:/im)
})

const WORD = `=?utf-8?B?${Buffer.from('\u202emoc.live').toString('base64')}?=`
test.each([
  ['an encoded word', `Hi ${WORD}`, `Hi ${WORD}`],
  ['an encoded word alone', WORD, WORD],
  ['a broken encoded word', 'a =?utf-8?Q?x =? ?= ä', 'a =?utf-8?Q?x =? ?= ä'],
  ['many encoded words', `${WORD} `.repeat(9).trim(), `${WORD} `.repeat(9).trim()],
  ['control characters and bidi overrides', 'a\u0000b\u202ec\u2066d\u2069\r\ne\u007f', 'abcd e'],
  [
    'the flag of England',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} won',
    '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f} won',
  ],
  [
    'soft hyphens, direction marks and joiners',
    'a\u00adb\u200e\u200f\u061cc\u200d\u200cd',
    'a\u00adb\u200e\u200f\u061cc\u200d\u200cd',
  ],
])('%s in a subject and in names arrive as the preview shows them', async (_, value, shown) => {
  const look = { ...LOOK, senderName: value }
  const to = { name: value, address: 'ada@example.org' }
  const mail = await compose(
    { subject: '{{ event.name }}', preheader: '{{ event.name }}', html: 'x' },
    { look, to },
    { event: { name: value } },
  )
  expect(mail).toMatchObject({ subject: shown, preheader: shown, from: { name: shown }, to: { name: shown } })
  const mime = await buildMime(mail)
  const parsed = await PostalMime.parse(mime)
  expect(parsed).toMatchObject({ subject: shown, from: { name: shown, address: 'shop@example.com' } })
  expect(parsed.to).toMatchObject([{ name: shown, address: 'ada@example.org' }])
  expect(mime.subarray(0, mime.indexOf('\r\n\r\n')).every((byte) => byte < 128)).toBe(true)
})

test('the own links of a recipient stand in the query of another address, and in no header', async () => {
  const query = '{{ unsubscribeUrl | url_encode }}'
  const step = { subject: 'Stop: {{ unsubscribeUrl }}', preheader: '{{ preferencesUrl }}', text: query }
  const out = 'https://shop.example/out?u='
  const mail = await compose({ ...step, html: `<a href="${out}${query}">x</a>` })
  expect(mail).toMatchObject({ subject: 'Stop:', preheader: '' })
  expect(hrefs(mail.html)[0]).toBe(out + encodeURIComponent(UNSUBSCRIBE))
  expect(mail.text).toMatch(new RegExp(`^${encodeURIComponent(UNSUBSCRIBE)}\n`))
})

test.each([
  ['foo bar', undefined],
  ['shop.example/a b\nc', undefined],
  [' https://a.example/x y ', 'https://a.example/x%20y'],
  ['https://a.example/\nx', 'https://a.example/%20x'],
  ['https://a.example/x) [evil](https://evil.example/', 'https://a.example/x%29%20%5Bevil%5D%28https://evil.example/'],
])('the words of a Markdown link stay without brackets where it is %j', async (link, address) => {
  for (const written of ['{{ event.name }}', '{{ event.name | strip }}', '<{{ event.name }}>']) {
    const { html, text } = await compose({ markdown: `Hi [click here](${written}) now` }, {}, { event: { name: link } })
    expect(html.replace(/<a [^>]*>|<\/a>/g, '')).toContain('Hi click here now')
    expect(text).toMatch(/^Hi click here (?:\[https:\S*\s)?now/)
    expect(hrefs(html).slice(0, -2)).toEqual(address === undefined ? [] : [address])
  }
})
