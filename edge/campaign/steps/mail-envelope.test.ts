// Tests the sender, replies, copies, headers and attachments of a mail: what is refused, and what is rendered.

import { describe, expect, test } from 'vitest'
import { ApiError } from '../../lib/api-error.ts'
import { parseDefinition } from '../definition.ts'
import { compileMail } from './email.ts'

type MailStep = Parameters<typeof compileMail>[0]
const DEFAULTS = { category: null, locale: null, fallbackTitle: 'x' }
const mail = { id: 'mail', type: 'email', subject: 's', html: 'h' }
const definitionOf = (fields: object) => ({ key: 'a', trigger: { event: 'a' }, steps: [{ ...mail, ...fields }] })
const stepOf = (fields: object) => parseDefinition(definitionOf(fields)).steps[0] as object as MailStep

function pathsOf(fields: object): string[] {
  try {
    parseDefinition(definitionOf(fields))
  } catch (error) {
    if (error instanceof ApiError) return (error.extra.details ?? []).map(({ path }) => path)
    throw error
  }
  return []
}

function render(fields: object, properties: object) {
  const scope = { event: { properties }, user: { email: 'ada@example.org' } }
  return compileMail(stepOf(fields)).render(scope as never, DEFAULTS).email
}

test('each field is rendered from its templates', () => {
  const email = render(
    {
      from: 'Shop, "Ltd" <billing@shop.example>',
      replyTo: 'order-{{ event.properties.id }}@shop.example',
      cc: ['{{ event.properties.manager }}', '{{ event.properties.absent }}', 'team@shop.example'],
      bcc: 'archive@shop.example',
      headers: {
        'X-Order': '{{ event.properties.id }}',
        References: '<a@b.example>',
        'X-None': '{{ event.properties.no }}',
      },
      attachments: [
        { filename: 'invoice-{{ event.properties.id }}.pdf', url: 'https://files.example/{{ event.properties.id }}' },
        { filename: 'none.pdf', url: '{{ event.properties.absent }}' },
        { filename: '../a.txt', content: 'aGk=', contentType: 'text/plain' },
      ],
    },
    { id: 'A-1', manager: 'boss@customer.example' },
  )
  expect(email).toMatchObject({
    from: { name: 'Shop, "Ltd"', address: 'billing@shop.example' },
    replyTo: 'order-A-1@shop.example',
    cc: ['boss@customer.example', 'team@shop.example'],
    bcc: ['archive@shop.example'],
    headers: { 'X-Order': 'A-1', References: '<a@b.example>' },
    attachments: [
      { place: 0, filename: 'invoice-A-1.pdf', url: 'https://files.example/A-1', contentType: null },
      { place: 2, filename: '_a.txt', url: null, contentType: 'text/plain' },
    ],
  })
  expect(Object.keys(email.headers ?? {})).toEqual(['X-Order', 'References'])
})

test('base64 in lines, and the header that keeps mails apart in Gmail, are taken', () => {
  const content = Buffer.from('x'.repeat(100))
    .toString('base64')
    .replace(/(.{76})/, '$1\r\n')
  expect(pathsOf({ attachments: [{ filename: 'a.txt', content: `${content}\n` }] })).toEqual([])
  expect(pathsOf({ attachments: [{ filename: 'a.txt', content: ' \n' }] })).toEqual(['steps[0].attachments[0].content'])
  expect(pathsOf({ headers: { 'X-Entity-Ref-ID': '{{ event.properties.id }}' } })).toEqual([])
})

test('a step without them renders none of them', () => {
  expect(Object.keys(render({}, {}))).toEqual(['subject', 'preheader', 'html', 'markdown', 'text', 'to'])
})

describe('a fault has its path', () => {
  const attachment = { filename: 'a.txt', content: 'aGk=' }
  test.each<[string, object, string]>([
    ['a sender without an address', { from: 'Shop' }, 'steps[0].from'],
    ['a header twice', { headers: { 'X-A': '1', 'x-a': '2' } }, 'steps[0].headers.x-a'],
    ['two senders', { from: 'a@shop.example, b@shop.example' }, 'steps[0].from'],
    ['a sender with a line break', { from: 'a@shop.example\nBcc: b@evil.example' }, 'steps[0].from'],
    ['a constant address for replies that is none', { replyTo: 'nobody' }, 'steps[0].replyTo'],
    ['a constant copy that is none', { cc: ['a@b.example', 'a@b.example, c@d.example'] }, 'steps[0].cc[1]'],
    ['a copy of another type', { bcc: 5 }, 'steps[0].bcc'],
    ['too many copies', { cc: Array.from({ length: 21 }, () => 'a@b.example') }, 'steps[0].cc'],
    ['a faulty template', { cc: ['{{ x | y }}'] }, 'steps[0].cc[0]'],
    ['a header of the mail itself', { headers: { Bcc: 'x' } }, 'steps[0].headers.Bcc'],
    ['a header of a list', { headers: { 'List-Unsubscribe': 'x' } }, 'steps[0].headers.List-Unsubscribe'],
    ['a header of a provider', { headers: { 'X-SMTPAPI': '{}' } }, 'steps[0].headers.X-SMTPAPI'],
    ['a header of another provider', { headers: { 'x-mailin-custom': '1' } }, 'steps[0].headers.x-mailin-custom'],
    ['a name with a line break', { headers: { 'X-A\r\nBcc': 'x' } }, 'steps[0].headers.X-A\r\nBcc'],
    ['an attachment without content', { attachments: [{ filename: 'a' }] }, 'steps[0].attachments[0].url'],
    [
      'one with both',
      { attachments: [{ ...attachment, url: 'https://a.example' }] },
      'steps[0].attachments[0].content',
    ],
    ['one without a name', { attachments: [{ content: 'aGk=' }] }, 'steps[0].attachments[0].filename'],
    ['an unknown field', { attachments: [{ ...attachment, path: '/etc' }] }, 'steps[0].attachments[0].path'],
    ['no base64', { attachments: [{ filename: 'a', content: 'x?' }] }, 'steps[0].attachments[0].content'],
    ['another scheme', { attachments: [{ filename: 'a', url: 'file:///etc/passwd' }] }, 'steps[0].attachments[0].url'],
    ['no TLS', { attachments: [{ filename: 'a', url: 'http://files.example/a' }] }, 'steps[0].attachments[0].url'],
    [
      'a type that nests',
      { attachments: [{ ...attachment, contentType: 'message/rfc822' }] },
      'steps[0].attachments[0].contentType',
    ],
    [
      'a type with a line break',
      { attachments: [{ ...attachment, contentType: 'text/plain\r\nX: 1' }] },
      'steps[0].attachments[0].contentType',
    ],
  ])('%s', (_, fields, path) => {
    expect(pathsOf(fields)).toEqual([path])
  })

  test('attachments of more than 10 MiB in all', () => {
    const content = Buffer.alloc(4 * 1024 * 1024).toString('base64')
    const attachments = ['a', 'b', 'c'].map((filename) => ({ filename, content }))
    expect(pathsOf({ attachments })).toEqual(['steps[0].attachments'])
    expect(pathsOf({ attachments: attachments.slice(1) })).toEqual([])
  })
})

describe('a property adds no header, recipient or path', () => {
  const hostile = 'a@b.example\r\nBcc: c@evil.example'
  test.each<[string, object, string]>([
    ['replyTo', { replyTo: '{{ event.properties.x }}' }, hostile],
    ['cc', { cc: ['{{ event.properties.x }}'] }, hostile],
    ['cc with a list', { cc: ['{{ event.properties.x }}'] }, 'a@b.example, c@evil.example'],
    ['bcc with a name', { bcc: ['{{ event.properties.x }}'] }, 'Ada <a@b.example>'],
    ['url', { attachments: [{ filename: 'a', url: '{{ event.properties.x }}' }] }, 'ftp://files.example/a'],
    ['filename', { attachments: [{ filename: '{{ event.properties.x }}', content: 'aGk=' }] }, '\r\n..'],
  ])('%s', (_, fields, x) => {
    expect(() => render(fields, { x })).toThrow(/is no|is empty/)
  })

  test('a header keeps one line', () => {
    const headers = { 'X-Order': '{{ event.properties.x }}' }
    expect(render({ headers }, { x: hostile }).headers).toEqual({ 'X-Order': 'a@b.example Bcc: c@evil.example' })
  })
})

test('a header that an older definition repeats is sent once', () => {
  const step = { subject: 's', html: 'h', headers: { 'X-A': '1', 'x-a': '2', 'X-B': '3' } } as MailStep
  const scope = { event: { properties: {} }, user: {} }
  expect(compileMail(step).render(scope as never, DEFAULTS).email.headers).toEqual({ 'X-A': '1', 'X-B': '3' })
})
