// Tests composing: content and layout, what is tracked and what is not, the text part, and hostile content.

import { expect, test } from 'vitest'
import type { MailParts } from '../../../contract/schemas.ts'
import type { EmailLook } from '../../../contract/tenant.ts'
import type { ComposeInput } from '../../domain/mail/compose-mail.ts'
import { buildMime } from '../build-mime.ts'
import { createMailComposer } from './compose-mail.ts'

const links = {
  open: () => 'https://n.example/v1/t/o/T.gif',
  click: (_: object, target: string) => `https://n.example/v1/t/c/${Buffer.from(target).toString('base64url')}`,
  unsubscribe: () => 'https://n.example/v1/t/u/T',
}
const composer = createMailComposer({
  publicUrl: () => 'https://shop.example',
  links,
  renderLayout: ({ layout }, { content, subject }) =>
    layout.replace('{{ content }}', content).replace('{{ subject }}', subject),
})
const LOOK: EmailLook = {
  senderName: 'Shop',
  senderAddress: null,
  replyTo: 'help@shop.example',
  layout: null,
  layoutFormat: 'html',
  tracking: { opens: true, clicks: true },
}
const PARTS: MailParts = {
  subject: 'Order 7',
  preheader: 'Thank you',
  html: null,
  markdown: '# Hello\n\n[Look](https://shop.example/o?a=1&b=2) or [here](/help)',
  text: null,
  to: { name: null, address: 'a@b.example' },
}

function compose(parts: Partial<MailParts> = {}, input: Partial<ComposeInput> = {}) {
  const email = { ...PARTS, ...parts }
  const content = { title: email.subject, body: '', email } as unknown
  return composer.compose({
    messageId: 7,
    environmentId: 1,
    userId: 'u',
    content: content as ComposeInput['content'],
    to: { name: null, address: 'a@b.example' },
    look: LOOK,
    from: { name: null, address: 'no-reply@shop.example' },
    locale: null,
    isCritical: false,
    tracksItself: true,
    ...input,
  })
}
const decode = (url: string) => Buffer.from(url.split('/').at(-1) ?? '', 'base64url').toString()
const linksOf = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => href)

test('a mail has both parts, its sender, and a way out', async () => {
  const mail = await compose()
  expect(mail).toMatchObject({
    subject: 'Order 7',
    from: { name: 'Shop', address: 'no-reply@shop.example' },
    replyTo: 'help@shop.example',
    headers: {
      'List-Unsubscribe': '<https://n.example/v1/t/u/T>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
  })
  expect(mail.idempotencyKey).toBe(mail.messageId)
  expect(mail.html).toMatch(/<h1 style="[^"]+">Hello<\/h1>/)
  expect(mail.html).toContain('@media (prefers-color-scheme: dark)')
  expect(mail.html).toContain('Thank you')
  expect(mail.text).toContain('Hello')
  expect(mail.text).toContain('https://shop.example/o?a=1&b=2')
  expect(mail.text).toContain('Unsubscribe: https://n.example/v1/t/u/T')
  expect(mail.text).not.toContain('/v1/t/c/')
})

test('links of the content are tracked with their exact address; that for unsubscribing is not', async () => {
  const { html } = await compose()
  const [first = '', second = '', ...rest] = linksOf(html)
  expect([decode(first), decode(second)]).toEqual(['https://shop.example/o?a=1&b=2', 'https://shop.example/help'])
  expect(rest).toEqual(['https://n.example/v1/t/u/T'])
  expect(html).toContain('<img src="https://n.example/v1/t/o/T.gif" width="1" height="1" alt=""')
  const mixed =
    '<a href="mailto:a@b.example">m</a> <a href=\'https://x.example/?q=&quot;1&quot;\'>q</a> <a href="#part">p</a>'
  const [mail, quoted = '', part] = linksOf((await compose({ markdown: null, html: mixed })).html)
  expect([mail, decode(quoted), part]).toEqual(['mailto:a@b.example', 'https://x.example/?q="1"', '#part'])
})

test.each([
  ['the provider tracks', { tracksItself: false }],
  ['the config turns it off', { look: { ...LOOK, tracking: { opens: false, clicks: false } } }],
  ['it is a preview', { messageId: 0 }],
])('nothing is tracked by us where %s', async (_, input) => {
  const { html } = await compose({}, input)
  expect(html).not.toMatch(/\/v1\/t\/[oc]\//)
  expect(linksOf(html).slice(0, 2)).toEqual(['https://shop.example/o?a=1&amp;b=2', 'https://shop.example/help'])
})

test('a critical category has no way out, and its footer says nothing of one', async () => {
  const mail = await compose({}, { isCritical: true })
  expect(mail.headers).toEqual({ 'Auto-Submitted': 'auto-generated' })
  expect(mail.html + mail.text).not.toContain('/v1/t/u/')
})

test('the footer speaks the language of the user, and English otherwise', async () => {
  expect((await compose({}, { locale: 'de-AT' })).html).toContain('Abbestellen')
  expect((await compose({}, { locale: 'he' })).html).toContain('dir="rtl"')
  for (const locale of ['tlh', 'constructor', '__proto__', null]) {
    expect((await compose({}, { locale })).html).toContain('>Unsubscribe</a>')
  }
})

test("a config's own layout is around the content, with the preheader hidden in it", async () => {
  const layout = '<html><head><style>p { color: red }</style></head><body><main>{{ content }}</main></body></html>'
  const { html } = await compose({ markdown: 'Hi' }, { look: { ...LOOK, layout } })
  expect(html).toContain('<main><p style="color: red;">Hi</p>')
  expect(html).toMatch(/<body><div style="display:none[^"]*">Thank you/)
  expect(html).not.toContain('Unsubscribe')
})

test.each([
  ['script in Markdown', { markdown: '<script>alert(1)</script> <img src=x onerror=alert(1)>' }, /<script|<img src=x/],
  [
    'a running link in Markdown',
    { markdown: '[x](javascript:alert(1)) [y](data:text/html,x)' },
    /href="(?:javascript|data):/,
  ],
  ['a subject with tags', { subject: '</title><script>x</script>' }, /<script/],
  ['a preheader with tags', { preheader: '</div><script>x</script>' }, /<script/],
])('%s does nothing', async (_, parts, forbidden) => {
  expect((await compose(parts)).html).not.toMatch(forbidden)
})

test('thousands of unbalanced tags, and of brackets, are composed', async () => {
  const { html } = await compose({ markdown: null, html: '<a href="https://x.example/"><b>'.repeat(2000) })
  expect(linksOf(html).length).toBeGreaterThan(2000)
  expect((await compose({ markdown: '['.repeat(60_000) })).html).toContain('[[[')
})

test('no text becomes a header', async () => {
  const hostile = 'x\r\nBcc: victim@example.org'
  const mail = await compose({ subject: hostile }, { look: { ...LOOK, senderName: hostile, replyTo: 'a@b.example' } })
  const mime = (await buildMime({ ...mail, to: { name: hostile, address: 'a@b.example' } })).toString()
  const head = mime.slice(0, mime.indexOf('\r\n\r\n'))
  expect(head).not.toMatch(/^bcc:/im)
})
