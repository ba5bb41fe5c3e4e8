// <nc-moment>: how long ago something was; on hover, and while its row has the focus, the exact time beside it.

import { html, type TemplateResult } from 'lit'
import { formatFullTime, formatMoment } from '../lib/format.ts'
import { LightElement } from '../lib/light-element.ts'

/** "2 minutes ago" is wrong a minute later. */
const RENEW_MS = 30_000
const ROW = 'tr, li, summary'

const shown = new Set<NcMoment>()
let timer: ReturnType<typeof setInterval> | undefined

export class NcMoment extends LightElement {
  static override properties = { at: { attribute: false } }

  /** ISO 8601. */
  declare at: string

  override connectedCallback(): void {
    super.connectedCallback()
    shown.add(this)
    timer ??= setInterval(() => {
      for (const one of shown) one.requestUpdate()
    }, RENEW_MS)
    // Added once, however often.
    document.addEventListener('pointerover', onPointer)
    document.addEventListener('focusin', onFocus)
    document.addEventListener('keydown', onKey)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    shown.delete(this)
    if (tipOf === this) hide()
    if (shown.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  override render(): TemplateResult {
    return html`<time datetime=${this.at}>${formatMoment(this.at)}</time>`
  }
}

let tip: HTMLElement | undefined
let tipOf: NcMoment | undefined
let described: Element | undefined

function onPointer({ target }: Event): void {
  const over = target instanceof Element ? target.closest<NcMoment>('nc-moment') : null
  if (over !== null) show(over)
  else if (described === undefined) hide()
}

function onFocus({ target }: Event): void {
  hide()
  if (!(target instanceof Element) || !target.matches(':focus-visible')) return
  // A row may have one for narrow windows and one for wide ones.
  const moments = [...(target.closest(ROW)?.querySelectorAll<NcMoment>('nc-moment') ?? [])]
  const moment = moments.find((one) => one.checkVisibility())
  if (moment === undefined) return
  const { id } = show(moment)
  described = target
  if (!target.hasAttribute('aria-describedby')) target.setAttribute('aria-describedby', id)
}

function onKey({ key }: KeyboardEvent): void {
  if (key === 'Escape') hide()
}

function show(moment: NcMoment): HTMLElement {
  tip ??= makeTip()
  if (!tip.isConnected) (moment.closest('main') ?? document.body).append(tip)
  tipOf = moment
  tip.textContent = formatFullTime(moment.at)
  tip.showPopover()
  const place = moment.getBoundingClientRect()
  const left = Math.min(Math.max(8, place.left), innerWidth - tip.offsetWidth - 8)
  const isAbove = place.bottom + tip.offsetHeight + 8 > innerHeight
  tip.style.setProperty('left', `${left}px`)
  tip.style.setProperty('top', `${isAbove ? place.top - tip.offsetHeight - 4 : place.bottom + 4}px`)
  return tip
}

function makeTip(): HTMLElement {
  const made = document.createElement('div')
  made.className = 'tip'
  made.id = 'exact-time'
  made.role = 'tooltip'
  made.popover = 'manual'
  return made
}

function hide(): void {
  if (described?.getAttribute('aria-describedby') === tip?.id) described?.removeAttribute('aria-describedby')
  described = undefined
  tipOf = undefined
  if (tip?.matches(':popover-open')) tip.hidePopover()
}

customElements.define('nc-moment', NcMoment)
