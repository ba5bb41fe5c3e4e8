// Puts a message into the user's inbox, or records one that was not sent or could not be rendered.

import { z } from 'zod'
import type { MessageAction, MessageContent } from '../../../contract/api.ts'
import { ACTION_STYLES, NAMED_ICONS, PRIORITIES } from '../../../contract/delivery.ts'
import { findDurationMs } from '../../../contract/duration.ts'
import { isImageLink, safeLink } from '../../../contract/link.ts'
import type { NewMessage } from '../../domain/plan.ts'
import { clean } from '../../lib/clean-text.ts'
import type { RunState } from '../compiled.ts'
import { checkMarkdownLinks } from '../expression/markdown.ts'
import { noteDroppedLink } from '../expression/noted-doubts.ts'
import { mustCompileAddress, mustCompileTemplate, type Template, type TemplateScope } from '../expression/template.ts'
import {
  compileData,
  compileOptional,
  cut,
  MAX_SNAPSHOT_CHARS,
  oneLine,
  renderKey,
  type SendStep,
  toSnapshot,
} from '../message.ts'
import { originOf } from '../run-state.ts'
import { failRun, orFail, recordUnsent, skipSend } from '../skip-run.ts'
import { addTrace } from '../trace.ts'
import { data, duration, fullTemplate, linkTemplate, optional, template } from './fields.ts'
import { compileLocalized, firstPart, locales } from './localized.ts'
import { defineStep } from './step-type.ts'

const MAX_ACTIONS = 10
const MAX_TITLE_CHARS = 1000
const MAX_LABEL_CHARS = 200
const MAX_BODY_CHARS = 16_384

const action = () =>
  z.strictObject({ label: template(), link: linkTemplate().nullish(), style: optional(z.enum(ACTION_STYLES)) })

const localizedTexts = () => ({ title: optional(template()), body: optional(template()) })

const inboxFields = () => ({
  title: fullTemplate(),
  body: optional(template()),
  bodyFormat: optional(z.enum(['text', 'markdown'])),
  link: linkTemplate().nullish(),
  icon: template().nullish().describe('Liquid template of a named icon or of the address of an image.'),
  imageUrl: linkTemplate().nullish(),
  entity: template().nullish(),
  collapseKey: template().nullish(),
  actions: optional(z.array(action()).max(MAX_ACTIONS, `At most ${MAX_ACTIONS} items.`)),
  priority: optional(z.enum(PRIORITIES)),
  expiresAfter: duration().nullish(),
  data: optional(data()),
  locales: optional(locales(localizedTexts(), 'Title and body for users of a locale.')),
})

export type InboxFields = z.output<z.ZodObject<ReturnType<typeof inboxFields>>>

export const inboxStep = defineStep('inbox', {
  description: "A message into the user's inbox.",
  fields: inboxFields,
  compile(step, { category }) {
    const { id, type } = step
    const sender: SendStep = { id, type }
    const content = compileContent(step, category)
    const collapseKey = compileOptional(step.collapseKey)
    const expiresAfterMs = step.expiresAfter == null ? null : (findDurationMs(step.expiresAfter) ?? null)

    /** Names every field: on the hot path, a spread of the origin costs six times the rendering (measured). */
    function createMessage(run: RunState, messageId: number, at: number): NewMessage {
      const { user, campaign } = run.start
      const rendered = content.render(run.scope, user.locale, campaign.definition.name)
      const snapshot = toSnapshot(rendered, MAX_SNAPSHOT_CHARS, 'message')
      const origin = originOf(run, at)
      return {
        id: messageId,
        runId: origin.runId,
        eventId: origin.eventId,
        campaignId: origin.campaignId,
        version: origin.version,
        branch: origin.branch,
        stepId: id,
        userId: origin.userId,
        channel: type,
        status: 'delivered',
        statusReason: null,
        correlationId: origin.correlationId,
        category: rendered.category,
        entity: rendered.entity,
        collapseKey: renderKey(collapseKey, run.scope, 'collapseKey'),
        snapshot,
        createdAt: origin.createdAt,
        expiresAt: expiresAfterMs === null ? null : origin.createdAt + expiresAfterMs,
        isTest: origin.isTest,
      }
    }

    return {
      id,
      type,
      inner: [],
      get readsProfile() {
        return content.readsProfile || collapseKey?.readsProfile === true
      },
      get isPlain() {
        return content.isPlain && collapseKey?.isPlain !== false
      },
      run(run) {
        const at = run.deps.clock.now()
        const verdict = run.start.policy.judge({ channel: type, category, at })
        if (verdict.verdict === 'skip') {
          const { statusReason, because: reason } = verdict
          const inputs = { verdict: 'skip', reason: statusReason }
          recordUnsent(run, sender, { status: 'skipped', statusReason }, { outcome: 'skipped', reason, at, inputs })
          return
        }
        orFail(
          () => {
            run.messages.push(createMessage(run, run.deps.ids.message.next(), at))
            addTrace(run, this, 'done', null, at)
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
      preview: (scope, { locale, fallbackTitle }) => content.render(scope, locale, fallbackTitle),
    }
  },
})

export interface CompiledContent {
  readsProfile: boolean
  isPlain: boolean
  /** Renders the content. `locale` is the user's; `fallbackTitle` replaces an empty title. @throws TemplateError */
  render(scope: TemplateScope, locale: string | null, fallbackTitle: string): MessageContent
}

/** Compiles the content of an inbox step that was checked when it was saved. */
export function compileContent(step: InboxFields, category: string | null): CompiledContent {
  const isMarkdown = step.bodyFormat === 'markdown'
  const texts = compileTexts(step)
  const link = step.link == null ? null : mustCompileAddress(step.link)
  const icon = step.icon == null ? null : mustCompileAddress(step.icon)
  const imageUrl = step.imageUrl == null ? null : mustCompileAddress(step.imageUrl)
  const entity = compileOptional(step.entity)
  const actions = (step.actions ?? []).map((action) => ({
    label: mustCompileTemplate(action.label, 'text'),
    link: action.link == null ? null : mustCompileAddress(action.link),
    style: action.style ?? 'default',
  }))
  const data = compileData(step.data ?? {})
  const single = [link, icon, imageUrl, entity, ...actions.flatMap((action) => [action.label, action.link])]
  const templates = [...single, ...texts.all.flatMap(({ title, body }) => [title, body]), ...data.templates].filter(
    (template) => template !== null,
  )
  return {
    get readsProfile() {
      return texts.hasLocales || templates.some((template) => template.readsProfile)
    },
    get isPlain() {
      return templates.every((template) => template.isPlain)
    },
    render(scope, locale, fallbackTitle) {
      const found = texts.find(locale)
      const title = cut(oneLine(firstPart(found, 'title')?.render(scope) ?? ''), MAX_TITLE_CHARS)
      const body = cut(clean(firstPart(found, 'body')?.render(scope) ?? ''), MAX_BODY_CHARS)
      return {
        title: title === '' ? fallbackTitle : title,
        body: isMarkdown ? checkMarkdownLinks(body, scope.appSchemes) : body,
        bodyFormat: isMarkdown ? 'markdown' : 'text',
        link: toLink(link?.render(scope), scope),
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

const compileTexts = (step: InboxFields) =>
  compileLocalized(step, ({ title, body }) => ({
    title: compileOptional(title),
    body: compileOptional(body, step.bodyFormat === 'markdown' ? 'markdown' : 'text'),
  }))

function renderAction(
  action: { label: Template; link: Template | null; style: MessageAction['style'] },
  scope: TemplateScope,
): MessageAction {
  return {
    label: cut(oneLine(action.label.render(scope)), MAX_LABEL_CHARS),
    link: toLink(action.link?.render(scope), scope),
    style: action.style,
  }
}

function toIcon(rendered: string | undefined): string | null {
  return NAMED_ICONS.find((name) => name === rendered?.trim()) ?? toImageLink(rendered)
}

function toImageLink(rendered: string | undefined): string | null {
  const link = safeLink(rendered)
  if (link !== null && isImageLink(link)) return link
  if (rendered !== undefined) noteDroppedLink(rendered)
  return null
}

function toLink(rendered: string | undefined, { appSchemes }: TemplateScope): string | null {
  const link = safeLink(rendered, appSchemes)
  if (link === null && rendered !== undefined) noteDroppedLink(rendered)
  return link
}
