// Renders the layout of a notification config around the content of a mail.

import { randomUUID } from 'node:crypto'
import type { EmailLook } from '../../../contract/resources/notification-config.ts'
import type { LayoutFormat } from '../../../contract/tenant.ts'
import { findAddressFaults } from '../../campaign/expression/address-values.ts'
import {
  compileTemplate,
  type Template,
  TemplateError,
  type TemplateFault,
  type TemplateScope,
} from '../../campaign/expression/template.ts'
import { createCache } from '../../lib/cache.ts'
import { findMjmlFault, type MjmlFault, mjmlToHtml } from '../../lib/mjml.ts'

/** What a layout may print. `content` is HTML, all others are text. */
export interface LayoutValues {
  content: string
  subject: string
  preheader: string
  senderName: string
  unsubscribeUrl: string
  preferencesUrl: string
}

export type LayoutOfLook = Pick<EmailLook, 'layoutFormat'> & { layout: string }

const MAX_LAYOUTS = 200
/** A layout may print the content more than once. */
const MAX_MAIL_CHARS = 1024 * 1024
const NOTHING = { event: {}, user: {}, enriched: {}, events: [], campaign: {}, env: {} }

/** @returns The fault of a layout; null when mails can be sent with it. Takes up to a second: a server calls it in a sandbox. */
export function findLayoutFault({ layout, layoutFormat }: LayoutOfLook): TemplateFault | null {
  // Stored layouts are not checked again: they go on being sent.
  const unfit = layoutFormat === 'mjml' ? findMjmlFault(layout) : undefined
  if (unfit !== undefined) return toTemplateFault(unfit)
  const compiled = compileLayout(layout, layoutFormat)
  if ('fault' in compiled) return compiled.fault
  return findAddressFaults(layout, 'layout')[0] ?? null
}

function compileLayout(layout: string, format: LayoutFormat): { template: Template } | { fault: TemplateFault } {
  if (format === 'html') return compileTemplate(layout, 'layout')
  const converted = mjmlToHtml(layout)
  if ('fault' in converted) return { fault: toTemplateFault(converted) }
  const compiled = compileTemplate(converted.html, 'layout')
  // Positions are those of the HTML, which nobody has written.
  return 'fault' in compiled
    ? { fault: { message: `In the HTML that it becomes: ${compiled.fault.message}` } }
    : compiled
}

function toTemplateFault({ fault, position }: MjmlFault): TemplateFault {
  return { message: `This is no MJML: ${fault}.`, ...(position !== undefined && { position }) }
}

/** @returns a function that compiles each layout once. It throws TemplateError. */
export function createRenderLayout() {
  const compiled = createCache<string, Template>({ maxSize: MAX_LAYOUTS })
  /** Stands for the content while Liquid escapes what a layout prints. Nobody else knows it. */
  const mark = `content-${randomUUID()}`
  return function renderLayout({ layout, layoutFormat }: LayoutOfLook, values: LayoutValues): string {
    const key = `${layoutFormat} ${layout}`
    const template = compiled.get(key) ?? mustCompile(layout, layoutFormat)
    compiled.set(key, template)
    const scope: TemplateScope & LayoutValues = { ...NOTHING, ...values, content: mark }
    const pieces = template.render(scope).split(mark)
    const chars = pieces.reduce((sum, piece) => sum + piece.length, 0) + (pieces.length - 1) * values.content.length
    if (chars > MAX_MAIL_CHARS) throw new TemplateError(`The mail has more than ${MAX_MAIL_CHARS} characters.`)
    return pieces.join(values.content)
  }
}

/** @throws TemplateError for a layout that is no longer understood; it was checked when it was saved */
function mustCompile(layout: string, format: LayoutFormat): Template {
  const compiled = compileLayout(layout, format)
  if ('fault' in compiled) throw new TemplateError(compiled.fault.message)
  return compiled.template
}
