// Templates that rows, the detail and toasts have in common: the picture of a message, its buttons, the target of a link.

import { html, nothing, type TemplateResult } from 'lit'
import type { InboxMessage, MessageAction } from '../../../../contract/api.ts'
import { NAMED_ICONS, type NamedIcon } from '../../../../contract/delivery.ts'
import { checkedLink, isImageLink } from '../../../../contract/link.ts'
import type { Translate } from '../../../lib/translations.ts'
import { readable } from '../categories.ts'
import { icon } from '../icons.ts'
import type { PanelActions } from '../panel-actions.ts'

/** The link if it may be loaded as an image. */
export function imageLink(value: unknown): string | null {
  const link = checkedLink(value)
  return link !== null && isImageLink(link) ? link : null
}

const isNamed = (value: unknown): value is NamedIcon => NAMED_ICONS.includes(value as NamedIcon)

/** An image that cannot be had leaves its quiet square, never a broken picture. */
const hideBroken = (event: Event): void => {
  if (event.target instanceof HTMLImageElement) event.target.hidden = true
}
/** A large one leaves no room at all. */
const hideWithRoom = (event: Event): void => {
  const { parentElement } = event.target as HTMLElement
  if (parentElement) parentElement.hidden = true
}

/** A square of fixed size: an image, a named icon in its colour, the initial of the category, or the bell. */
export function avatar(message: InboxMessage): TemplateResult {
  const image = imageLink(message.icon)
  if (image === null) return isNamed(message.icon) ? named(message.icon) : unnamed(message)
  return html`<span class="avatar plain"
    ><img src=${image} alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer" @error=${hideBroken}
  /></span>`
}

const named = (name: NamedIcon): TemplateResult => html`<span class="avatar ${name}">${icon(name)}</span>`

/** Whoever scans the list tells what a message is about, as far as it says so. */
function unnamed({ category, priority }: InboxMessage): TemplateResult {
  const tone = priority === 'urgent' ? 'error' : category === null ? 'plain' : 'kind'
  const [initial] = category === null ? [] : readable(category)
  return html`<span class="avatar ${tone}" aria-hidden="true">${initial ?? icon('message')}</span>`
}

/** `high` and `urgent` in a word. */
export function priorityOf({ priority }: InboxMessage, t: Translate): string | undefined {
  return priority === 'urgent' ? t('urgent') : priority === 'high' ? t('important') : undefined
}

/** The same in little room: shapes differ, not colours alone. */
export function priorityMark(message: InboxMessage, t: Translate): TemplateResult | typeof nothing {
  const word = priorityOf(message, t)
  if (word === undefined) return nothing
  const name = message.priority === 'urgent' ? 'error' : 'up'
  return html`<span class="priority ${message.priority}" title=${word}>${icon(name)}</span>`
}

/** The large image of the detail; its box is there before it is. */
export function picture(message: InboxMessage): TemplateResult | typeof nothing {
  const image = imageLink(message.imageUrl)
  if (image === null) return nothing
  return html`<span class="picture"
    ><img src=${image} alt="" decoding="async" referrerpolicy="no-referrer" @error=${hideWithRoom}
  /></span>`
}

/** Opens beside the page when it leads to another site. */
export function targetOf(link: string): string | typeof nothing {
  if (!/^https?:/i.test(link)) return nothing
  return new URL(link).origin === location.origin ? nothing : '_blank'
}

/** A link as it was checked. `follow` hears of the first and the middle button: the right one asks for a menu. */
export function anchor(
  link: string,
  look: string,
  content: unknown,
  follow: (event: MouseEvent) => void,
): TemplateResult {
  const press = (event: MouseEvent): void => {
    if (event.button < 2) follow(event)
  }
  return html`<a
    class=${look}
    href=${link}
    target=${targetOf(link)}
    rel="noopener noreferrer"
    @click=${press}
    @auxclick=${press}
    >${content}</a
  >`
}

/** An action of a message; `run` is given it with its link as checked. */
export function actionButton(
  given: MessageAction,
  run: (event: MouseEvent, action: MessageAction) => void,
): TemplateResult {
  const action = { ...given, link: checkedLink(given.link) }
  const { style, link, label } = action
  const look = `button ${style === 'primary' || style === 'danger' ? style : 'default'}`
  const press = (event: MouseEvent): void => run(event, action)
  if (link !== null) return anchor(link, look, label, press)
  return html`<button type="button" class=${look} @click=${press}>${label}</button>`
}

/** The message's own actions as buttons, the primary ones first; `last` stands after them in the same row. */
export function buttons(
  message: InboxMessage,
  actions: Pick<PanelActions, 'run'>,
  last: TemplateResult | typeof nothing = nothing,
): TemplateResult | typeof nothing {
  if (message.actions.length === 0 && last === nothing) return nothing
  const rank = ({ style }: MessageAction) => (style === 'primary' ? 0 : 1)
  const ordered = message.actions.slice(0, 4).sort((a, b) => rank(a) - rank(b))
  const all = ordered.map((one) => actionButton(one, (event, action) => actions.run(event, message, action)))
  return html`<div part="actions" class="actions">${all}${last}</div>`
}
