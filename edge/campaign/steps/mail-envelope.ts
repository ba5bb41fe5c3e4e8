// Describes the fields of a mail beside its content: sender, replies, copies, headers and attachments. Renders them.

import { z } from 'zod'
import type { MailParts } from '../../../contract/resources/mail.ts'
import { MAX_ATTACHMENT_BYTES } from '../../domain/mail/attachment.ts'
import { findHeaderFault, MAX_HEADERS } from '../../domain/mail/mail-headers.ts'
import { headerText } from '../../lib/header-text.ts'
import { isAddress } from '../../lib/mail-address.ts'
import {
  mustCompileAddress,
  mustCompileTemplate,
  type Template,
  TemplateError,
  type TemplateScope,
} from '../expression/template.ts'
import { cut } from '../message.ts'
import { fullTemplate, isConstant, optional, template } from './fields.ts'
import { type CheckContext, itemsOf, type Written } from './step-type.ts'

const MAX_COPIES = 20
const MAX_ATTACHMENTS = 20
const MAX_FILENAME_CHARS = 200
const MAX_URL_CHARS = 2048
const MAX_HEADER_CHARS = 900
const NO_ADDRESS = 'This is no e-mail address.'
const SENDER = /^(?:([^<>]*)<([^<>\s]+)>|(\S+))$/
const MAX_SENDER_CHARS = 600
const CONTENT_TYPE = /^(?:application|audio|font|image|model|text|video)\/[\w.+-]{1,80}(?:; ?charset=[\w-]{1,40})?$/i

/** The fields of the step. */
export const envelopeFields = () => ({
  from: optional(
    z
      .string()
      .refine((text) => readSender(text) !== undefined, NO_ADDRESS)
      .meta({ description: 'The sender: an address, or `Name <address>`. It is one of the config or an integration.' }),
  ),
  replyTo: optional(addressTemplate().describe('Liquid template of the address for replies.')),
  cc: optional(copies()),
  bcc: optional(copies()),
  headers: optional(
    z
      .record(
        z.string().superRefine((name, context) => {
          const message = findHeaderFault(name)
          if (message !== undefined) context.addIssue({ code: 'custom', message })
        }),
        template(),
      )
      .superRefine((headers, context) => {
        for (const name of repeatedOf(Object.keys(headers))) {
          const message = 'Another header has this name: names are compared without their case.'
          context.addIssue({ code: 'custom', path: [name], message })
        }
      })
      .refine((headers) => Object.keys(headers).length <= MAX_HEADERS, `At most ${MAX_HEADERS} headers.`)
      .meta({ maxProperties: MAX_HEADERS, description: 'Further headers by name; the values are Liquid templates.' }),
  ),
  attachments: optional(
    z
      .array(
        z.strictObject({
          filename: fullTemplate(),
          url: optional(
            template().refine((url) => !isConstant(url) || isFileUrl(url.trim()), 'This must begin with https://.'),
          ).describe('Liquid template of the address from which the file is fetched when the mail is sent.'),
          content: optional(z.string().refine(isBase64, 'This is no base64.').meta({ contentEncoding: 'base64' })),
          contentType: optional(z.string().regex(CONTENT_TYPE, 'This is no media type, such as application/pdf.')),
        }),
      )
      .max(MAX_ATTACHMENTS, `At most ${MAX_ATTACHMENTS} items.`),
  ),
})

type Envelope = z.output<z.ZodObject<ReturnType<typeof envelopeFields>>>
type EnvelopeParts = Pick<MailParts, 'from' | 'replyTo' | 'cc' | 'bcc' | 'headers' | 'attachments'>

/** @returns the names after an equal one, without regard to case */
function repeatedOf(names: readonly string[]): string[] {
  const seen = new Set<string>()
  return names.filter((name) => seen.size === seen.add(name.toLowerCase()).size)
}

/** Reports faults between the fields of attachments. */
export function checkAttachments(written: Written, context: CheckContext): void {
  let bytes = 0
  for (const { path, written: one } of itemsOf(written, 'attachments')) {
    const given = ['url', 'content'].filter((key) => (one[key] ?? undefined) !== undefined)
    const rule = 'An attachment has exactly one of url and content.'
    if (given.length !== 1) context.fault(`${path}.${given[1] ?? 'url'}`, rule)
    if (typeof one.content === 'string') bytes += Buffer.byteLength(withoutBreaks(one.content), 'base64')
  }
  if (bytes > MAX_ATTACHMENT_BYTES) {
    context.fault('attachments', `The attachments of a mail have at most ${MAX_ATTACHMENT_BYTES} bytes in all.`)
  }
}

/** A template of an address. What prints nothing leaves the address out. */
function addressTemplate() {
  return template().refine((source) => !isConstant(source) || isAddress(source.trim()), NO_ADDRESS)
}

/** A list of templates of one address each; one alone may stand without the list. */
function copies() {
  const list = z.array(addressTemplate()).max(MAX_COPIES, `At most ${MAX_COPIES} items.`)
  const item = { type: 'string', format: 'liquid' } as const
  return z
    .preprocess((value) => (typeof value === 'string' ? [value] : value), list)
    .meta({
      description: 'Liquid templates of one address each.',
      anyOf: [item, { type: 'array', items: item, maxItems: MAX_COPIES }],
    })
}

/** Without TLS a file comes only from an address that the operator allows, never from a public name (`guarded-connector.ts`). */
function isFileUrl(text: string): boolean {
  const url = URL.canParse(text) && !/\s/.test(text) ? new URL(text) : undefined
  if (url === undefined || url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isPrivateHost(url.hostname))
}

const isPrivateHost = (host: string) => host === 'localhost' || /^(?:\[.*\]|[\d.]+)$/.test(host)

/** Programs break base64 into lines, such as `base64` of a shell. */
const withoutBreaks = (base64: string) => base64.replace(/\s+/g, '')

function isBase64(text: string): boolean {
  const plain = withoutBreaks(text)
  return plain !== '' && plain.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(plain)
}

/** @returns the sender of a text such as `Shop <shop@example.com>`; undefined for one without an address */
export function readSender(text: string): { name: string | null; address: string } | undefined {
  if (text.length > MAX_SENDER_CHARS) return undefined
  const [, display, bracketed, plain] = SENDER.exec(text.trim()) ?? []
  const address = bracketed ?? plain ?? ''
  if (!isAddress(address)) return undefined
  const name = headerText((display ?? '').trim().replace(/^"(.*)"$/, '$1'))
  return { name: name === '' ? null : name, address }
}

export interface CompiledEnvelope {
  templates: Template[]
  /** @throws TemplateError for an address or a file name that is none */
  render(scope: TemplateScope): EnvelopeParts
}

/** Compiles the fields that a step has. The bytes of attachments stay in the definition. */
export function compileEnvelope(step: Envelope): CompiledEnvelope {
  const templates: Template[] = []
  const compile = (source: string, compileOne = (text: string) => mustCompileTemplate(text, 'text')) => {
    const compiled = compileOne(source)
    templates.push(compiled)
    return compiled
  }
  const from = step.from == null ? undefined : readSender(step.from)
  const replyTo = step.replyTo == null ? null : compile(step.replyTo)
  const [cc, bcc] = [step.cc, step.bcc].map((list) => (list ?? []).map((one) => compile(one))) as [
    Template[],
    Template[],
  ]
  const headers = Object.entries(step.headers ?? {}).map(([name, source]) => [name, compile(source)] as const)
  const attachments = (step.attachments ?? []).map(({ filename, url, contentType }) => ({
    filename: compile(filename),
    url: url == null ? null : compile(url, mustCompileAddress),
    contentType: contentType ?? null,
  }))
  return {
    templates,
    render(scope) {
      const parts: EnvelopeParts = {}
      if (from !== undefined) parts.from = from
      const [reply] = renderAddresses(replyTo === null ? [] : [replyTo], scope, 'replyTo')
      if (reply !== undefined) parts.replyTo = reply
      if (cc.length > 0) parts.cc = renderAddresses(cc, scope, 'cc')
      if (bcc.length > 0) parts.bcc = renderAddresses(bcc, scope, 'bcc')
      if (headers.length > 0) parts.headers = renderHeaders(headers, scope)
      if (attachments.length > 0) {
        parts.attachments = attachments.flatMap(({ filename, url, contentType }, place) => {
          const address = url === null ? null : url.render(scope).trim()
          if (address === '') return []
          if (address !== null && (!isFileUrl(address) || address.length > MAX_URL_CHARS)) {
            throw new TemplateError(`attachments[${place}].url is no https address.`)
          }
          return [{ place, filename: toFilename(filename.render(scope), place), url: address, contentType }]
        })
      }
      return parts
    },
  }
}

function renderAddresses(templates: Template[], scope: TemplateScope, field: string): string[] {
  const rendered = templates.map((one) => one.render(scope).trim()).filter((address) => address !== '')
  const wrong = rendered.find((address) => !isAddress(address))
  if (wrong !== undefined) throw new TemplateError(`${field} is no e-mail address: "${wrong.slice(0, 60)}".`)
  return rendered
}

function renderHeaders(headers: (readonly [string, Template])[], scope: TemplateScope): Record<string, string> {
  const rendered = headers.map(
    ([name, value]) => [name, cut(headerText(value.render(scope)), MAX_HEADER_CHARS)] as const,
  )
  const written = rendered.filter(([, value]) => value !== '')
  // A definition of an older release may repeat a name.
  const repeated = new Set(repeatedOf(written.map(([name]) => name)))
  return Object.fromEntries(written.filter(([name]) => !repeated.has(name)))
}

/** A name without a path, which no program could take for another file. */
function toFilename(rendered: string, place: number): string {
  const name = headerText(rendered)
    .replace(/[\\/:*?"<>|]/g, '_')
    .replace(/^\.+/, '')
  if (name === '') throw new TemplateError(`attachments[${place}].filename is empty.`)
  if (name.length <= MAX_FILENAME_CHARS) return name
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(name)?.[0] ?? ''
  return `${name.slice(0, MAX_FILENAME_CHARS - ending.length).replace(/\p{Surrogate}$/u, '')}${ending}`
}
