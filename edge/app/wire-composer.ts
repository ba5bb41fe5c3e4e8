// Wires the composing of mails: layouts of configs, and the signed addresses in them.

import type { LinkTokens } from '../auth/link-token.ts'
import { mustCompileTemplate, type Template, TemplateError } from '../campaign/expression/template.ts'
import type { MailComposer } from '../domain/mail/compose-mail.ts'
import type { MailLinks } from '../domain/mail/mail-links.ts'
import { createMailComposer, type LayoutOfLook, type LayoutValues } from '../email/compose/compose-mail.ts'
import { createCache } from '../lib/cache.ts'
import { mjmlToHtml } from '../lib/mjml.ts'

const MAX_LAYOUTS = 200
/** Stands for the content while Liquid escapes what a layout prints. */
const CONTENT = 'nc-mail-content-7f3a'
const NOTHING = { event: {}, user: {}, enriched: {}, events: [], campaign: {}, env: {} }

export function wireComposer(publicUrl: () => string, tokens: LinkTokens): MailComposer {
  return createMailComposer({
    publicUrl,
    links: createMailLinks(publicUrl, tokens),
    renderLayout: createRenderLayout(),
  })
}

function createMailLinks(publicUrl: () => string, tokens: LinkTokens): MailLinks {
  const at = (path: string) => `${publicUrl().replace(/\/$/, '')}/v1/t/${path}`
  return {
    open: (mail) => at(`o/${tokens.sign({ ...mail, kind: 'open', target: null })}.gif`),
    click: (mail, target) => at(`c/${tokens.sign({ ...mail, kind: 'click', target })}`),
    unsubscribe: (mail) => at(`u/${tokens.sign({ ...mail, kind: 'unsubscribe', target: null })}`),
  }
}

/** Compiles each layout once. */
function createRenderLayout() {
  const compiled = createCache<string, Template>({ maxSize: MAX_LAYOUTS })
  return function renderLayout({ layout, layoutFormat }: LayoutOfLook, values: LayoutValues): string {
    const key = `${layoutFormat} ${layout}`
    const template = compiled.get(key) ?? mustCompileTemplate(toHtml(layout, layoutFormat), 'html')
    compiled.set(key, template)
    const scope = { ...NOTHING, ...values, content: CONTENT }
    return template.render(scope).replaceAll(CONTENT, () => values.content)
  }
}

/** @throws TemplateError for MJML that is no longer understood; it was checked when it was saved */
function toHtml(layout: string, format: LayoutOfLook['layoutFormat']): string {
  if (format === 'html') return layout
  const converted = mjmlToHtml(layout)
  if ('fault' in converted) throw new TemplateError(converted.fault)
  return converted.html
}
