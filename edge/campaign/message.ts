// Makes the messages of a run as rows of a plan, with the text rules that every rendered message keeps.

import type { MessageContent } from '../../contract/api.ts'
import type { Channel } from '../../contract/delivery.ts'
import type { Json } from '../../contract/json.ts'
import type { NewMessage } from '../domain/plan.ts'
import { clean } from '../lib/clean-text.ts'
import type { Unsent } from './compiled.ts'
import {
  mustCompileTemplate,
  type OutputKind,
  type Template,
  TemplateError,
  type TemplateScope,
} from './expression/template.ts'

const MAX_KEY_CHARS = 256
/** Limits the snapshot of a message. An event may be larger, but people read messages. */
export const MAX_SNAPSHOT_CHARS = 65_536

/** The fields that all messages of a run share. */
export type MessageOrigin = Pick<
  NewMessage,
  'runId' | 'eventId' | 'campaignId' | 'version' | 'branch' | 'userId' | 'correlationId' | 'createdAt' | 'isTest'
>

/** A step that sends: its type is the channel. */
export interface SendStep {
  id: string
  type: Channel
}

/** Creates the record of a message that is not sent. */
export function createUnsentMessage(
  id: number,
  step: SendStep,
  origin: MessageOrigin,
  unsent: Unsent,
  category: string | null,
): NewMessage {
  return {
    ...origin,
    ...unsent,
    id,
    stepId: step.id,
    channel: step.type,
    category,
    entity: null,
    collapseKey: null,
    snapshot: JSON.stringify(emptyContent(category)),
    expiresAt: null,
  }
}

/** Creates a message that waits to be sent to its recipient's address. */
export function createQueuedMessage(
  id: number,
  step: SendStep,
  origin: MessageOrigin,
  content: MessageContent,
): NewMessage {
  const { category } = content
  return {
    ...origin,
    status: 'queued',
    statusReason: null,
    id,
    stepId: step.id,
    channel: step.type,
    category,
    entity: null,
    collapseKey: null,
    snapshot: JSON.stringify(content),
    expiresAt: null,
  }
}

/** Formats a rendered message as JSON text. @throws TemplateError beyond `max` characters */
export function toSnapshot(content: MessageContent, max: number, noun: 'message' | 'mail'): string {
  const snapshot = JSON.stringify(content)
  if (snapshot.length > max) throw new TemplateError(`The ${noun} has more than ${max} characters.`)
  return snapshot
}

/** Content of the record of a message that was not rendered. */
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

/** Compiles the template of an optional field. */
export function compileOptional(source: string | null | undefined, kind: OutputKind = 'text'): Template | null {
  return source === null || source === undefined ? null : mustCompileTemplate(source, kind)
}

/** Compiles `data`, in which every string is a template; keys stay as written. */
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

/**
 * Renders a key such as `entity`: null when empty. @throws TemplateError when it is too long, because a cut key could
 * equal another
 */
export function renderKey(template: Template | null, scope: TemplateScope, field: string): string | null {
  const key = clean(template?.render(scope) ?? '').trim()
  if (key.length > MAX_KEY_CHARS) throw new TemplateError(`The ${field} has more than ${MAX_KEY_CHARS} characters.`)
  return key === '' ? null : key
}

/** What is no single space. */
const GAPS = /\s{2,}|[^\S ]/g

/** Replaces line breaks, and other gaps, by one space each. */
export function oneLine(text: string): string {
  return clean(text).replace(GAPS, ' ').trim()
}

/** Cuts a text to at most `max` units, never within a character, and marks the cut with an ellipsis. */
export function cut(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/\p{Surrogate}$/u, '')}…`
}
