// Decides whether a mail is to be sent, and renders it into a queued message, which flow/mail/send-mails.ts sends.

import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { MessageContent } from '../../../contract/api.ts'
import type { MailParts } from '../../../contract/resources/mail.ts'
import { ownLinkMarks } from '../../domain/mail/mail-links.ts'
import type { TraceInputs } from '../../domain/tracked-event.ts'
import type { UserProfile } from '../../domain/user.ts'
import { clean } from '../../lib/clean-text.ts'
import { toIso } from '../../lib/clock.ts'
import { headerText } from '../../lib/header-text.ts'
import { isOddAddress } from '../../lib/mail-address.ts'
import type { MessageDefaults, QueuedFor, RunState } from '../compiled.ts'
import { hostOf } from '../expression/address-values.ts'
import { checkHtmlLinks } from '../expression/html-links.ts'
import { checkMarkdownLinks } from '../expression/markdown.ts'
import type { TemplateScope } from '../expression/template.ts'
import {
  compileOptional,
  createQueuedMessage,
  cut,
  emptyContent,
  MAX_SNAPSHOT_CHARS,
  type SendStep,
  toSnapshot,
} from '../message.ts'
import { originOf } from '../run-state.ts'
import { findDelay, findReasonToKeep } from '../send-policy.ts'
import { failRun, orFail, recordUnsent, skipSend } from '../skip-run.ts'
import { addTrace } from '../trace.ts'
import { fullTemplate, key, optional, template } from './fields.ts'
import { compileLocalized, firstPart, locales } from './localized.ts'
import { checkAttachments, compileEnvelope, envelopeFields } from './mail-envelope.ts'
import { defineStep, has, isRecord } from './step-type.ts'

/** Mail programs limit header lines, so a longer subject is cut. */
const MAX_SUBJECT_CHARS = 1000
/** A mail is a document: its parts are limited one by one, and together as JSON, which escapes quotation marks. */
const MAX_MAIL_CHARS = 20 * MAX_SNAPSHOT_CHARS
/** A longer mail is rendered where its time delays nobody else. */
const MAX_PLAIN_CHARS = 32_768

/** The parts of a mail by locale. */
const partFields = () => ({
  subject: optional(fullTemplate()),
  html: optional(template('html')),
  markdown: optional(template()),
  text: optional(template()),
  preheader: optional(template()),
})

const emailFields = () => ({
  ...partFields(),
  subject: fullTemplate(),
  locales: optional(locales(partFields(), 'Parts for users of a locale: `html` or `markdown`, not both.')),
  ...envelopeFields(),
  unless: optional(
    z
      .strictObject({ read: key().describe('The id of an inbox step before this one.') })
      .describe('Not sent to who has read that message.'),
  ),
})

export const emailStep = defineStep('email', {
  description: "A mail to the user's address. Exactly one of `html` and `markdown`.",
  fields: emailFields,
  check(written, context) {
    checkAttachments(written, context)
    const both = has(written, 'html') && has(written, 'markdown')
    if (both) context.fault('markdown', 'A mail has html or markdown, not both.')
    else if (!has(written, 'html') && !has(written, 'markdown')) context.fault('html', 'A mail needs html or markdown.')
    for (const [locale, texts] of Object.entries(isRecord(written.locales) ? written.locales : {})) {
      if (isRecord(texts) && has(texts, 'html') && has(texts, 'markdown'))
        context.fault(`locales.${locale}.markdown`, 'A mail has html or markdown, not both.')
    }
    const read = isRecord(written.unless) ? written.unless.read : undefined
    if (typeof read === 'string' && context.before.get(read) !== 'inbox') {
      context.fault('unless.read', 'No inbox step of this id stands before this one.')
    }
  },
  compile(step, { category }) {
    const { id, type } = step
    const unlessRead = step.unless?.read ?? null
    const mail = compileMail(step)
    const { render } = mail
    const sender: SendStep = { id, type }

    /** Returns the inbox step that `unless` names, and whether the user has read its message. */
    function seenInputs({ start }: RunState): TraceInputs {
      return unlessRead === null ? {} : { unlessRead, isRead: start.seenSteps?.has(unlessRead) === true }
    }

    function findReasonToStop({ address, policy, seenSteps }: QueuedFor, at: number) {
      if (unlessRead !== null && seenSteps?.has(unlessRead) === true) {
        return { statusReason: 'condition', because: `${unlessRead} was read in the inbox` }
      }
      if (address !== null && isOddAddress(address)) {
        return { statusReason: 'no-address', because: "the user's e-mail address is not valid" }
      }
      return findReasonToKeep(policy, { channel: type, address, addressNoun: 'e-mail address', category, at })
    }

    return {
      id,
      type,
      inner: [],
      // The profile has the address.
      readsProfile: true,
      get isPlain() {
        return mail.isPlain
      },
      needsSeenSteps: unlessRead !== null,
      run(run) {
        const { start, deps } = run
        const at = deps.clock.now()
        const { policy, seenSteps, user } = start
        const kept = findReasonToStop({ address: user.email, policy, seenSteps }, at)
        if (kept !== undefined) {
          const { statusReason, because: reason } = kept
          const inputs = { verdict: 'skip', reason: statusReason, ...seenInputs(run) }
          recordUnsent(run, sender, { status: 'skipped', statusReason }, { outcome: 'skipped', reason, at, inputs })
          return
        }
        orFail(
          () => {
            const defaults = { category, locale: user.locale, fallbackTitle: start.campaign.definition.name }
            const content = render(run.scope, defaults)
            run.messages.push(createQueuedMessage(deps.ids.message.next(), sender, originOf(run, at), content))
            const until = findDelay(policy, { channel: type, category, at })
            const reason = until === undefined ? null : `quiet hours of the user until ${toIso(until)}`
            const decided: TraceInputs =
              until === undefined ? { verdict: 'send' } : { verdict: 'delay', until: toIso(until) }
            addTrace(run, this, 'done', reason, at, { ...decided, ...seenInputs(run) })
          },
          ({ message }) => {
            const unsent = { status: 'failed', statusReason: 'render-error' } as const
            recordUnsent(run, sender, unsent, { outcome: 'failed', reason: `render-error: ${message}`, at })
            failRun(run, this, 'render-error')
          },
        )
      },
      skip(run, unsent) {
        skipSend(run, sender, unsent)
      },
      findReasonToKeep: findReasonToStop,
      files: (step.attachments ?? []).map(({ content, url }) => ({
        content: content ?? null,
        host: hostOf(url ?? ''),
      })),
      preview: render,
    }
  },
})

/** The user as the profile has them now: a mail goes to the address of its rendering. */
function recipientOf({ user }: TemplateScope): MailParts['to'] {
  const { email, name } = user as Partial<UserProfile>
  const address = email?.trim() ?? ''
  const display = headerText(name ?? '')
  return address === '' ? null : { name: display === '' ? null : display, address }
}

/** A mail in the shape of all messages: its subject is the title, its plainest part the body. */
interface MailContent extends MessageContent {
  email: MailParts
}

type MailTemplates = z.output<z.ZodObject<ReturnType<typeof emailFields>>>
type PartTemplates = z.output<z.ZodObject<ReturnType<typeof partFields>>>

interface CompiledMail {
  isPlain: boolean
  /** @throws TemplateError */
  render(scope: TemplateScope, defaults: MessageDefaults): MailContent
}

/** Compiles the parts of one locale. `lang` is its tag, null for the step's own. */
function compileParts({ subject, preheader, html, markdown, text }: PartTemplates, lang: string | null) {
  return {
    lang,
    subject: compileOptional(subject),
    preheader: compileOptional(preheader),
    html: compileOptional(html, 'html'),
    markdown: compileOptional(markdown, 'markdown'),
    text: compileOptional(text),
    htmlChars: html?.length ?? 0,
  }
}

type CompiledParts = ReturnType<typeof compileParts>

/** The text belongs to the body: one of another locale does not stand beside it, but is made from the body. */
function chooseBody(found: CompiledParts[]): Pick<CompiledParts, 'lang' | 'html' | 'markdown' | 'text'> {
  const at = found.findIndex(({ html, markdown }) => html !== null || markdown !== null)
  const { lang = null, html = null, markdown = null } = found[at] ?? {}
  return { lang, html, markdown, text: firstPart(found.slice(0, at + 1), 'text') }
}

/** Compiles the mail's templates; output is escaped for its kind. */
export function compileMail(step: MailTemplates): CompiledMail {
  const texts = compileLocalized(step, compileParts)
  const envelope = compileEnvelope(step)
  const render: CompiledMail['render'] = (given, { category, locale, fallbackTitle }) => {
    const linkMark = randomUUID()
    const marks = ownLinkMarks(linkMark)
    const scope = { ...given, ...marks }
    const found = texts.find(locale)
    // Headers have no links.
    const title = cut(headerText(firstPart(found, 'subject')?.render(given) ?? ''), MAX_SUBJECT_CHARS)
    const preheader = firstPart(found, 'preheader')
    const { lang, html, markdown, text } = chooseBody(found)
    const email: MailContent['email'] = {
      subject: title === '' ? fallbackTitle : title,
      preheader: preheader === null ? null : cut(headerText(preheader.render(given)), MAX_SUBJECT_CHARS),
      html: html === null ? null : checkHtmlLinks(html.render(scope), scope.appSchemes),
      markdown: markdown === null ? null : checkMarkdownLinks(clean(markdown.render(scope)), scope.appSchemes),
      text: text === null ? null : clean(text.render(scope)),
      to: recipientOf(scope),
      // Without locales, the author did not say which language it is.
      ...(texts.hasLocales && { lang }),
      ...envelope.render(given),
    }
    if ([email.html, email.markdown, email.text].some((part) => part?.includes(linkMark))) email.linkMark = linkMark
    const body = email.text ?? email.markdown ?? ''
    const bodyFormat = email.text === null && email.markdown !== null ? 'markdown' : 'text'
    const content = { ...emptyContent(category), title: email.subject, body, bodyFormat, email } as const
    toSnapshot(content, MAX_MAIL_CHARS, 'mail')
    return content
  }
  const templates = texts.all.flatMap((one) => [one.subject, one.preheader, one.html, one.markdown, one.text])
  const htmlChars = Math.max(...texts.all.map((one) => one.htmlChars))
  return {
    get isPlain() {
      if (htmlChars > MAX_PLAIN_CHARS) return false
      return [...templates, ...envelope.templates].every((template) => template?.isPlain !== false)
    },
    render,
  }
}
