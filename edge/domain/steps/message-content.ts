// What a message says: from templates to the bounded snapshot that is stored at creation (specification section 2.4, contract section 5).

import type { MessageAction, MessageContent } from '../../../contract/api.ts'
import { NAMED_ICONS } from '../../../contract/delivery.ts'
import { isImageLink, safeLink } from '../../../contract/link.ts'
import type { InboxStep } from '../campaign.ts'
import { checkMarkdownLinks } from '../expression/markdown.ts'
import { mustCompileTemplate, type Template, TemplateError, type TemplateScope } from '../expression/template.ts'
import type { Json } from '../json.ts'

const MAX_TITLE_CHARS = 1000
const MAX_LABEL_CHARS = 200
const MAX_BODY_CHARS = 16_384
const MAX_KEY_CHARS = 256

export interface CompiledContent {
  readsProfile: boolean
  /** Throws TemplateError. `locale` is the user's; `fallbackTitle` stands in for a title that renders to nothing. */
  render(scope: TemplateScope, locale: string | null, fallbackTitle: string): MessageContent
}

interface Wording {
  title: Template
  body: Template | null
}

/** Compiles an inbox step that was checked when it was saved. */
export function compileContent(step: InboxStep, category: string | null): CompiledContent {
  const isMarkdown = step.bodyFormat === 'markdown'
  const wordings = compileWordings(step)
  const link = optional(step.link)
  const icon = optional(step.icon)
  const imageUrl = optional(step.imageUrl)
  const entity = optional(step.entity)
  const actions = (step.actions ?? []).map((action) => ({
    label: mustCompileTemplate(action.label, 'text'),
    link: optional(action.link),
    style: action.style ?? 'default',
  }))
  const data = compileData(step.data ?? {})
  const single = [link, icon, imageUrl, entity, ...actions.flatMap((action) => [action.label, action.link])]
  const templates = [...single, ...wordings.all, ...data.templates].filter((template) => template !== null)
  return {
    readsProfile: wordings.byLocale.size > 0 || templates.some((template) => template.readsProfile),
    render(scope, locale, fallbackTitle) {
      const wording = wordings.find(locale)
      const title = cut(oneLine(wording.title.render(scope)), MAX_TITLE_CHARS)
      const body = cut(clean(wording.body?.render(scope) ?? ''), MAX_BODY_CHARS)
      return {
        title: title === '' ? fallbackTitle : title,
        body: isMarkdown ? checkMarkdownLinks(body) : body,
        bodyFormat: isMarkdown ? 'markdown' : 'text',
        link: safeLink(link?.render(scope)),
        actions: actions.map((action) => renderAction(action, scope)).filter((action) => action.label !== ''),
        category,
        entity: renderKey(entity, scope, 'entity'),
        icon: toIcon(icon?.render(scope)),
        imageUrl: toImageLink(imageUrl?.render(scope)),
        priority: step.priority ?? 'normal',
        data: data.render(scope),
      }
    },
  }
}

/** A key such as `entity`: null when empty. Throws TemplateError when too long, because a cut key could equal another. */
export function renderKey(template: Template | null, scope: TemplateScope, field: string): string | null {
  const key = clean(template?.render(scope) ?? '').trim()
  if (key.length > MAX_KEY_CHARS) throw new TemplateError(`The ${field} has more than ${MAX_KEY_CHARS} characters.`)
  return key === '' ? null : key
}

/** What a message record says that could not be rendered. */
export function emptyContent(category: string | null): MessageContent {
  return {
    title: '',
    body: '',
    bodyFormat: 'text',
    link: null,
    actions: [],
    category,
    entity: null,
    icon: null,
    imageUrl: null,
    priority: 'normal',
    data: {},
  }
}

function optional(source: string | null | undefined): Template | null {
  return source === null || source === undefined ? null : mustCompileTemplate(source, 'text')
}

/** Title and body by locale: the user's own (`zh-Hant-TW`), then what it begins with (`zh-Hant`, `zh`), then the step's. Each part falls back by itself. */
function compileWordings(step: InboxStep) {
  const kind = step.bodyFormat === 'markdown' ? 'markdown' : 'text'
  const standard: Wording = {
    title: mustCompileTemplate(step.title, 'text'),
    body: step.body === undefined ? null : mustCompileTemplate(step.body, kind),
  }
  const byLocale = new Map<string, { title: Template | null; body: Template | null }>()
  for (const [locale, wording] of Object.entries(step.locales ?? {})) {
    byLocale.set(normalize(locale), {
      title: wording.title === undefined ? null : mustCompileTemplate(wording.title, 'text'),
      body: wording.body === undefined ? null : mustCompileTemplate(wording.body, kind),
    })
  }
  return {
    byLocale,
    all: [standard, ...byLocale.values()].flatMap((wording) => [wording.title, wording.body]),
    find(locale: string | null): Wording {
      if (locale === null || byLocale.size === 0) return standard
      const found = { title: null as Template | null, body: null as Template | null }
      for (let tag = normalize(locale); tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-')))) {
        const wording = byLocale.get(tag)
        found.title ??= wording?.title ?? null
        found.body ??= wording?.body ?? null
      }
      return { title: found.title ?? standard.title, body: found.body ?? standard.body }
    },
  }
}

function normalize(locale: string): string {
  return locale.replaceAll('_', '-').toLowerCase()
}

/** `data` with every string in it a template; keys are as written. */
export function compileData(data: Record<string, Json>) {
  const templates: Template[] = []
  const compile = (value: Json): ((scope: TemplateScope) => unknown) => {
    if (typeof value === 'string') {
      const template = mustCompileTemplate(value, 'text')
      templates.push(template)
      return (scope) => clean(template.render(scope))
    }
    if (Array.isArray(value)) {
      const items = value.map(compile)
      return (scope) => items.map((item) => item(scope))
    }
    if (value === null || typeof value !== 'object') return () => value
    const members = Object.entries(value).map(([key, member]) => [key, compile(member)] as const)
    return (scope) => Object.fromEntries(members.map(([key, member]) => [key, member(scope)]))
  }
  const members = Object.entries(data).map(([key, member]) => [key, compile(member)] as const)
  return {
    templates,
    render: (scope: TemplateScope): Record<string, unknown> =>
      Object.fromEntries(members.map(([key, member]) => [key, member(scope)])),
  }
}

function renderAction(
  action: { label: Template; link: Template | null; style: MessageAction['style'] },
  scope: TemplateScope,
): MessageAction {
  return {
    label: cut(oneLine(action.label.render(scope)), MAX_LABEL_CHARS),
    link: safeLink(action.link?.render(scope)),
    style: action.style,
  }
}

function toIcon(rendered: string | undefined): string | null {
  return NAMED_ICONS.find((name) => name === rendered?.trim()) ?? toImageLink(rendered)
}

function toImageLink(rendered: string | undefined): string | null {
  const link = safeLink(rendered)
  return link !== null && isImageLink(link) ? link : null
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]|\p{Surrogate}/gu

/** Without control characters but tab and line feed, and without halves of characters that a filter may leave. */
export function clean(text: string): string {
  return text.replace(CONTROL, (char) => (char === '\r' || char < ' ' || char === '\u007f' ? '' : '\ufffd'))
}

export function oneLine(text: string): string {
  return clean(text).replace(/\s+/g, ' ').trim()
}

/** At most `max` units, never half a character, with an ellipsis where something is missing. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/\p{Surrogate}$/u, '')}…`
}
